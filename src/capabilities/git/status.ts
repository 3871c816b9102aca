/** `git.status`: the branch, what is under way, and every entry that is not as it was committed. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { pathIn } from '../../host/workspace-path.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import type { ChangeLetter, StatusEntry } from './parse-status.ts';
import { readStatus } from './read-status.ts';

const change = z.enum(['modified', 'type-changed', 'added', 'deleted', 'renamed', 'copied', 'unmerged']);
type Change = z.infer<typeof change>;

export const statusEntry = z.strictObject({
  path: workspacePathSchema,
  from: workspacePathSchema.optional().describe('The old name of a rename'),
  staged: change.optional().describe('What the next commit has of it'),
  unstaged: change.optional().describe('What it does not have yet'),
  isUntracked: z.literal(true).optional(),
  conflict: z
    .string()
    .optional()
    .describe('Two letters, ours and theirs: UU both changed it, AA both added it …'),
  submodule: z
    .strictObject({ hasOtherCommit: z.boolean(), isModified: z.boolean(), hasUntracked: z.boolean() })
    .optional(),
});

export const gitStatus = defineOperation({
  name: 'git.status',
  summary: 'Says on which branch a repository is, and what in it is not committed.',
  input: z.strictObject({ path: workspacePathSchema.describe('The repository, or a part of it') }),
  output: z.strictObject({
    repository: workspacePathSchema.describe('Where its files are'),
    branch: z.string().optional().describe('Absent where HEAD is no branch'),
    commit: z.string().optional().describe('Absent before the first one'),
    upstream: z.string().optional(),
    ahead: z.int().optional(),
    behind: z.int().optional(),
    stashes: z.int(),
    underWay: z.enum(['merge', 'rebase', 'apply', 'cherry-pick', 'revert', 'bisect']).optional(),
    isLinkedWorktree: z.boolean(),
    entries: z.array(statusEntry),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path }, { git }) {
    using repository = await git.open(path);
    const { entries, ...head } = await readStatus(repository, pathsOf(repository.scope));
    return {
      ...head,
      repository: repository.path,
      underWay: repository.underWay,
      isLinkedWorktree: repository.isLinked,
      entries: entries
        .filter((entry) => repository.mayName(entry.path))
        .map((entry) => describe(entry, repository.path)),
    };
  },
});

/** A limit to a part of a repository, where one was asked for. */
export function pathsOf(scope: string): { paths?: string[] } {
  return scope === '.' ? {} : { paths: [scope] };
}

const CHANGES: Readonly<Partial<Record<ChangeLetter, Change>>> = {
  M: 'modified',
  T: 'type-changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  U: 'unmerged',
};

function describe(entry: StatusEntry, folder: string): z.infer<typeof statusEntry> {
  const { kind, index, workTree, submodule } = entry;
  const path = pathIn(folder, entry.path);
  if (kind === 'untracked' || kind === 'ignored') return { path, isUntracked: true };
  if (kind === 'unmerged') return { path, conflict: index + workTree };
  return {
    path,
    ...(entry.from === undefined ? {} : { from: pathIn(folder, entry.from) }),
    ...(index === '.' ? {} : { staged: CHANGES[index] }),
    ...(workTree === '.' ? {} : { unstaged: CHANGES[workTree] }),
    ...(submodule === undefined ? {} : { submodule }),
  };
}
