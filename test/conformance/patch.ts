/** The tables of edits and patches. */
import { cludeResult, codelabResult, tenasData } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const files = { 'd/a.txt': 'one\ntwo\n', 'old.txt': 'kept\n', 'gone.txt': '' };
const diff = [
  '--- a/d/a.txt',
  '+++ b/d/a.txt',
  '@@ -1,2 +1,2 @@',
  ' one',
  '-two',
  '+three',
  'diff --git a/old.txt b/new.txt',
  'rename from old.txt',
  'rename to new.txt',
  'diff --git a/gone.txt b/gone.txt',
  'deleted file mode 100644',
  '--- /dev/null',
  '+++ b/e/b.txt',
  '@@ -0,0 +1 @@',
  '+made',
  '',
].join('\n');
const after = {
  'd/a.txt': 'one\nthree\n',
  'old.txt': null,
  'new.txt': 'kept\n',
  'gone.txt': null,
  'e/b.txt': 'made\n',
};
const paths = ['d/a.txt', 'new.txt', 'gone.txt', 'e/b.txt'];
const counted = [
  { path: 'd/a.txt', operation: 'update', additions: 1, deletions: 1 },
  { path: 'new.txt', operation: 'rename', additions: 0, deletions: 0 },
  { path: 'gone.txt', operation: 'delete', additions: 0, deletions: 0 },
  { path: 'e/b.txt', operation: 'create', additions: 1, deletions: 0 },
];

const patch: Case = {
  tool: 'patch',
  files,
  args: { patch: diff },
  reply: () => ({
    ok: true,
    applied: true,
    files: paths,
    results: [
      { ...counted[0], hunks: [{ line: 2 }] },
      { ...counted[1], from: 'old.txt', hunks: [] },
      { ...counted[2], hunks: [] },
      { ...counted[3], hunks: [{ line: 1 }] },
    ],
  }),
  after,
};

const patchApply: Table = {
  handrail: patch,
  coder: patch,
  tenas: {
    tool: 'file-patch',
    files,
    args: { patch: diff },
    reply: () => tenasData({ applied: true, files: counted }),
    after,
  },
  clude: {
    tool: 'apply_patch',
    files,
    args: { patch_text: diff },
    reply: () =>
      cludeResult({ files_changed: paths, results: counted.map((file) => ({ ...file, matched: [] })) }, [
        'd/a.txt',
        'old.txt',
        'new.txt',
        'gone.txt',
        'e/b.txt',
      ]),
    after,
  },
  codelab: {
    tool: 'apply_patch',
    files,
    args: { diff },
    reply: () => codelabResult({ success: true, files_modified: paths }),
    after,
  },
};

const edit: Case = {
  tool: 'edit',
  files: { 'd/a.txt': 'if (x) {\r\n\treturn 1;\r\n}\r\n' },
  args: {
    path: 'd/a.txt',
    old_string: 'if (x) {\n    return 1;\n}',
    new_string: 'if (x) {\n    return 2;\n}',
  },
  reply: (root) => ({
    ok: true,
    path: `${root}/d/a.txt`,
    replacements: 1,
    matched: 'but for line endings, indentation',
    diff: '--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1,3 +1,3 @@\n if (x) {\r\n-\treturn 1;\r\n+\treturn 2;\r\n }\r\n',
  }),
  after: { 'd/a.txt': 'if (x) {\r\n\treturn 2;\r\n}\r\n' },
};

const patchEdit: Table = {
  handrail: edit,
  coder: edit,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const patchTables = { 'patch.apply': patchApply, 'patch.edit': patchEdit };
