import { describe, expect, it } from 'vitest';
import { diffLines } from '../../../../src/transports/http/page/diff-lines.ts';

/** A kind for each line. */
function kindsOf(lines: readonly string[]): string[] {
  return diffLines(`${lines.join('\n')}\n`).map(({ kind }) => kind);
}

describe('diffLines', () => {
  it('tells what each line is, over several files', () => {
    expect(
      kindsOf([
        '--- a/one',
        '+++ b/one',
        '@@ -1,2 +1,2 @@ where',
        ' kept',
        '-old',
        '+new',
        '\\ No newline at end of file',
        '--- a/two',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-gone',
      ]),
    ).toEqual([
      'file',
      'file',
      'hunk',
      'context',
      'removed',
      'added',
      'context',
      'file',
      'file',
      'hunk',
      'removed',
    ]);
  });

  it('takes lines that look like a head for the changes they are', () => {
    expect(
      kindsOf([
        '--- a/x',
        '+++ b/x',
        '@@ -1,2 +1,2 @@',
        '--- an old comment',
        '-@@ -1 +1 @@',
        '+++ a',
        '+@@ b',
      ]),
    ).toEqual(['file', 'file', 'hunk', 'removed', 'removed', 'added', 'added']);
  });

  it('leaves no line out, whatever it is given', () => {
    const text = '@@ -1,9 +1,9 @@\n\n\nx\n+y';
    expect(
      diffLines(text)
        .map((line) => line.text)
        .join('\n'),
    ).toBe(text);
  });
});
