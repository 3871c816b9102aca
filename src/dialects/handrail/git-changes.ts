/** Git in `handrail`: changing a repository. Nothing here reaches a remote. */
import { z } from 'zod';
import { gitAdd } from '../../capabilities/git/add.ts';
import { gitBranch } from '../../capabilities/git/branch.ts';
import { branchAction } from '../../capabilities/git/branch-action.ts';
import { gitCommit } from '../../capabilities/git/commit.ts';
import { gitRestore } from '../../capabilities/git/restore.ts';
import { gitStash, stashAction } from '../../capabilities/git/stash.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().optional().describe('The repository; the workspace by default');
const paths = z.array(z.string()).min(1).max(1_000);
const leftOut = z
  .array(z.string())
  .optional()
  .describe('Repositories, and files not read without a question');

export const add = defineTool({
  name: 'git_add',
  version: '1.0.0',
  description: 'Stage changed, new and deleted files for the next commit.',
  args: z.strictObject({ paths }),
  returns: z.object({ ok: z.literal(true), staged: z.array(z.string()), left_out: leftOut }),
  operation: gitAdd,
  toInput: (args, workspace) => ({ paths: args.paths.map((path) => workspace.path(path)) }),
  render: ({ staged, leftOut }) => ({ ok: true, staged, ...leaving(leftOut) }),
});

export const commit = defineTool({
  name: 'git_commit',
  version: '1.0.0',
  description:
    'Commit what is staged, after staging paths where they are given. Refused where it holds secrets.',
  args: z.strictObject({
    message: z.string().min(1),
    paths: paths.optional().describe('["."] for everything'),
    path,
    allow_secrets: z.boolean().optional().describe('A human decides'),
  }),
  returns: z.object({
    ok: z.literal(true),
    commit: z.string(),
    branch: z.string().optional(),
    files: z.array(z.string()),
    left_out: leftOut,
  }),
  operation: gitCommit,
  toInput: (args, workspace) => ({
    message: args.message,
    directory: workspace.path(args.path || '.'),
    paths: (args.paths ?? []).map((path) => workspace.path(path)),
    mayHoldSecrets: args.allow_secrets ?? false,
  }),
  render: ({ leftOut, ...done }) => ({ ok: true, ...done, ...leaving(leftOut) }),
});

function leaving(paths: readonly string[]): object {
  return paths.length === 0 ? {} : { left_out: paths };
}

export const branch = defineTool({
  name: 'git_branch',
  version: '1.0.0',
  description: 'List, create, switch to, rename or delete branches.',
  args: z.strictObject({
    action: z.enum(['list', 'create', 'switch', 'rename', 'delete']),
    name: z.string().optional(),
    to: z.string().optional().describe('The new name'),
    start: z.string().optional().describe('A commit to create it at; HEAD by default'),
    force: z.boolean().optional().describe('Delete it though it is not merged'),
    path,
  }),
  returns: z.object({
    ok: z.literal(true),
    current: z.string().optional(),
    branches: z.array(
      z.object({
        name: z.string(),
        commit: z.string(),
        subject: z.string(),
        upstream: z.string().optional(),
        track: z.string().optional(),
      }),
    ),
  }),
  operation: gitBranch,
  toInput: ({ path, ...words }, workspace) => ({
    directory: workspace.path(path || '.'),
    action: branchAction(words),
  }),
  render: ({ current, branches }) => ({
    ok: true,
    current,
    branches: branches.map(({ name, commit, subject, upstream, track }) => ({
      name,
      commit,
      subject,
      ...(upstream === undefined ? {} : { upstream }),
      ...(track === undefined ? {} : { track }),
    })),
  }),
});

export const stash = defineTool({
  name: 'git_stash',
  version: '1.0.0',
  description:
    'Put changes away, bring them back (pop removes the stash, apply keeps it), list or drop stashes.',
  args: z.strictObject({
    action: z.enum(['push', 'pop', 'apply', 'drop', 'list']),
    index: z.int().min(0).optional().describe('0, the newest, by default'),
    message: z.string().optional(),
    untracked: z.boolean().optional().describe('New files, too'),
    path,
  }),
  returns: z.object({
    ok: z.literal(true),
    stashes: z.array(z.object({ index: z.int(), message: z.string(), date: z.string() })),
    conflicts: z.array(z.string()).optional(),
  }),
  operation: gitStash,
  toInput: ({ path, untracked, ...words }, workspace) => ({
    directory: workspace.path(path || '.'),
    action: stashAction({ ...words, includeUntracked: untracked }),
  }),
  render: ({ stashes, conflicts }) => ({
    ok: true,
    stashes: stashes.map(({ index, message, at }) => ({ index, message, date: at })),
    ...(conflicts.length === 0 ? {} : { conflicts }),
  }),
});

export const restore = defineTool({
  name: 'git_restore',
  version: '1.0.0',
  description: 'Give files the content that is staged, or that of a commit; with staged, only unstage them.',
  args: z.strictObject({
    paths,
    staged: z.boolean().optional(),
    ref: z.string().optional().describe('A commit'),
  }),
  returns: z.object({ ok: z.literal(true), restored: z.array(z.string()) }),
  operation: gitRestore,
  toInput: (args, workspace) => ({
    paths: args.paths.map((path) => workspace.path(path)),
    isStaged: args.staged ?? false,
    ref: args.ref,
  }),
  render: ({ restored }) => ({ ok: true, restored }),
});
