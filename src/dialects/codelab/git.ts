/** Git in `codelab`: no remotes, and diffs of at most 5 MB. */
import { z } from 'zod';
import { gitBranch } from '../../capabilities/git/branch.ts';
import { branchAction } from '../../capabilities/git/branch-action.ts';
import { gitCommit } from '../../capabilities/git/commit.ts';
import { gitDiff } from '../../capabilities/git/diff.ts';
import { gitLog } from '../../capabilities/git/log.ts';
import { gitStatus } from '../../capabilities/git/status.ts';
import { defineTool } from '../dialect.ts';

const MAX_DIFF_BYTES = 5 * 1024 * 1024;
const path = z.string().optional().describe('The whole project by default');

export const diff = defineTool({
  name: 'git.diff',
  version: '1.0.0',
  description: 'Get the changes of a path that are not committed: unstaged ones, or with staged those.',
  args: z.strictObject({
    path: z.string().describe('`.` for the whole project'),
    staged: z.boolean().optional().describe('false by default'),
  }),
  returns: z.object({
    diff: z.string(),
    left_out: z.array(z.string()).optional().describe('Files that are not read without a question'),
  }),
  operation: gitDiff,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    isStaged: args.staged ?? false,
    isFromFork: false,
    maxBytes: MAX_DIFF_BYTES,
  }),
  render: ({ diff, leftOut }) => ({ diff, ...(leftOut.length === 0 ? {} : { left_out: leftOut }) }),
});

export const status = defineTool({
  name: 'git.status',
  version: '1.0.0',
  description: 'Get the branch and the files that are not committed.',
  args: z.strictObject({ path }),
  returns: z.object({
    branch: z.string().nullable().describe('null where HEAD is detached'),
    clean: z.boolean(),
    files: z.array(
      z.object({
        path: z.string(),
        from: z.string().optional(),
        staged: z.string().optional(),
        unstaged: z.string().optional(),
        conflict: z.string().optional(),
      }),
    ),
    truncated: z.literal(true).optional(),
  }),
  operation: gitStatus,
  toInput: (args, workspace) => ({ path: workspace.path(args.path || '.') }),
  render: ({ branch, entries }, { truncation }) => ({
    branch: branch ?? null,
    clean: entries.length === 0,
    files: entries.map(toFile),
    ...(truncation === undefined ? {} : { truncated: true }),
  }),
});

function toFile(entry: z.infer<typeof gitStatus.output>['entries'][number]): object {
  const { isUntracked, submodule: _submodule, ...file } = entry;
  return isUntracked === true ? { ...file, unstaged: 'untracked' } : file;
}

export const log = defineTool({
  name: 'git.log',
  version: '1.0.0',
  description: 'Get the last commits, of the project or of one path.',
  args: z.strictObject({ limit: z.int().min(1).max(1_000).optional().describe('10 by default'), path }),
  returns: z.object({
    commits: z.array(
      z.object({
        hash: z.string(),
        author: z.string(),
        email: z.string(),
        date: z.string(),
        message: z.string(),
      }),
    ),
    has_more: z.boolean(),
  }),
  operation: gitLog,
  toInput: ({ limit = 10, ...args }, workspace) => ({
    path: workspace.path(args.path || '.'),
    limit,
    skip: 0,
  }),
  render: ({ commits, hasMore }) => ({
    commits: commits.map(({ id, author, authoredAt, subject, body }) => ({
      hash: id,
      author: author.name,
      email: author.email,
      date: authoredAt,
      message: body === '' ? subject : `${subject}\n\n${body}`,
    })),
    has_more: hasMore,
  }),
});

export const commit = defineTool({
  name: 'git.commit',
  version: '1.0.0',
  description: 'Commit all changes, or those of some files. Refused where they hold secrets.',
  args: z.strictObject({
    message: z.string().min(1),
    files: z.array(z.string()).min(1).max(1_000).optional().describe('Everything by default'),
  }),
  returns: z.object({
    success: z.literal(true),
    commit_hash: z.string(),
    files_committed: z.array(z.string()),
    left_out: z.array(z.string()).optional().describe('Files that are not read without a question'),
  }),
  operation: gitCommit,
  toInput: ({ message, files = ['.'] }, workspace) => ({
    message,
    directory: '.',
    paths: files.map((path) => workspace.path(path)),
    mayHoldSecrets: false,
  }),
  render: ({ commit, files, leftOut }) => ({
    success: true,
    commit_hash: commit,
    files_committed: files,
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  }),
});

export const branch = defineTool({
  name: 'git.branch',
  version: '1.0.0',
  description: 'List, create, switch to, rename or delete branches.',
  args: z.strictObject({
    action: z.enum(['list', 'create', 'switch', 'rename', 'delete']),
    name: z.string().optional(),
    new_name: z.string().optional().describe('For rename'),
  }),
  returns: z.object({
    success: z.literal(true),
    current: z.string().nullable(),
    branches: z.array(z.string()),
  }),
  operation: gitBranch,
  toInput: ({ new_name: to, ...words }) => ({ directory: '.', action: branchAction({ ...words, to }) }),
  render: ({ current, branches }) => ({
    success: true,
    current: current ?? null,
    branches: branches.map(({ name }) => name),
  }),
});
