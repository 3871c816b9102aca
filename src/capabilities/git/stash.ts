/** `git.stash`: changes are put away, and brought back. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import type { Access } from '../../policy/access.ts';
import { defineOperation, type ScopedRepository } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { changeGit } from './change-git.ts';
import { gitFailure, readGit } from './read-git.ts';
import { readStatus } from './read-status.ts';
import { refuseFiltered } from './staging.ts';

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('list') }),
  z.strictObject({ do: z.literal('push'), message: z.string().optional(), includeUntracked: z.boolean() }),
  z.strictObject({ do: z.enum(['pop', 'apply', 'drop']), index: z.int().min(0).max(100_000) }),
]);
type Action = z.infer<typeof action>;

interface StashWords {
  readonly action: Action['do'];
  readonly index?: number | undefined;
  readonly message?: string | undefined;
  readonly includeUntracked?: boolean | undefined;
}

/** The action that a caller means. */
export function stashAction({ action, index = 0, message, includeUntracked = false }: StashWords): Action {
  if (action === 'list') return { do: 'list' };
  return action === 'push' ? { do: 'push', message, includeUntracked } : { do: action, index };
}

const stash = z.strictObject({
  index: z.int(),
  commit: z.string(),
  at: z.string().describe('ISO 8601'),
  message: z.string(),
});

export const gitStash = defineOperation({
  name: 'git.stash',
  summary: 'Puts changes away, lists what was put away, brings it back or drops it.',
  input: z.strictObject({ directory: workspacePathSchema.describe('The repository'), action }),
  output: z.strictObject({
    stashes: z.array(stash).describe('As they are afterwards'),
    conflicts: z
      .array(workspacePathSchema)
      .describe('Files in which what was brought back conflicts; the stash is kept'),
  }),
  permissions: ['fs.read', 'git.write'],
  effect: 'exec',
  isCaptured: ({ action }) => action.do !== 'list',
  access: ({ directory, action }): Access[] => [
    { permission: 'fs.read', resource: directory, isTree: true },
    ...(action.do === 'list' ? [] : [{ permission: 'git.write', resource: `stash ${action.do}` } as const]),
  ],
  preview: async ({ action }) => ({ kind: 'text', text: describe(action) }),
  async run({ directory, action }, { git }) {
    using repository = await git.open(directory);
    if (action.do === 'push') await putAway(repository, action);
    const conflicts = action.do === 'push' || action.do === 'list' ? [] : await bringBack(repository, action);
    return {
      stashes: await list(repository),
      conflicts: conflicts.map((path) => pathIn(repository.path, path)),
    };
  },
});

function describe(action: Action): string {
  return ['git stash', action.do, ...('index' in action ? [`stash@{${action.index}}`] : [])].join(' ');
}

async function list(repository: ScopedRepository): Promise<z.infer<typeof stash>[]> {
  const output = await readGit(repository, {
    words: ['stash', 'list', '--format=%gd%x00%H%x00%cI%x00%gs%x00'],
  });
  const fields = output.toString().split('\0');
  const stashes: z.infer<typeof stash>[] = [];
  for (let at = 0; at + 4 < fields.length; at += 4) {
    const [name = '', commit = '', time = '', message = ''] = fields.slice(at, at + 4);
    stashes.push({ index: Number(/\{(\d+)\}/.exec(name)?.[1] ?? 0), commit, at: time, message });
  }
  return stashes;
}

async function putAway(repository: ScopedRepository, action: Extract<Action, { do: 'push' }>): Promise<void> {
  await refuseSubmodules(repository);
  const { entries } = await readStatus(repository, { everyFile: true });
  const isMeant = (kind: string): boolean => kind !== 'untracked' || action.includeUntracked;
  const paths = entries.filter(({ kind }) => isMeant(kind)).map(({ path }) => path);
  if (paths.length === 0) throw new Failure('E_GIT', 'There are no changes to put away.');
  await refuseFiltered(repository, paths);
  const words = [
    'stash',
    'push',
    '--quiet',
    ...(action.includeUntracked ? ['--include-untracked'] : []),
    ...(action.message === undefined ? [] : [`--message=${action.message}`]),
  ];
  await changeGit(repository, [{ words }], { command: describe(action) });
}

/** Git would start another git in each, by the submodule's own rules. */
async function refuseSubmodules(repository: ScopedRepository): Promise<void> {
  const output = await readGit(repository, { words: ['ls-files', '--stage', '-z'] });
  if (
    !output
      .toString()
      .split('\0')
      .some((item) => item.startsWith('160000 '))
  )
    return;
  throw new Failure('E_UNSUPPORTED', 'Changes in a repository with submodules are not put away.', {
    hint: 'Commit them to a branch instead.',
  });
}

async function bringBack(
  repository: ScopedRepository,
  action: Extract<Action, { index: number }>,
): Promise<string[]> {
  const name = `stash@{${action.index}}`;
  const stashes = await list(repository);
  if (!stashes.some(({ index }) => index === action.index))
    throw new Failure('E_INVALID_REF', `There is no ${name}.`);
  if (action.do !== 'drop') {
    const output = await readGit(repository, {
      words: ['diff', '--name-only', '-z', '--no-renames'],
      revisions: [`${name}^1`, name],
      paths: [],
    });
    await refuseFiltered(repository, output.toString().split('\0').filter(Boolean));
  }
  const output = await repository.change([{ words: ['stash', action.do, '--quiet'], revisions: [name] }], {
    command: describe(action),
  });
  if (output.exitCode === 0) return [];
  const { entries } = await readStatus(repository);
  const unmerged = entries.filter(({ kind }) => kind === 'unmerged').map(({ path }) => path);
  if (unmerged.length === 0) throw gitFailure(output);
  return unmerged;
}
