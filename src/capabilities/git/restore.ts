/** `git.restore`: files as they were staged or committed, or no longer staged. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import type { Access } from '../../policy/access.ts';
import { defineOperation, type OperationContext, type ScopedRepository } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { changeGit } from './change-git.ts';
import { DIFF_OPTIONS } from './diff.ts';
import { readGit } from './read-git.ts';
import { revision } from './revision.ts';
import { openFor, refuseFiltered } from './staging.ts';

const input = z.strictObject({
  paths: z.array(workspacePathSchema).min(1).max(1_000),
  isStaged: z.boolean().describe('What is staged is taken back, and files stay as they are'),
  ref: z.string().optional().describe('A commit; by default what is staged, or for that the last commit'),
});
type Input = z.infer<typeof input>;

export const gitRestore = defineOperation({
  name: 'git.restore',
  summary: 'Gives files the content they had, or takes them from what is staged.',
  input,
  output: z.strictObject({ restored: z.array(workspacePathSchema) }),
  permissions: ['fs.read', 'fs.write', 'git.write'],
  effect: 'exec',
  isCaptured: () => true,
  access: ({ paths, isStaged }) => [
    ...paths.map((resource): Access => ({ permission: 'fs.read', resource, isTree: true })),
    ...(isStaged
      ? []
      : paths.map((resource): Access => ({ permission: 'fs.write', resource, isTree: true }))),
    { permission: 'git.write', resource: 'restore' },
  ],
  async preview(input, context) {
    const { repository, differing } = await plan(input, context);
    using _ = repository;
    const what = input.isStaged ? 'no longer staged' : `as in ${input.ref ?? 'what is staged'}`;
    return { kind: 'text', text: [`${what}:`, ...differing.map((path) => `  ${path}`)].join('\n') };
  },
  async run(input, context) {
    const { repository: opened, differing } = await plan(input, context);
    using repository = opened;
    if (differing.length === 0)
      throw new Failure('E_GIT', 'There is nothing to restore: the files are as they were.');
    if (!input.isStaged) await refuseFiltered(repository, differing);
    const words = [
      'restore',
      ...(input.isStaged ? ['--staged'] : ['--worktree']),
      ...(input.ref === undefined ? [] : [`--source=${revision(input.ref)}`]),
      '--pathspec-from-file=-',
      '--pathspec-file-nul',
    ];
    const stdin = differing.map((path) => `${path}\0`).join('');
    await changeGit(repository, [{ words, stdin }], { command: `git restore ${differing.length} files` });
    return { restored: differing.map((path) => pathIn(repository.path, path)) };
  },
});

/** The files that would change. */
async function plan(
  { paths, isStaged, ref }: Input,
  { git }: OperationContext,
): Promise<{ repository: ScopedRepository; differing: string[] }> {
  const { repository, scopes } = await openFor(git, paths);
  try {
    const output = await readGit(repository, {
      words: [
        'diff',
        '--name-only',
        '-z',
        '--no-renames',
        '--ignore-submodules=all',
        ...DIFF_OPTIONS,
        ...(isStaged ? ['--cached'] : []),
      ],
      revisions: ref === undefined ? [] : [revision(ref)],
      paths: scopes,
    });
    const differing = [...new Set(output.toString().split('\0').filter(Boolean))];
    return { repository, differing };
  } catch (error) {
    repository[Symbol.dispose]();
    throw error;
  }
}
