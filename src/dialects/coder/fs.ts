/** The file tools of `coder`. */
import { z } from 'zod';
import { fsList, ONE_LEVEL } from '../../capabilities/fs/list.ts';
import { fsRead } from '../../capabilities/fs/read.ts';
import { fsWrite } from '../../capabilities/fs/write.ts';
import { defineTool } from '../dialect.ts';
import { cutDiff } from './cut-diff.ts';
import { cutFields, cutShape } from './cut-output.ts';

const path = z.string().describe('Relative to the workspace, or absolute inside it');

const DEFAULT_LINES = 50;
const MAX_LINES = 200;
const MAX_PAGE_BYTES = 200 * 1024;

/** Where a page starts: negative offsets count from the end, and then the limit says how many lines. */
export function pageOf(
  offset: number | undefined,
  limit: number | undefined,
  most: number,
  usual: number,
): Page {
  const asked = limit !== undefined && limit > 0 ? Math.min(limit, most) : undefined;
  if (offset !== undefined && offset < 0)
    return { from: { last: true }, maxLines: asked ?? Math.min(-offset, most) };
  return { from: { line: offset === undefined || offset === 0 ? 1 : offset }, maxLines: asked ?? usual };
}

interface Page {
  readonly from: { readonly line: number } | { readonly last: true };
  readonly maxLines: number;
}

export const readReturns = z.object({
  ok: z.literal(true),
  path: z.string().describe('Absolute'),
  content: z.string(),
  start_line: z.int().describe('Counted from 1; 0 where there is nothing'),
  end_line: z.int(),
  has_more: z.boolean().describe('More lines behind these; before them where the end was asked for'),
  cut_lines: z.int().optional().describe('Lines too long to be shown whole'),
});

export const read = defineTool({
  name: 'read',
  version: '1.1.0',
  description: `Read lines of a text file. offset is the first line (from 1); a negative offset reads the last lines. At most ${MAX_LINES} lines a call, ${DEFAULT_LINES} by default.`,
  args: z.strictObject({
    path,
    offset: z.int().optional().describe('First line; negative: from the end'),
    limit: z.int().optional().describe('Number of lines'),
  }),
  returns: readReturns,
  operation: fsRead,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    ...pageOf(args.offset, args.limit, MAX_LINES, DEFAULT_LINES),
    maxBytes: MAX_PAGE_BYTES,
    maxLineCharacters: 2_000,
  }),
  // A page must fit, however its characters are written in JSON.
  replyBytes: 7 * MAX_PAGE_BYTES,
  render: renderRead,
});

/** Also for dialects that page differently. */
export function renderRead(
  page: z.infer<typeof fsRead.output>,
  { workspace }: { workspace: { absolute(path: string): string } },
): z.infer<typeof readReturns> {
  return {
    ok: true,
    path: workspace.absolute(page.path),
    content: page.content,
    start_line: page.startLine,
    end_line: page.endLine,
    has_more: page.isTail ? page.hasEarlier : page.hasLater,
    ...(page.cutLines === 0 ? {} : { cut_lines: page.cutLines }),
  };
}

export const write = defineTool({
  name: 'write',
  version: '1.0.0',
  description: 'Create or overwrite a text file with the whole content given. Missing directories are made.',
  args: z.strictObject({ path, content: z.string().describe('The whole content') }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    operation: z.enum(['created', 'updated', 'unchanged']),
    size: z.int().describe('Bytes'),
    additions: z.int(),
    deletions: z.int(),
    diff: z.string(),
    diff_truncated: z.literal(true).optional(),
  }),
  operation: fsWrite,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    content: args.content,
    mode: 'overwrite',
    maxBytes: 8 * 1024 * 1024,
  }),
  render: (written, { workspace }) => ({
    ok: true,
    path: workspace.absolute(written.path),
    operation: written.operation,
    size: written.bytes,
    additions: written.additions,
    deletions: written.deletions,
    ...cutDiff(written.diff),
  }),
});

export const list = defineTool({
  name: 'list',
  version: '1.0.0',
  description: 'List one level of a directory; the workspace root by default.',
  args: z.strictObject({ path: path.optional() }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    items: z.array(
      z.object({
        name: z.string(),
        path: z.string().describe('Relative to the workspace'),
        is_dir: z.boolean(),
        size_bytes: z.int(),
      }),
    ),
    ...cutShape,
  }),
  operation: fsList,
  toInput: (args, workspace) => ({ ...ONE_LEVEL, path: workspace.path(args.path || '.') }),
  render: (listed, { workspace, truncation }) => ({
    ok: true,
    path: workspace.absolute(listed.path),
    items: listed.entries.map((entry) => ({
      name: entry.name,
      path: entry.path,
      is_dir: entry.isDirectory,
      size_bytes: entry.bytes,
    })),
    ...cutFields(truncation),
  }),
});
