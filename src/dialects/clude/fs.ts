/** The file tools of `clude`. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsList, ONE_LEVEL } from '../../capabilities/fs/list.ts';
import { fsRead } from '../../capabilities/fs/read.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the workspace');
const DEFAULT_LINES = 200;
const MAX_BYTES = 1_000_000;

export const listDir = defineTool({
  name: 'list_dir',
  version: '1.0.0',
  description: 'List one level of a directory. Entries that fit one of ignore_globs are left out.',
  args: z.strictObject({ path, ignore_globs: z.array(z.string()).optional() }),
  returns: z.object({
    path: z.string(),
    items: z.array(z.object({ name: z.string(), is_dir: z.boolean(), size_bytes: z.int() })),
    truncated: z.literal(true).optional(),
    total: z.int().optional(),
  }),
  operation: fsList,
  toInput: (args, workspace) => ({
    ...ONE_LEVEL,
    path: workspace.path(args.path),
    ignore: args.ignore_globs ?? [],
  }),
  render: (listed, { truncation }) => ({
    path: listed.path,
    items: listed.entries.map((entry) => ({
      name: entry.name,
      is_dir: entry.isDirectory,
      size_bytes: entry.bytes,
    })),
    ...(truncation === undefined ? {} : { truncated: true, total: truncation.total }),
  }),
});

export const readFile = defineTool({
  name: 'read_file',
  version: '1.0.0',
  description: `Read lines of a text file: limit lines (${DEFAULT_LINES} by default) from line offset on, which counts from 1.`,
  args: z.strictObject({
    path,
    offset: z.int().min(1).optional().describe('First line'),
    limit: z.int().min(1).max(100_000).optional().describe('Number of lines'),
  }),
  returns: z.object({
    path: z.string(),
    text: z.string(),
    total_size: z.int().describe('Bytes of the file'),
    read_size: z.int().describe('Bytes of the text'),
    truncated: z.boolean().describe('Whether more lines follow'),
    warning: z.string().optional(),
  }),
  operation: fsRead,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    from: { line: args.offset ?? 1 },
    maxLines: args.limit ?? DEFAULT_LINES,
    maxBytes: MAX_BYTES,
    maxLineCharacters: 10_000,
  }),
  render: (page) => ({
    path: page.path,
    text: page.content,
    total_size: page.totalBytes,
    read_size: Buffer.byteLength(page.content),
    truncated: page.hasLater,
    ...(page.cutLines === 0
      ? {}
      : { warning: `${page.cutLines} long ${page.cutLines === 1 ? 'line was' : 'lines were'} cut.` }),
  }),
});

export const deleteFile = defineTool({
  name: 'delete_file',
  version: '1.0.0',
  description: 'Delete a file. Directories are refused.',
  args: z.strictObject({ path }),
  returns: z.object({ path: z.string(), deleted: z.literal(true) }),
  operation: fsDelete,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), filesOnly: true }),
  render: ({ path }) => ({ path, deleted: true }),
});
