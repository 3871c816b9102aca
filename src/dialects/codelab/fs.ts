/** The file tools of `codelab`: whole files of up to 1 MB. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsReadWhole } from '../../capabilities/fs/read-whole.ts';
import { fsWrite } from '../../capabilities/fs/write.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the workspace');
const MAX_BYTES = 1024 * 1024;

export const readFile = defineTool({
  name: 'read_file',
  version: '1.0.0',
  description: 'Read a whole UTF-8 text file of at most 1 MB.',
  args: z.strictObject({ path }),
  returns: z.object({ content: z.string(), encoding: z.literal('utf-8') }),
  operation: fsReadWhole,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), maxBytes: MAX_BYTES }),
  render: ({ content }) => ({ content, encoding: 'utf-8' }),
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
  toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  render: ({ files }) => ({ success: true, files_deleted: files }),
});
