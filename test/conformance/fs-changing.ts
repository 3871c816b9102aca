/** The tables of the operations that change files. */
import { cludeResult, codelabResult, tenasData } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const deleteFiles = { 'd/a.txt': 'x', 'd/e/b.txt': 'y', 'kept.txt': 'z' };
const deleteAfter = { d: null, 'kept.txt': 'z' };

const fsDelete: Table = {
  handrail: {
    tool: 'delete',
    files: deleteFiles,
    args: { path: 'd' },
    reply: (root) => ({ ok: true, path: `${root}/d`, files: 2 }),
    after: deleteAfter,
  },
  coder: NOT_PRESENTED,
  tenas: [
    {
      tool: 'file-delete',
      files: deleteFiles,
      args: { path: 'd/e/b.txt' },
      reply: () => tenasData({ path: 'd/e/b.txt' }),
      after: { 'd/a.txt': 'x', 'd/e/b.txt': null },
    },
    {
      tool: 'shell-destructive',
      files: { 'a.txt': 'x' },
      args: { command: 'rm a.txt' },
      reply: () => ({ ok: true, data: { cmd: 'rm a.txt', path: 'a.txt' } }),
      after: { 'a.txt': null },
    },
  ],
  clude: {
    tool: 'delete_file',
    files: deleteFiles,
    args: { path: 'd/e/b.txt' },
    reply: () => cludeResult({ path: 'd/e/b.txt', deleted: true }, ['d/e/b.txt']),
    after: { 'd/a.txt': 'x', 'd/e/b.txt': null },
  },
  codelab: {
    tool: 'delete_file',
    files: deleteFiles,
    args: { path: 'd' },
    reply: () => codelabResult({ success: true, files_deleted: 2 }),
    after: deleteAfter,
  },
};

const fsMakeDirectory: Table = {
  handrail: {
    tool: 'mkdir',
    args: { path: 'd/e' },
    reply: (root) => ({ ok: true, path: `${root}/d/e`, created: true }),
  },
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'shell-write',
    args: { command: 'mkdir d/e' },
    reply: () => ({ ok: true, data: { cmd: 'mkdir d/e', path: 'd/e' } }),
  },
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'create_directory',
    files: { 'd/a.txt': 'x' },
    args: { path: 'd' },
    reply: () => codelabResult({ success: true, created: false, already_exists: true }),
    after: { 'd/a.txt': 'x' },
  },
};

const moveFiles = { 'd/a.txt': 'x', 'd/e/b.txt': 'y' };
const moveAfter = { d: null, 'moved/here/a.txt': 'x', 'moved/here/e/b.txt': 'y' };

const fsMove: Table = {
  handrail: {
    tool: 'move',
    files: moveFiles,
    args: { from: 'd', to: 'moved/here' },
    reply: (root) => ({ ok: true, from: `${root}/d`, to: `${root}/moved/here`, files: 2 }),
    after: moveAfter,
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'move_file',
    files: moveFiles,
    args: { from: 'd', to: 'moved/here' },
    reply: () => codelabResult({ success: true, from: 'd', to: 'moved/here' }),
    after: moveAfter,
  },
};

const write: Case = {
  tool: 'write',
  files: { 'd/a.txt': 'one\r\n' },
  args: { path: 'd/a.txt', content: 'two\n' },
  reply: (root) => ({
    ok: true,
    path: `${root}/d/a.txt`,
    operation: 'updated',
    size: 5,
    additions: 1,
    deletions: 1,
    diff: '--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-one\r\n+two\r\n',
  }),
  after: { 'd/a.txt': 'two\r\n' },
};

const fsWrite: Table = {
  handrail: write,
  coder: write,
  tenas: {
    tool: 'file-write',
    files: { 'd/a.txt': 'one\r\n' },
    args: { path: 'd/a.txt', content: 'two\n', mode: 'append' },
    reply: () => tenasData({ path: 'd/a.txt', bytes: 10, mode: 'append' }),
    after: { 'd/a.txt': 'one\r\ntwo\r\n' },
  },
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'write_file',
    args: { path: 'd/a.txt', content: 'two\n' },
    reply: () => codelabResult({ success: true, bytes_written: 4 }),
    after: { 'd/a.txt': 'two\n' },
  },
};

export const fsChangingTables: Readonly<Record<string, Table>> = {
  'fs.delete': fsDelete,
  'fs.makeDirectory': fsMakeDirectory,
  'fs.move': fsMove,
  'fs.write': fsWrite,
};
