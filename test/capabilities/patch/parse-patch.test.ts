/** Patches of both forms as they are written by git, by diff, by models; and what is refused before anything is done. */
import { describe, expect, it } from 'vitest';
import { type FilePatch, locateFiles } from '../../../src/capabilities/patch/file-patch.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';
import { Failure } from '../../../src/failure.ts';

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';

/** What is told of each file, in short. */
function told(patch: string): string[] {
  return parsePatch(patch).map(({ operation, path, from, executable, hunks }: FilePatch) =>
    [
      operation,
      ...(from === undefined ? [] : [from]),
      path,
      ...(executable === undefined ? [] : [executable ? '+x' : '-x']),
      ...hunks.map(({ lines }) => lines.map(({ mark, text }) => mark + text).join('|')),
    ].join(' '),
  );
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('The patch was read.');
}

const READ: readonly (readonly [title: string, patch: string, told: readonly string[]])[] = [
  ['git letters', `--- a/d/f\n+++ b/d/f\n${HUNK}`, ['update d/f -a|+b']],
  ['no letters', `--- d/f\n+++ d/f\n${HUNK}`, ['update d/f -a|+b']],
  ['a folder that is called like a letter', `--- a/f\n+++ a/f\n${HUNK}`, ['update a/f -a|+b']],
  ['letters of git with mnemonicPrefix', `--- i/f\n+++ w/f\n${HUNK}`, ['update f -a|+b']],
  [
    'times behind tabs',
    `--- f\t2026-01-01 10:00:00.000 +0100\n+++ f\t2026-01-02\n${HUNK}`,
    ['update f -a|+b'],
  ],
  [
    'times behind blanks',
    `--- f 2026-01-01 10:00:00\n+++ f 2026-01-02 10:00:00\n${HUNK}`,
    ['update f -a|+b'],
  ],
  ['names with blanks', `--- a/d e/f g\t\n+++ b/d e/f g\t\n${HUNK}`, ['update d e/f g -a|+b']],
  [
    'names in quotes',
    `--- "a/\\303\\244\\t\\"\\\\"\n+++ "b/\\303\\244\\t\\"\\\\"\n${HUNK}`,
    ['update ä\t"\\ -a|+b'],
  ],
  ['a copy for comparison', `--- f.orig\n+++ f\n${HUNK}`, ['update f -a|+b']],
  ['a file that is made', '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n', ['create f +b']],
  ['a file that goes', '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', ['delete f -a']],
  [
    'an empty file that is made',
    'diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n',
    ['create f'],
  ],
  ['an empty file that goes', 'diff --git a/f b/f\ndeleted file mode 100644\n', ['delete f']],
  [
    'a program that is made',
    'diff --git a/f b/f\nnew file mode 100755\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n',
    ['create f +x +b'],
  ],
  ['a mode', 'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n', ['update f +x']],
  ['a rename', 'diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n', ['rename f g']],
  [
    'a rename with changes',
    `diff --git a/f b/g\nrename from f\nrename to g\n--- a/f\n+++ b/g\n${HUNK}`,
    ['rename f g -a|+b'],
  ],
  [
    'several files',
    `--- a/f\n+++ b/f\n${HUNK}--- a/g\n+++ b/g\n${HUNK}`,
    ['update f -a|+b', 'update g -a|+b'],
  ],
  ['text before the first header', `Here you are:\n\n--- a/f\n+++ b/f\n${HUNK}`, ['update f -a|+b']],
  ['a fence', `Sure!\n\`\`\`diff\n--- a/f\n+++ b/f\n@@\n-a\n+b\n\`\`\`\nThat is all.\n`, ['update f -a|+b']],
  ['CRLF', `--- a/f\n+++ b/f\n${HUNK}`.replaceAll('\n', '\r\n'), ['update f -a|+b']] as const,
  [
    'mail',
    `From: x\nSubject: y\n\n--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-a\n+b\n-- \n2.39.0\n\n`,
    ['update f -a|+b'],
  ],
  [
    'lines that look like headers',
    '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- a/g\n+++ b/g\n c\n',
    ['update f --- a/g|+++ b/g| c'],
  ],
  ['svn', `Index: f\n====\n--- f\t(revision 1)\n+++ f\t(working copy)\n${HUNK}`, ['update f -a|+b']],
  ['headers with nothing below them', `--- a/e\n+++ b/e\n--- a/f\n+++ b/f\n${HUNK}`, ['update f -a|+b']],
];

const MARKED: typeof READ = [
  [
    'a file that is made',
    '*** Begin Patch\n*** Add File: d/f\n+a\n+\n+b\n*** End Patch\n',
    ['create d/f +a|+|+b'],
  ],
  ['an empty file', '*** Begin Patch\n*** Add File: f\n*** End Patch\n', ['create f']],
  ['a file that goes', '*** Begin Patch\n*** Delete File: f\n*** End Patch\n', ['delete f']],
  [
    'hunks',
    '*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+c\n@@ d\n-e\n*** End Patch',
    ['update f  a|-b|+c -e'],
  ],
  [
    'a move',
    '*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n*** End Patch',
    ['rename f g -a|+b'],
  ],
  ['no end', '*** Begin Patch\n*** Update File: f\n-a\n+b\n', ['update f -a|+b']],
  ['no beginning', '*** Update File: f\n@@\n-a\n+b\n', ['update f -a|+b']],
  [
    'a fence and blank lines',
    '```\n*** Begin Patch\n\n*** Update File: f\n@@\n-a\n+b\n\n*** Add File: g\n+c\n\n*** End Patch\n```\n',
    ['update f -a|+b', 'create g +c'],
  ],
  [
    'the end of the file',
    '*** Begin Patch\n*** Update File: f\n@@\n a\n+b\n*** End of File\n*** End Patch',
    ['update f  a|+b'],
  ],
];

const REFUSED: readonly (readonly [title: string, patch: string, code: string, says: string])[] = [
  ['nothing', '', 'E_PATCH', 'line 1: no file is named'],
  ['prose', 'I changed the file.', 'E_PATCH', 'no file is named'],
  ['a hunk without a file', HUNK, 'E_PATCH', 'line 1: a hunk stands before the name of its file'],
  ['an empty hunk', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n', 'E_PATCH', 'line 3: the hunk is empty'],
  ['two names without a rename', `--- a/f\n+++ b/g\n${HUNK}`, 'E_PATCH', '"f" and "g" differ'],
  ['half a rename', 'diff --git a/f b/g\nrename from f\n', 'E_PATCH', 'needs both'],
  ['two times nothing', `--- /dev/null\n+++ /dev/null\n${HUNK}`, 'E_PATCH', 'both names'],
  ['a copy', 'diff --git a/f b/g\ncopy from f\ncopy to g\n', 'E_UNSUPPORTED', 'copies a file'],
  [
    'binary data',
    'diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 1\n',
    'E_UNSUPPORTED',
    'binary data',
  ],
  [
    'a notice about binary data',
    'diff --git a/f b/f\nBinary files a/f and b/f differ\n',
    'E_UNSUPPORTED',
    'binary data',
  ],
  [
    'a link',
    'diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+/etc/passwd\n',
    'E_UNSUPPORTED',
    'a link',
  ],
  ['a submodule', 'diff --git a/f b/f\nnew file mode 160000\n', 'E_UNSUPPORTED', 'a submodule'],
  ['a name that does not end', `--- "a/f\n+++ "b/f\n${HUNK}`, 'E_PATCH', 'does not end'],
  ['a name that is not UTF-8', `--- "a/\\377"\n+++ "b/\\377"\n${HUNK}`, 'E_PATCH', 'not UTF-8'],
  [
    'an unmarked line of a new file',
    '*** Begin Patch\n*** Add File: f\na\n*** End Patch',
    'E_PATCH',
    'line 3: a line of a new file is not marked',
  ],
  [
    'lines of a file that goes',
    '*** Begin Patch\n*** Delete File: f\n-a\n*** End Patch',
    'E_PATCH',
    'line 3',
  ],
  [
    'a section that is not known',
    '*** Begin Patch\n*** Update File: f\n*** Copy to: g\n-a\n*** End Patch',
    'E_PATCH',
    'line 3',
  ],
  [
    'an update of nothing',
    '*** Begin Patch\n*** Update File: f\n*** End Patch',
    'E_PATCH',
    'an update without a change',
  ],
];

describe('parsePatch', () => {
  it.each(READ)('reads %s', (_, patch, files) => {
    expect(told(patch)).toEqual(files);
  });

  it.each(MARKED)('reads the marked form: %s', (_, patch, files) => {
    expect(told(patch)).toEqual(files);
  });

  it.each(REFUSED)('refuses %s', (_, patch, code, says) => {
    const failure = failureOf(() => parsePatch(patch));
    expect({ code: failure.code, message: failure.message }).toEqual({
      code,
      message: expect.stringContaining(says),
    });
  });

  it('believes a header about the place only where it counts rightly', () => {
    const lineOf = (header: string): number | undefined =>
      parsePatch(`--- a/f\n+++ b/f\n${header}\n-a\n+b\n c\n`)[0]!.hunks[0]!.line;
    expect(lineOf('@@ -7,2 +7,2 @@ heading')).toBe(7);
    expect([lineOf('@@ -7,5 +7,5 @@'), lineOf('@@ -7,2 +9,2 @@'), lineOf('@@')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('locateFiles', () => {
  it.each([
    [
      'twice',
      `--- a/f\n+++ b/f\n${HUNK}--- a/./f\n+++ b/./f\n${HUNK}`,
      'names "f", which line 1 named before',
    ],
    [
      'as a new name too',
      `--- a/f\n+++ b/f\n${HUNK}diff --git a/g b/f\nrename from g\nrename to f\n`,
      'names "f"',
    ],
    ['as its own new name', 'diff --git a/f b/f\nrename from f\nrename to ./f\n', 'renames "f" to itself'],
  ])('refuses a patch that names a file %s', (_, patch, says) => {
    const locate = (written: string): string => written.replace(/^\.\//, '');
    expect(failureOf(() => locateFiles(parsePatch(patch), locate)).message).toContain(says);
  });
});
