import { describe, expect, it } from 'vitest';
import { fileRows } from '../../../console/src/diff/diff-rows.ts';
import { languageOf } from '../../../console/src/code/language.ts';
import { parseDiff } from '../../../console/src/diff/parse-diff.ts';

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ export
 one
-two
+zwei
 three
\\ No newline at end of file
diff --git a/gone.sh b/gone.sh
deleted file mode 100755
--- a/gone.sh
+++ /dev/null
@@ -1,2 +0,0 @@
---- a/looks/like/a/file
--- nothing
`;

describe('parseDiff', () => {
  it('knows files, hunks and lines with their numbers', () => {
    const [first] = parseDiff(DIFF, languageOf);
    expect(first).toEqual({
      path: 'src/a.ts',
      only: undefined,
      head: [],
      added: 1,
      removed: 1,
      hunks: [
        {
          header: '@@ -1,3 +1,3 @@ export',
          language: 'typescript',
          lines: [
            { kind: 'context', text: 'one', old: 1, now: 1 },
            { kind: 'removed', text: 'two', old: 2, now: undefined },
            { kind: 'added', text: 'zwei', old: undefined, now: 2 },
            { kind: 'context', text: 'three', old: 3, now: 3, note: '\\ No newline at end of file' },
          ],
        },
      ],
    });
  });

  it('goes by the counts of a hunk, not by how its lines look', () => {
    const [, second] = parseDiff(DIFF, languageOf);
    expect(second!.path).toBe('gone.sh');
    expect(second!.only).toBe('before');
    expect(second!.head).toEqual(['deleted file mode 100755']);
    expect(second!.hunks[0]!.lines.map(({ text }) => text)).toEqual([
      '--- a/looks/like/a/file',
      '-- nothing',
    ]);
  });

  it('keeps what is no diff at all', () => {
    expect(parseDiff('just words\nand more\n', languageOf)).toEqual([
      { path: undefined, only: undefined, head: ['just words', 'and more'], hunks: [], added: 0, removed: 0 },
    ]);
  });
});

describe('fileRows', () => {
  const files = parseDiff('--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-one\n-two\n+eins\n three\n', languageOf);

  it('puts what took the place of a line beside it', () => {
    const pairs = fileRows(files, 'split').flatMap((row) =>
      row.kind === 'pair' ? [[row.left?.text, row.right?.text]] : [],
    );
    expect(pairs).toEqual([
      ['one', 'eins'],
      ['two', undefined],
      ['three', 'three'],
    ]);
  });

  it('has every line in one column too, with its counterpart', () => {
    const lines = fileRows(files, 'unified').flatMap((row) =>
      row.kind === 'line' ? [[row.line.kind, row.line.text, row.line.counterpart]] : [],
    );
    expect(lines).toEqual([
      ['removed', 'one', 'eins'],
      ['removed', 'two', undefined],
      ['added', 'eins', 'one'],
      ['context', 'three', undefined],
    ]);
  });
});
