/** The file tools that `handrail` has beside `coder`'s, and a `read` with larger pages. */
import { z } from 'zod';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsMakeDirectory } from '../../capabilities/fs/make-directory.ts';
import { fsMove } from '../../capabilities/fs/move.ts';
import { fsRead } from '../../capabilities/fs/read.ts';
import { fsReadMedia } from '../../capabilities/fs/read-media.ts';
import { fsReadSeveral } from '../../capabilities/fs/read-several.ts';
import { fsStat } from '../../capabilities/fs/stat.ts';
import { pageOf, readReturns, renderRead } from '../coder/fs.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the workspace');
const MAX_LINES = 2_000;
const MAX_PAGE_BYTES = 50 * 1024;

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
    maxBytes: MAX_PAGE_BYTES,
    maxLineCharacters: 10_000,
  }),
  // A page must fit, however its characters are written in JSON.
  replyBytes: 7 * MAX_PAGE_BYTES,
  render: renderRead,
});

export const remove = defineTool({
  name: 'delete',
  version: '1.0.0',
  description: 'Delete a file, a link, or a directory with all it holds.',
  args: z.strictObject({ path }),
  returns: z.object({ ok: z.literal(true), path: z.string().describe('Absolute'), files: z.int() }),
  operation: fsDelete,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), filesOnly: false }),
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

export const mkdir = defineTool({
  name: 'mkdir',
  version: '1.0.0',
  description: 'Make a directory with its missing parents.',
  args: z.strictObject({ path }),
  returns: z.object({ ok: z.literal(true), path: z.string().describe('Absolute'), created: z.boolean() }),
  operation: fsMakeDirectory,
  toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  render: ({ path, isNew }, { workspace }) => ({ ok: true, path: workspace.absolute(path), created: isNew }),
});

export const stat = defineTool({
  name: 'stat',
  version: '1.0.0',
  description: 'Say what stands at a path: its kind, size, mode and when it changed.',
  args: z.strictObject({ path }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    kind: z.enum(['file', 'directory', 'link', 'other']),
    size_bytes: z.int(),
    mode: z.string().describe('Octal'),
    modified: z.string().describe('ISO 8601'),
  }),
  operation: fsStat,
  toInput: (args, workspace) => ({ path: workspace.path(args.path) }),
  render: (found, { workspace }) => ({
    ok: true,
    path: workspace.absolute(found.path),
    kind: found.kind,
    size_bytes: found.bytes,
    mode: found.mode,
    modified: found.modifiedAt,
  }),
});

export const readFiles = defineTool({
  name: 'read_files',
  version: '1.0.0',
  description: 'Read the start of up to 50 text files at once, 50 KB in all.',
  args: z.strictObject({ paths: z.array(path).min(1).max(50) }),
  returns: z.object({
    ok: z.literal(true),
    files: z.array(
      z.object({
        path: z.string(),
        content: z.string(),
        has_more: z.boolean(),
        error: z.string().optional(),
      }),
    ),
  }),
  operation: fsReadSeveral,
  toInput: (args, workspace) => ({
    paths: args.paths.map((path) => workspace.path(path)),
    maxLines: MAX_LINES,
    maxBytes: MAX_PAGE_BYTES,
    maxLineCharacters: 10_000,
  }),
  replyBytes: 8 * MAX_PAGE_BYTES,
  render: ({ files }) => ({
    ok: true,
    files: files.map(({ path, content, hasMore, error }) => ({
      path,
      content,
      has_more: hasMore,
      ...(error === undefined ? {} : { error }),
    })),
  }),
});

const MAX_MEDIA_BYTES = 5 * 1024 * 1024;

export const view = defineTool({
  name: 'view',
  version: '1.0.0',
  description: 'Look at an image, or get a sound, video or PDF file as data; at most 5 MB.',
  args: z.strictObject({ path }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    media_type: z.string(),
    size_bytes: z.int(),
    data: z.string().describe('Base64'),
  }),
  operation: fsReadMedia,
  media: { data: 'data', type: 'media_type' },
  replyBytes: 2 * MAX_MEDIA_BYTES,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), maxBytes: MAX_MEDIA_BYTES }),
  render: (media, { workspace }) => ({
    ok: true,
    path: workspace.absolute(media.path),
    media_type: media.mediaType,
    size_bytes: media.bytes,
    data: media.data,
  }),
});
