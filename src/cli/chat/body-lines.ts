/** What stands behind a bar in a question, never cut: nobody can agree to what they were not shown. */
import { stylesOf } from './diff-lines.ts';
import { type Line, span, wrapAnywhere } from './spans.ts';

/** How such a line begins in a description. */
export const BODY = '  | ';

/** The rows of one line; each behind the bar. */
export function bodyLines(line: string, width: number): Line[] {
  const text = line.slice(BODY.length);
  return wrapAnywhere(text, width - BODY.length, ...stylesOf(text)).map((row) => [span(BODY, 'dim'), ...row]);
}
