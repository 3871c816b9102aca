/** The file tools of `tenas`: whole files, one level, and a search by name or content. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsList, ONE_LEVEL } from '../../capabilities/fs/list.ts';
import { fsReadWhole } from '../../capabilities/fs/read-whole.ts';
import { fsWrite } from '../../capabilities/fs/write.ts';
import { searchFind } from '../../capabilities/search/find.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the project, or absolute inside it');
const MAX_READ_BYTES = 256 * 1024;
const MAX_DEPTH = 12;
const DEFAULT_RESULTS = 50;
const MAX_RESULTS = 200;

export const fileRead = defineTool({
  name: 'file-read',
  version: '1.0.0',
  description: 'Read a whole text file of at most 256 KB.',
  args: z.strictObject({ path }),
  returns: z.object({ path: z.string(), bytes: z.int(), content: z.string() }),
  operation: fsReadWhole,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), maxBytes: MAX_READ_BYTES }),
  render: (read) => ({ path: read.path, bytes: read.bytes, content: read.content }),
});

export const fileList = defineTool({
  name: 'file-list',
  version: '1.0.0',
  description: 'List the files and directories of one level; the project root by default.',
  args: z.strictObject({ path: path.optional() }),
  returns: z.object({
    path: z.string(),
    entries: z.array(z.object({ name: z.string(), path: z.string(), type: z.enum(['file', 'dir']) })),
    truncated: z.literal(true).optional(),
    total: z.int().optional(),
  }),
  operation: fsList,
  toInput: (args, workspace) => ({ ...ONE_LEVEL, path: workspace.path(args.path || '.') }),
  render: (listed, { truncation }) => ({
    path: listed.path,
    entries: listed.entries.map((entry) => ({
      name: entry.name,
      path: entry.path,
      type: entry.isDirectory ? 'dir' : 'file',
    })),
    ...(truncation === undefined ? {} : { truncated: true, total: truncation.total }),
  }),
});

export const fileSearch = defineTool({
  name: 'file-search',
  version: '1.0.0',
  description: `Find files whose name or content holds a keyword, the nearest ones first, ${MAX_DEPTH} levels deep. .git, .tenas, node_modules and what .gitignore names are left out.`,
  args: z.strictObject({
    path: path.optional(),
    query: z.string().min(1).describe('The keyword'),
    limit: z.int().min(1).max(MAX_RESULTS).optional().describe(`${DEFAULT_RESULTS} by default`),
  }),
  returns: z.object({
    query: z.string(),
    root: z.string(),
    results: z.array(z.string()).describe('Relative to the project'),
    truncated: z.literal(true).optional(),
  }),
  operation: searchFind,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    query: args.query,
    skip: ['.tenas', 'node_modules'],
    maxDepth: MAX_DEPTH,
    maxFileBytes: 128 * 1024,
    limit: args.limit ?? DEFAULT_RESULTS,
  }),
  render: ({ query, path, results, hasMore }) => ({
    query,
    root: path,
    results,
    ...(hasMore ? { truncated: true } : {}),
  }),
});

export const fileWrite = defineTool({
  name: 'file-write',
  version: '1.0.0',
  description: 'Write a text file, or append to it. Missing directories are made.',
  args: z.strictObject({
    path,
    content: z.string(),
    mode: z.enum(['overwrite', 'append']).optional().describe('overwrite by default'),
  }),
  returns: z.object({
    path: z.string(),
    bytes: z.int().describe('The size of the file now'),
    mode: z.enum(['overwrite', 'append']),
  }),
  operation: fsWrite,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    content: args.content,
    mode: args.mode ?? 'overwrite',
    maxBytes: 8 * 1024 * 1024,
  }),
  render: ({ path, bytes, mode }) => ({ path, bytes, mode }),
});

export const fileDelete = defineTool({
  name: 'file-delete',
  version: '1.0.0',
  description: 'Delete a file. Directories are refused.',
  args: z.strictObject({ path }),
  returns: z.object({ path: z.string() }),
  operation: fsDelete,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), filesOnly: true }),
  render: ({ path }) => ({ path }),
});
