/** The tables of the operations that look at files. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { cludeResult, codelabResult, tenasData } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const listed = { 'd/b.txt': 'four', 'd/a.txt': '', 'd/sub/c.txt': '' };

const list: Case = {
  tool: 'list',
  files: listed,
  args: { path: 'd' },
  reply: (root) => ({
    ok: true,
    path: `${root}/d`,
    items: [
      { name: 'a.txt', path: 'd/a.txt', is_dir: false, size_bytes: 0 },
      { name: 'b.txt', path: 'd/b.txt', is_dir: false, size_bytes: 4 },
      { name: 'sub', path: 'd/sub', is_dir: true, size_bytes: statSync(join(root, 'd/sub')).size },
    ],
  }),
};

const fsList: Table = {
  handrail: list,
  coder: list,
  tenas: {
    tool: 'file-list',
    files: listed,
    args: { path: 'd' },
    reply: () =>
      tenasData({
        path: 'd',
        entries: [
          { name: 'a.txt', path: 'd/a.txt', type: 'file' },
          { name: 'b.txt', path: 'd/b.txt', type: 'file' },
          { name: 'sub', path: 'd/sub', type: 'dir' },
        ],
      }),
  },
  clude: {
    tool: 'list_dir',
    files: listed,
    args: { path: 'd', ignore_globs: ['a*'] },
    reply: (root) =>
      cludeResult({
        path: 'd',
        items: [
          { name: 'b.txt', is_dir: false, size_bytes: 4 },
          { name: 'sub', is_dir: true, size_bytes: statSync(join(root, 'd/sub')).size },
        ],
      }),
  },
  codelab: {
    tool: 'list_files',
    files: listed,
    args: { path: 'd', recursive: true, pattern: '*.txt' },
    reply: (root) =>
      codelabResult({
        items: ['d/a.txt', 'd/b.txt', 'd/sub/c.txt'].map((path) => {
          const { size, mtimeMs } = statSync(join(root, path));
          const modified = new Date(mtimeMs).toISOString();
          return { name: path.slice(path.lastIndexOf('/') + 1), path, type: 'file', size, modified };
        }),
        total_count: 3,
      }),
  },
};

const FIFTY_ONE = Array.from({ length: 51 }, (_, index) => `line ${index + 1}`);
const paged = { 'a.txt': FIFTY_ONE.join('\n') };

const fsRead: Table = {
  handrail: {
    tool: 'read',
    files: paged,
    args: { path: 'a.txt' },
    reply: (root) => ({
      ok: true,
      path: `${root}/a.txt`,
      content: FIFTY_ONE.join('\n'),
      start_line: 1,
      end_line: 51,
      has_more: false,
    }),
  },
  coder: {
    tool: 'read',
    files: paged,
    args: { path: 'a.txt' },
    reply: (root) => ({
      ok: true,
      path: `${root}/a.txt`,
      content: FIFTY_ONE.slice(0, 50).join('\n'),
      start_line: 1,
      end_line: 50,
      has_more: true,
    }),
  },
  tenas: NOT_PRESENTED,
  clude: {
    tool: 'read_file',
    files: paged,
    args: { path: 'a.txt', offset: 50, limit: 1 },
    reply: () =>
      cludeResult({ path: 'a.txt', text: 'line 50', total_size: 398, read_size: 7, truncated: true }),
  },
  codelab: NOT_PRESENTED,
};

const fsReadWhole: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'file-read',
    files: { 'a.txt': 'one\r\n€' },
    args: { path: 'a.txt' },
    reply: () => tenasData({ path: 'a.txt', bytes: 8, content: 'one\r\n€' }),
  },
  clude: NOT_PRESENTED,
  codelab: {
    tool: 'read_file',
    files: { 'a.txt': 'one\r\ntwo' },
    args: { path: 'a.txt' },
    reply: () => codelabResult({ content: 'one\r\ntwo', encoding: 'utf-8', lines_read: 2 }),
  },
};

const fsReadSeveral: Table = {
  handrail: {
    tool: 'read_files',
    files: { 'a.txt': 'one\ntwo\n' },
    args: { paths: ['a.txt', 'gone.txt'] },
    reply: () => ({
      ok: true,
      files: [
        { path: 'a.txt', content: 'one\ntwo', has_more: false },
        { path: 'gone.txt', content: '', has_more: false, error: 'There is no "gone.txt".' },
      ],
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const fsReadMedia: Table = {
  handrail: {
    tool: 'view',
    files: { 'a.bin': 'GIF89a' },
    args: { path: 'a.bin' },
    reply: (root) => ({
      ok: true,
      path: `${root}/a.bin`,
      media_type: 'image/gif',
      size_bytes: 6,
      data: Buffer.from('GIF89a').toString('base64'),
    }),
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const fsStat: Table = {
  handrail: {
    tool: 'stat',
    files: { 'a.txt': 'four' },
    args: { path: 'a.txt' },
    reply: (root) => {
      const { mode, mtimeMs } = statSync(join(root, 'a.txt'));
      return {
        ok: true,
        path: `${root}/a.txt`,
        kind: 'file',
        size_bytes: 4,
        mode: (mode & 0o7777).toString(8),
        modified: new Date(mtimeMs).toISOString(),
      };
    },
  },
  coder: NOT_PRESENTED,
  tenas: NOT_PRESENTED,
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const fsReadingTables: Readonly<Record<string, Table>> = {
  'fs.list': fsList,
  'fs.read': fsRead,
  'fs.readMedia': fsReadMedia,
  'fs.readSeveral': fsReadSeveral,
  'fs.readWhole': fsReadWhole,
  'fs.stat': fsStat,
};
