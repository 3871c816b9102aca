/** Git in `handrail`: looking at a repository. */
import { z } from 'zod';
import { gitBlame } from '../../capabilities/git/blame.ts';
import { gitDiff } from '../../capabilities/git/diff.ts';
import { gitLog } from '../../capabilities/git/log.ts';
import { readRange } from '../../capabilities/git/range.ts';
import { gitShow } from '../../capabilities/git/show.ts';
import { gitStatus } from '../../capabilities/git/status.ts';
import { cutFields, cutShape } from '../coder/cut-output.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().optional().describe('The workspace by default');
const MAX_DIFF_BYTES = 16 * 1024 * 1024;

export const status = defineTool({
  name: 'git_status',
  version: '1.0.0',
  description: 'Say which branch is checked out and what is not committed.',
  args: z.strictObject({ path }),
  returns: z.object({
    ok: z.literal(true),
    branch: z.string().optional().describe('Absent where HEAD is detached'),
    commit: z.string().optional(),
    upstream: z.string().optional(),
    ahead: z.int().optional(),
    behind: z.int().optional(),
    under_way: z.string().optional().describe('A merge, rebase … that is not over'),
    stashes: z.int().optional(),
    entries: z.array(
      z.object({
        path: z.string(),
        from: z.string().optional(),
        staged: z.string().optional(),
        unstaged: z.string().optional(),
        conflict: z.string().optional(),
        submodule: z.string().optional(),
      }),
    ),
    ...cutShape,
  }),
  operation: gitStatus,
  toInput: (args, workspace) => ({ path: workspace.path(args.path || '.') }),
  render: ({ entries, underWay, stashes, ...head }, { truncation }) => ({
    ok: true,
    branch: head.branch,
    commit: head.commit,
    upstream: head.upstream,
    ahead: head.ahead,
    behind: head.behind,
    under_way: underWay,
    ...(stashes === 0 ? {} : { stashes }),
    entries: entries.map(({ isUntracked, submodule, ...entry }) => ({
      ...entry,
      ...(isUntracked === true ? { unstaged: 'untracked' } : {}),
      ...(submodule === undefined ? {} : { submodule: describeSubmodule(submodule) }),
    })),
    ...cutFields(truncation),
  }),
});

function describeSubmodule(state: {
  hasOtherCommit: boolean;
  isModified: boolean;
  hasUntracked: boolean;
}): string {
  const words = [
    ...(state.hasOtherCommit ? ['another commit'] : []),
    ...(state.isModified ? ['modified files'] : []),
    ...(state.hasUntracked ? ['untracked files'] : []),
  ];
  return words.join(', ') || 'as committed there';
}

const diffShape = {
  diff: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      from: z.string().optional(),
      change: z.string(),
      additions: z.int(),
      deletions: z.int(),
    }),
  ),
  left_out: z.array(z.string()).optional().describe('Files that are not read without a question'),
  ...cutShape,
};

type Shown = Pick<z.infer<typeof gitDiff.output>, 'diff' | 'files' | 'leftOut'>;

function renderDiff({ diff, files, leftOut }: Shown): object {
  return {
    diff,
    files: files.map(({ path, from, change, additions, deletions }) => ({
      path,
      ...(from === undefined ? {} : { from }),
      change,
      additions,
      deletions,
    })),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

export const diff = defineTool({
  name: 'git_diff',
  version: '1.0.0',
  description: 'Show changes that are not staged, those that are, or those of a range of commits.',
  args: z.strictObject({
    path,
    staged: z.boolean().optional(),
    range: z.string().optional().describe('A commit, a..b, or a...b for what b has since it parted from a'),
    context: z.int().min(0).max(1_000).optional().describe('Lines around each change'),
  }),
  returns: z.object({ ok: z.literal(true), ...diffShape }),
  operation: gitDiff,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    isStaged: args.staged ?? false,
    ...readRange(args.range),
    context: args.context,
    maxBytes: MAX_DIFF_BYTES,
  }),
  render: (found, { truncation }) => ({ ok: true, ...renderDiff(found), ...cutFields(truncation) }),
});

const commitShape = {
  id: z.string(),
  author: z.string(),
  date: z.string(),
  subject: z.string(),
  body: z.string().optional(),
  refs: z.array(z.string()).optional(),
};

type Commit = z.infer<typeof gitShow.output>['commit'];

function renderCommit({ id, author, authoredAt, subject, body, refs }: Commit): object {
  return {
    id,
    author: `${author.name} <${author.email}>`,
    date: authoredAt,
    subject,
    ...(body === '' ? {} : { body }),
    ...(refs.length === 0 ? {} : { refs }),
  };
}

export const log = defineTool({
  name: 'git_log',
  version: '1.0.0',
  description: 'List commits, the newest first; of one path where it is given.',
  args: z.strictObject({
    path,
    ref: z.string().optional().describe('Where to start; HEAD by default'),
    limit: z.int().min(1).max(1_000).optional().describe('20 by default'),
    skip: z.int().min(0).optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    commits: z.array(z.object(commitShape)),
    has_more: z.boolean(),
    ...cutShape,
  }),
  operation: gitLog,
  toInput: ({ ref, limit = 20, skip = 0, ...args }, workspace) => ({
    path: workspace.path(args.path || '.'),
    ref,
    limit,
    skip,
  }),
  render: ({ commits, hasMore }, { truncation }) => ({
    ok: true,
    commits: commits.map(renderCommit),
    has_more: hasMore,
    ...cutFields(truncation),
  }),
});

export const show = defineTool({
  name: 'git_show',
  version: '1.0.0',
  description: 'Show a commit with its changes or, with content, a file as it was in it.',
  args: z.strictObject({
    ref: z.string().describe('A commit'),
    path,
    content: z.boolean().optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    commit: z.object(commitShape),
    ...diffShape,
    diff: z.string().optional(),
    files: diffShape.files.optional(),
    content: z.string().optional(),
  }),
  operation: gitShow,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path || '.'),
    ref: args.ref,
    isContent: args.content ?? false,
    maxBytes: MAX_DIFF_BYTES,
  }),
  render: ({ commit, content, ...found }, { truncation }) => ({
    ok: true,
    commit: renderCommit(commit),
    ...(content === undefined ? renderDiff(found) : { content }),
    ...cutFields(truncation),
  }),
});

export const blame = defineTool({
  name: 'git_blame',
  version: '1.0.0',
  description: 'Say which commit each line of a file comes from.',
  args: z.strictObject({
    path: z.string(),
    ref: z.string().optional().describe('A commit; the file as it is now by default'),
    from_line: z.int().min(1).optional(),
    to_line: z.int().min(1).optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    lines: z.array(z.object({ line: z.int(), commit: z.string(), text: z.string() })),
    commits: z.record(z.string(), z.object({ author: z.string(), date: z.string(), subject: z.string() })),
    ...cutShape,
  }),
  operation: gitBlame,
  toInput: ({ ref, from_line: from, to_line: to, ...args }, workspace) => ({
    path: workspace.path(args.path),
    ref,
    ...(from === undefined && to === undefined ? {} : { lines: { from: from ?? 1, to } }),
  }),
  render: ({ lines, commits }, { truncation }) => ({
    ok: true,
    lines: lines.map(({ line, commit, text }) => ({ line, commit: commit.slice(0, 10), text })),
    commits: Object.fromEntries(
      commits.map(({ id, author, authoredAt, summary }) => [
        id.slice(0, 10),
        { author, date: authoredAt, subject: summary },
      ]),
    ),
    ...cutFields(truncation),
  }),
});
