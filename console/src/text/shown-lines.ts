/** The lines of a text as they are shown: every one, but a long run of blank ones as their number. */

export type ShownLine =
  | { readonly kind: 'text'; readonly text: string }
  /** Blank lines could push what matters out of sight. */
  | { readonly kind: 'blank'; readonly count: number };

const MAX_BLANK = 3;

/** The lines; the newline at the end is not one of its own. */
export function shownLines(text: string): ShownLine[] {
  const shown: ShownLine[] = [];
  let blank: string[] = [];
  const flush = (): void => {
    if (blank.length > MAX_BLANK) shown.push({ kind: 'blank', count: blank.length });
    else for (const line of blank) shown.push({ kind: 'text', text: line });
    blank = [];
  };
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (/^[ \t]*$/.test(line)) blank.push(line);
    else {
      flush();
      shown.push({ kind: 'text', text: line });
    }
  }
  flush();
  return shown;
}
