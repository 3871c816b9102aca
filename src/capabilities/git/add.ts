/** `git.add`: what the next commit will have. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { changeGit } from './change-git.ts';
import { openFor, planStaging, refuseFiltered, stagingStep } from './staging.ts';

export const gitAdd = defineOperation({
  name: 'git.add',
  summary: 'Stages changed, new and deleted files.',
  input: z.strictObject({ paths: z.array(workspacePathSchema).min(1).max(1_000) }),
  output: z.strictObject({
    staged: z.array(workspacePathSchema),
    leftOut: z
      .array(workspacePathSchema)
      .describe('Repositories, and files that may not be read without a question'),
  }),
  permissions: ['fs.read', 'git.write'],
  effect: 'exec',
  isCaptured: () => true,
  access: ({ paths }) => [
    ...paths.map((resource) => ({ permission: 'fs.read', resource, isTree: true }) as const),
    { permission: 'git.write', resource: 'add' },
  ],
  async run({ paths }, { git }) {
    const opened = await openFor(git, paths);
    using repository = opened.repository;
    const { entries, leftOut } = await planStaging(repository, opened.scopes);
    const place = (path: string): string => pathIn(repository.path, path);
    if (entries.length === 0)
      throw new Failure('E_GIT', 'There is nothing to stage.', {
        hint: 'The paths are unchanged, ignored, or not there.',
        details: { left_out: leftOut.map(place) },
      });
    const names = entries.map(({ path }) => path);
    await refuseFiltered(repository, names);
    await changeGit(repository, [stagingStep(entries)], { command: `git add ${names.length} files` });
    return { staged: names.map(place), leftOut: leftOut.map(place) };
  },
});
