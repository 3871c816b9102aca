/** The lines of a unified diff and what each one is. What a line is follows from the counts of its hunk, not from how it looks. */

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context' | 'hunk' | 'file';
  readonly text: string;
}

/** Reads a diff; every line of it is there again. */
export function diffLines(diff: string): DiffLine[] {
  let removed = 0;
  let added = 0;
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => {
      if (removed <= 0 && added <= 0) {
        const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
        if (hunk === null) return { kind: text.startsWith('\\') ? 'context' : 'file', text };
        removed = Number(hunk[1] ?? 1);
        added = Number(hunk[2] ?? 1);
        return { kind: 'hunk', text };
      }
      if (text.startsWith('\\')) return { kind: 'context', text };
      if (text.startsWith('+')) {
        added--;
        return { kind: 'added', text };
      }
      removed--;
      if (text.startsWith('-')) return { kind: 'removed', text };
      added--;
      return { kind: 'context', text };
    });
}
