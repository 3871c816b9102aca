/** Styled text before it meets a terminal: measured, wrapped and cut in columns, and painted last. */
import { shown } from '../../shown.ts';

export type Style = 'bold' | 'dim' | 'italic' | 'underline' | 'struck' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
}

/** One row of a terminal, or what becomes several when it is wrapped. */
export type Line = readonly Span[];

/** A span; its text must be safe to show already. */
export function span(text: string, ...styles: Style[]): Span {
  return styles.length === 0 ? { text } : { text, styles };
}

/** Text from outside as lines that a terminal can be sent: nothing in it is obeyed. */
export function safeLines(text: string): string[] {
  return text
    .replace(/\r\n/g, '\n')
    .replace(EMOJI_VARIATION, '$1')
    .split('\n')
    .map((line) => shown(line.replace(/\t/g, '    ')));
}

/** Text from outside as one line. */
export function safeLine(text: string): string {
  return shown(text.replace(EMOJI_VARIATION, '$1').replace(/\s+/g, ' ').trim());
}

/** Only asks for a symbol in colours; models write it after many. */
const EMOJI_VARIATION = /(\p{Emoji})\ufe0f/gu;

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}]+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns a text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return symbolsOf(text).reduce((sum, symbol) => sum + widthOfSymbol(symbol), 0);
}

/** What a reader counts as characters. */
export function symbolsOf(text: string): string[] {
  return PLAIN.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function widthOfSymbol(symbol: string): number {
  if (NO_WIDTH.test(symbol)) return 0;
  return WIDE.test(symbol) ? 2 : 1;
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** What is left without its styles. */
export function plain(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** As much of a line as fits, with a mark where something is missing. */
export function cut(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const kept: Span[] = [];
  let left = width - 1;
  for (const part of line) {
    const text = textWithin(part.text, left);
    kept.push({ ...part, text });
    left -= widthOf(text);
    if (text !== part.text) break;
  }
  return [...kept, span('…', 'dim')];
}

function textWithin(text: string, width: number): string {
  let left = width;
  const symbols = symbolsOf(text);
  const end = symbols.findIndex((symbol) => (left -= widthOfSymbol(symbol)) < 0);
  return end === -1 ? text : symbols.slice(0, end).join('');
}

/** The rows that a line takes; each but the first begins with the indent. */
export function wrap(line: Line, width: number, indent: Line = []): Line[] {
  const rows: Span[][] = [[]];
  let column = 0;
  const margin = lineWidth(indent);
  const room = Math.max(width, margin + 2);
  const begin = (): void => {
    trimEnd(rows.at(-1)!);
    rows.push([...indent]);
    column = margin;
  };
  const put = (text: string, from: Span): void => {
    rows.at(-1)!.push({ ...from, text });
    column += widthOf(text);
  };
  for (const part of line)
    for (const word of part.text.match(/\s+|\S+/g) ?? []) {
      const columns = widthOf(word);
      if (word.trim() === '') {
        if (column + columns <= room && !(rows.length > 1 && column === margin)) put(word, part);
        continue;
      }
      if (column + columns > room && columns <= room - margin && column > margin) begin();
      for (let rest = word; rest !== '';) {
        const fitting = textWithin(rest, room - column);
        if (fitting === '') begin();
        else put(fitting, part);
        rest = rest.slice(fitting.length);
      }
    }
  trimEnd(rows.at(-1)!);
  return rows;
}

/** The rows of a line whose blanks count, as those of code do. */
export function wrapAnywhere(text: string, width: number, ...styles: Style[]): Line[] {
  const rows: Line[] = [];
  for (let rest = text; rest !== '' || rows.length === 0;) {
    const fitting = textWithin(rest, Math.max(width, 2));
    rows.push([span(fitting, ...styles)]);
    rest = rest.slice(fitting.length);
  }
  return rows;
}

function trimEnd(row: Span[]): void {
  while (row.at(-1)?.text.trim() === '') row.pop();
}

const CODES: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  struck: 9,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};

/** A line as a terminal is sent it. */
export function paint(line: Line, hasColor: boolean): string {
  if (!hasColor) return plain(line);
  return line
    .map(({ text, styles = [] }) =>
      styles.length === 0 ? text : `\u001b[${styles.map((style) => CODES[style]).join(';')}m${text}\u001b[0m`,
    )
    .join('');
}
