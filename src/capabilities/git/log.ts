/** `git.log`: the last commits, of all files or of one path. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { COMMIT_OPTIONS, commitSchema, parseCommits } from './commits.ts';
import { answerOf, MAX_BYTES } from './read-git.ts';
import { revision } from './revision.ts';
import { pathsOf } from './status.ts';

export const gitLog = defineOperation({
  name: 'git.log',
  summary: 'Lists commits, the newest first.',
  input: z.strictObject({
    path: workspacePathSchema.describe('The repository, or the part of it that the commits changed'),
    ref: z.string().optional().describe('Where to start; HEAD by default'),
    limit: z.int().min(1).max(10_000),
    skip: z.int().min(0).describe('How many to pass over'),
  }),
  output: z.strictObject({ commits: z.array(commitSchema), hasMore: z.boolean() }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, ref, limit, skip }, { git }) {
    using repository = await git.open(path);
    const output = await repository.read(
      {
        words: ['log', ...COMMIT_OPTIONS, '--no-patch', `--max-count=${limit + 1}`, `--skip=${skip}`],
        revisions: ref === undefined ? [] : [revision(ref)],
        paths: pathsOf(repository.scope).paths ?? [],
      },
      MAX_BYTES,
    );
    if (ref === undefined && output.stderr.includes('does not have any commits yet'))
      return { commits: [], hasMore: false };
    const commits = parseCommits(answerOf(output, MAX_BYTES));
    return { commits: commits.slice(0, limit), hasMore: commits.length > limit };
  },
});
