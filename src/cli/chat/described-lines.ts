/** A description as lines: what others wrote stands behind a bar and is never cut, for nobody can agree to what they were not shown. */
import { stylesOf } from './diff-lines.ts';
import { type Line, span, type Style, wrap, wrapAnywhere } from './spans.ts';

const BAR = '  | ';

/** The rows of one line of a description; the styles are for our own words. */
export function describedLines(line: string, width: number, ...styles: Style[]): Line[] {
  if (!line.startsWith(BAR)) return wrap([span(line, ...styles)], width, [span('    ')]);
  const text = line.slice(BAR.length);
  return wrapAnywhere(text, width - BAR.length, ...stylesOf(text)).map((row) => [span(BAR, 'dim'), ...row]);
}
