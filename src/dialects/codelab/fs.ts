/** The file tools of `codelab`: files of up to 1 MB. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsMakeDirectory } from '../../capabilities/fs/make-directory.ts';
import { fsMove } from '../../capabilities/fs/move.ts';
import { fsReadWhole } from '../../capabilities/fs/read-whole.ts';
import { fsWrite } from '../../capabilities/fs/write.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the workspace');
const MAX_BYTES = 1024 * 1024;

export const readFile = defineTool({
  name: 'read_file',
  version: '1.0.0',
  description: 'Read a UTF-8 text file of at most 1 MB, whole or from start_line to end_line.',
  args: z.strictObject({
    path,
    start_line: z.int().min(1).optional().describe('Counted from 1'),
    end_line: z.int().min(1).optional().describe('Included'),
    encoding: z.literal('utf-8').optional(),
  }),
  returns: z.object({ content: z.string(), encoding: z.literal('utf-8'), lines_read: z.int() }),
  operation: fsReadWhole,
  toInput: ({ start_line: from, end_line: to, ...args }, workspace) => ({
    path: workspace.path(args.path),
    maxBytes: MAX_BYTES,
    ...(from === undefined && to === undefined ? {} : { lines: { from: from ?? 1, to } }),
  }),
  render: ({ content, lines }) => ({ content, encoding: 'utf-8', lines_read: lines }),
});

export const writeFile = defineTool({
  name: 'write_file',
  version: '1.0.0',
  description: 'Create or overwrite a UTF-8 text file of at most 1 MB. Missing directories are made.',
  args: z.strictObject({ path, content: z.string().describe('The whole content') }),
  returns: z.object({ success: z.literal(true), bytes_written: z.int() }),
  operation: fsWrite,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    content: args.content,
    mode: 'overwrite',
    maxBytes: MAX_BYTES,
  }),
  render: ({ bytes }) => ({ success: true, bytes_written: bytes }),
});

export const deleteFile = defineTool({
  name: 'delete_file',
  version: '1.0.0',
  description: 'Delete a file, or a directory with all it holds.',
  args: z.strictObject({ path }),
  returns: z.object({ success: z.literal(true), files_deleted: z.int() }),
  operation: fsDelete,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), filesOnly: false }),
  render: ({ files }) => ({ success: true, files_deleted: files }),
});

export const createDirectory = defineTool({
  name: 'create_directory',
  version: '1.0.0',
  description: 'Make a directory with its missing parents.',
  args: z.strictObject({ path, recursive: z.literal(true).optional() }),
  returns: z.object({ success: z.literal(true), created: z.boolean(), already_exists: z.boolean() }),
  operation: fsMakeDirectory,
  toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  render: ({ isNew }) => ({ success: true, created: isNew, already_exists: !isNew }),
});

export const moveFile = defineTool({
  name: 'move_file',
  version: '1.0.0',
  description: 'Move or rename a file or directory. Nothing is replaced.',
  args: z.strictObject({ from: path, to: path }),
  returns: z.object({ success: z.literal(true), from: z.string(), to: z.string() }),
  operation: fsMove,
  toInput: (args, workspace) => ({ from: workspace.path(args.from), to: workspace.path(args.to) }),
  render: ({ from, to }) => ({ success: true, from, to }),
});
