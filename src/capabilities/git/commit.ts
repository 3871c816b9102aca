/** `git.commit`: what is staged, after staging what is named, as a commit on the branch that is checked out. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import type { Access } from '../../policy/access.ts';
import { defineOperation, type OperationContext, type ScopedRepository } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { changeGit } from './change-git.ts';
import { findSecrets } from './find-secrets.ts';
import type { StatusEntry } from './parse-status.ts';
import { openFor, planStaging, refuseFiltered, type Staging, stagingStep } from './staging.ts';

const input = z.strictObject({
  message: z.string().min(1),
  directory: workspacePathSchema.describe('The repository'),
  paths: z
    .array(workspacePathSchema)
    .max(1_000)
    .describe('What is staged first; none: what is staged already'),
  mayHoldSecrets: z.boolean().describe('A person is asked whether secrets may be committed'),
});
type Input = z.infer<typeof input>;

export const gitCommit = defineOperation({
  name: 'git.commit',
  summary: 'Commits what is staged, after staging the paths that are named.',
  input,
  output: z.strictObject({
    commit: z.string(),
    branch: z.string().optional(),
    files: z.array(workspacePathSchema),
    leftOut: z
      .array(workspacePathSchema)
      .describe('Repositories, and files that may not be read without a question'),
  }),
  permissions: ['fs.read', 'git.write'],
  effect: 'exec',
  isCaptured: () => true,
  access: ({ directory, paths, mayHoldSecrets }): Access[] => [
    { permission: 'fs.read', resource: directory },
    ...paths.map((resource): Access => ({ permission: 'fs.read', resource, isTree: true })),
    { permission: 'git.write', resource: 'branch:HEAD', branchOf: directory },
    { permission: 'git.write', resource: 'commit' },
    ...(mayHoldSecrets ? [{ permission: 'git.write', resource: 'secrets' } as const] : []),
  ],
  async preview(input, context) {
    const { repository, staging, staged } = await plan(input, context);
    using _ = repository;
    return { kind: 'text', text: describe(input, staging, staged) };
  },
  async run(input, context) {
    const { repository: opened, staging, staged } = await plan(input, context);
    using repository = opened;
    const { entries, status, leftOut } = staging;
    const id = await changeGit(
      repository,
      [
        ...(entries.length === 0 ? [] : [stagingStep(entries)]),
        { words: ['commit', '--quiet', '--file=-', '--cleanup=whitespace'], stdin: input.message },
        { words: ['rev-parse', 'HEAD'] },
      ],
      { command: 'git commit' },
    );
    const place = (path: string): string => pathIn(repository.path, path);
    const files = new Set([...staged, ...entries].map(({ path }) => place(path)));
    return {
      commit: id.trim().split('\n').at(-1)!,
      branch: status.branch,
      files: [...files].sort(),
      leftOut: leftOut.map(place),
    };
  },
});

interface Plan {
  readonly repository: ScopedRepository;
  readonly staging: Staging;
  readonly staged: readonly StatusEntry[];
}

/** What would be committed; a failure where nothing would be, or not this. */
async function plan(input: Input, { git }: OperationContext): Promise<Plan> {
  const { repository, scopes } = await openFor(git, [input.directory, ...input.paths]);
  try {
    const staging = await planStaging(repository, scopes.slice(1));
    const staged = staging.status.entries.filter(({ kind, index }) => kind === 'changed' && index !== '.');
    const names = staging.entries.map(({ path }) => path);
    refuseEmpty(repository, staging, staged);
    refuseUnmerged(staging);
    await refuseFiltered(repository, names);
    await refuseSecrets(repository, input, staging, staged);
    return { repository, staging, staged };
  } catch (error) {
    repository[Symbol.dispose]();
    throw error;
  }
}

function refuseEmpty(
  repository: ScopedRepository,
  { entries, leftOut }: Staging,
  staged: readonly StatusEntry[],
): void {
  // A merge is concluded by a commit that may have no changes of its own.
  if (entries.length > 0 || staged.length > 0 || repository.underWay === 'merge') return;
  throw new Failure('E_GIT', 'There is nothing to commit.', {
    hint: 'Name the files to commit, or stage them first.',
    ...(leftOut.length === 0 ? {} : { details: { left_out: leftOut } }),
  });
}

function refuseUnmerged({ status, entries }: Staging): void {
  const named = new Set(entries.map(({ path }) => path));
  const left = status.entries.filter(({ kind, path }) => kind === 'unmerged' && !named.has(path));
  if (left.length === 0) return;
  throw new Failure('E_CONFLICT', `Not all conflicts are resolved: ${shownPaths(left)}.`, {
    hint: 'Resolve them in the files, then name these among the paths to commit.',
  });
}

async function refuseSecrets(
  repository: ScopedRepository,
  { mayHoldSecrets }: Input,
  { entries }: Staging,
  staged: readonly StatusEntry[],
): Promise<void> {
  if (mayHoldSecrets || repository.isAllowed('secrets')) return;
  const found = await findSecrets(repository, staged, entries);
  if (found.length === 0) return;
  const places = found.map(
    ({ path, line }) => pathIn(repository.path, path) + (line === undefined ? '' : `:${line}`),
  );
  throw new Failure(
    'E_POLICY_DENIED',
    `The commit would hold what looks like a secret: ${places.slice(0, MAX_SHOWN).join(', ')}.`,
    {
      hint: 'Nothing was changed. Take it out or ignore the file; or ask a person to let it pass.',
      details: { rule: 'secrets', places: places.slice(0, MAX_PLACES) },
    },
  );
}

const MAX_SHOWN = 5;
const MAX_PLACES = 100;

function shownPaths(entries: readonly StatusEntry[]): string {
  return entries
    .slice(0, MAX_SHOWN)
    .map(({ path }) => JSON.stringify(path))
    .join(', ');
}

function describe(
  { message }: Input,
  { status, entries, leftOut }: Staging,
  staged: readonly StatusEntry[],
): string {
  const files = new Set([...staged, ...entries].map(({ path }) => path));
  return [
    `commit to ${status.branch ?? 'no branch (HEAD is detached)'}`,
    ...message.split('\n').map((line) => `  ${line}`),
    ...[...files].sort().map((path) => `+ ${path}`),
    ...leftOut.map((path) => `left out: ${path}`),
  ].join('\n');
}
