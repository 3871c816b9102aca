/** The file tools of `handrail` that differ from `coder`'s: larger pages, and deleting. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsMove } from '../../capabilities/fs/move.ts';
import { fsRead } from '../../capabilities/fs/read.ts';
import { pageOf, readReturns, renderRead } from '../coder/fs.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the workspace');
const MAX_LINES = 2_000;

export const read = defineTool({
  name: 'read',
  version: '1.0.0',
  description: `Read lines of a text file, up to ${MAX_LINES} or 50 KB a call. offset is the first line (from 1); a negative offset reads the last lines.`,
  args: z.strictObject({
    path,
    offset: z.int().optional().describe('First line; negative: from the end'),
    limit: z.int().optional().describe('Number of lines'),
  }),
  returns: readReturns,
  operation: fsRead,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    ...pageOf(args.offset, args.limit, MAX_LINES, MAX_LINES),
    maxBytes: 50 * 1024,
    maxLineCharacters: 10_000,
  }),
  render: renderRead,
});

export const remove = defineTool({
  name: 'delete',
  version: '1.0.0',
  description: 'Delete a file, a link, or a directory with all it holds.',
  args: z.strictObject({ path }),
  returns: z.object({ ok: z.literal(true), path: z.string().describe('Absolute'), files: z.int() }),
  operation: fsDelete,
  toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  render: ({ path, files }, { workspace }) => ({ ok: true, path: workspace.absolute(path), files }),
});

export const move = defineTool({
  name: 'move',
  version: '1.0.0',
  description:
    'Move or rename a file, a link or a directory. Missing directories are made; nothing is replaced.',
  args: z.strictObject({ from: path, to: path }),
  returns: z.object({
    ok: z.literal(true),
    from: z.string(),
    to: z.string().describe('Absolute'),
    files: z.int(),
  }),
  operation: fsMove,
  toInput: (args, workspace) => ({ from: workspace.path(args.from), to: workspace.path(args.to) }),
  render: ({ from, to, files }, { workspace }) => ({
    ok: true,
    from: workspace.absolute(from),
    to: workspace.absolute(to),
    files,
  }),
});
