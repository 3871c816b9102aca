/** `git.show`: a commit with what it changed, or a file as it was then. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type ScopedRepository } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { COMMIT_OPTIONS, commitSchema, parseCommit } from './commits.ts';
import { DIFF_OPTIONS, shown, shownDiff } from './diff.ts';
import { diffSections } from './diff-sections.ts';
import { gitFailure, readGit } from './read-git.ts';
import { revision } from './revision.ts';
import { pathsOf } from './status.ts';

export const gitShow = defineOperation({
  name: 'git.show',
  summary: 'Shows a commit with its changes, or a file as it was in one.',
  input: z.strictObject({
    path: workspacePathSchema.describe('The repository, or the part of it that is shown'),
    ref: z.string().describe('A commit'),
    isContent: z.boolean().describe('The file itself instead of what was changed in it'),
    maxBytes: z.int().min(1).describe('A larger answer is a failure'),
  }),
  output: z.strictObject({
    commit: commitSchema,
    ...shownDiff.shape,
    content: z.string().optional(),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path, isContent }) => [
    { permission: 'fs.read', resource: path, ...(isContent ? {} : { isTree: true }) },
  ],
  async run({ path, ref, isContent, maxBytes }, { git }) {
    using repository = await git.open(path);
    const output = await readGit(
      repository,
      {
        words: ['show', ...COMMIT_OPTIONS, ...(isContent ? ['--no-patch'] : ['--patch', ...DIFF_OPTIONS])],
        revisions: [revision(ref)],
        paths: isContent ? [] : (pathsOf(repository.scope).paths ?? []),
      },
      maxBytes,
    );
    const { commit, rest } = parseCommit(output);
    if (!isContent) return { commit, ...shown(repository, diffSections(rest)) };
    const content = await contentOf(repository, commit.id, maxBytes);
    return { commit, diff: '', files: [], leftOut: [], content };
  },
});

async function contentOf(repository: ScopedRepository, id: string, maxBytes: number): Promise<string> {
  const { scope } = repository;
  const output = await repository.read(
    { words: ['cat-file', 'blob'], revisions: [`${id}:${scope}`] },
    maxBytes,
  );
  if (output.exitCode !== 0 && /does not exist|exists on disk|bad file/.test(output.stderr))
    throw new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(scope)} in that commit.`);
  if (output.exitCode !== 0) throw gitFailure(output);
  if (output.isCut)
    throw new Failure(
      'E_TOO_LARGE',
      `The file has ${output.bytes} bytes, more than the ${maxBytes} that are taken.`,
    );
  if (output.stdout.includes(0)) throw new Failure('E_ENCODING', 'The file is no text.');
  return output.stdout.toString();
}
