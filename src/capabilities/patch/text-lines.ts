/** A text as lines, each with the ending it has: joined again they are the text, to the byte. */

export type Ending = '' | '\n' | '\r\n';

export interface Line {
  readonly text: string;
  readonly ending: Ending;
}

/** The byte order mark, as decoding leaves it. */
export const BOM = '\ufeff';

/** Splits a text; a newline at the very end starts no further line. */
export function toLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    if (newline === -1) {
      lines.push({ text: text.slice(start), ending: '' });
      break;
    }
    const isCrlf = newline > start && text[newline - 1] === '\r';
    lines.push({
      text: text.slice(start, isCrlf ? newline - 1 : newline),
      ending: isCrlf ? '\r\n' : '\n',
    });
    start = newline + 1;
  }
  return lines;
}

/** Joins lines to the text they are. */
export function toText(lines: readonly Line[]): string {
  return lines.map(({ text, ending }) => text + ending).join('');
}

/** The ending most lines have. */
export function usualEnding(lines: readonly Line[]): '\n' | '\r\n' {
  let balance = 0;
  for (const { ending } of lines) balance += ending === '\r\n' ? 1 : ending === '\n' ? -1 : 0;
  return balance > 0 ? '\r\n' : '\n';
}
