/** `git.branch`: branches are listed, made, checked out, renamed and deleted. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { GitStep } from '../../host/ports.ts';
import { defineOperation, type ScopedRepository } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { type BranchChange, branchActionSchema, branchAccesses, describeAction } from './branch-action.ts';
import { type Branch, branchSchema, listBranches } from './branches.ts';
import { changeGit } from './change-git.ts';
import { readGit } from './read-git.ts';
import { checkBranchName, revision } from './revision.ts';
import { refuseFiltered } from './staging.ts';

export const gitBranch = defineOperation({
  name: 'git.branch',
  summary: 'Lists, makes, checks out, renames and deletes branches.',
  input: z.strictObject({
    directory: workspacePathSchema.describe('The repository'),
    action: branchActionSchema,
  }),
  output: z.strictObject({ current: z.string().optional(), branches: z.array(branchSchema) }),
  permissions: ['fs.read', 'git.write'],
  effect: 'exec',
  isCaptured: ({ action }) => action.do !== 'list',
  access: ({ directory, action }) => [
    { permission: 'fs.read', resource: directory },
    ...branchAccesses(action),
  ],
  preview: async ({ action }) => ({ kind: 'text', text: describeAction(action) }),
  async run({ directory, action }, { git }) {
    using repository = await git.open(directory);
    const before = await listBranches(repository);
    if (action.do === 'list') return found(before);
    await check(repository, action, before);
    const runs = steps(repository, action, before);
    if (runs.length === 0) return found(before);
    await changeGit(repository, runs, {
      command: describeAction(action),
      opensConfig: hasSettings(repository, action),
    });
    return found(await listBranches(repository));
  },
});

function found(branches: Branch[]): { current?: string; branches: Branch[] } {
  const current = branches.find(({ isCurrent }) => isCurrent)?.name;
  return { ...(current === undefined ? {} : { current }), branches };
}

async function check(
  repository: ScopedRepository,
  action: BranchChange,
  before: readonly Branch[],
): Promise<void> {
  await checkBranchName(repository, action.do === 'rename' ? action.to : action.name);
  const known = before.find(({ name }) => name === action.name);
  if (action.do === 'create') return;
  if (known === undefined)
    throw new Failure('E_INVALID_REF', `There is no branch ${JSON.stringify(action.name)}.`);
  // Git itself would look for the work tree that ours stands in for.
  if (known.isElsewhere && action.do !== 'switch')
    throw new Failure(
      'E_CONFLICT',
      `The branch ${JSON.stringify(action.name)} is checked out in another work tree.`,
    );
  if (action.do === 'delete' && known.isCurrent)
    throw new Failure('E_CONFLICT', `The branch ${JSON.stringify(action.name)} is checked out.`, {
      hint: 'Switch to another branch first.',
    });
  if (action.do === 'switch' && !known.isCurrent) {
    const output = await readGit(repository, {
      words: ['diff', '--name-only', '-z', '--no-renames'],
      revisions: [revision('HEAD'), known.commit],
      paths: [],
    });
    await refuseFiltered(repository, output.toString().split('\0').filter(Boolean));
  }
}

function steps(repository: ScopedRepository, action: BranchChange, before: readonly Branch[]): GitStep[] {
  const isCurrent = before.some((branch) => branch.isCurrent && branch.name === action.name);
  const sections = { isOfSettings: true, words: ['config'] };
  switch (action.do) {
    case 'create':
      return [
        { words: ['branch', '--no-track'], revisions: [action.name, revision(action.start ?? 'HEAD')] },
      ];
    case 'switch':
      return isCurrent ? [] : [{ words: ['switch', '--quiet', '--no-guess'], revisions: [action.name] }];
    case 'delete':
      return [
        { words: ['branch', '--quiet', action.force ? '-D' : '-d'], revisions: [action.name] },
        ...(hasSettings(repository, action)
          ? [{ ...sections, words: ['config', '--remove-section', `branch.${action.name}`] }]
          : []),
      ];
    default:
      return [
        { words: ['branch', '-m'], revisions: [action.name, action.to] },
        // The work tree is not known as one to what stands in for the repository.
        ...(isCurrent ? [{ words: ['symbolic-ref', 'HEAD', `refs/heads/${action.to}`] }] : []),
        ...(hasSettings(repository, action)
          ? [
              {
                ...sections,
                words: ['config', '--rename-section', `branch.${action.name}`, `branch.${action.to}`],
              },
            ]
          : []),
      ];
  }
}

/** Whether the settings of the repository have something about the branch that would be left behind. */
function hasSettings({ settings }: ScopedRepository, action: BranchChange): boolean {
  if (action.do !== 'delete' && action.do !== 'rename') return false;
  const section = `branch.${action.name}.`;
  return [...settings.keys()].some(
    (name) => name.startsWith(section) && !name.slice(section.length).includes('.'),
  );
}
