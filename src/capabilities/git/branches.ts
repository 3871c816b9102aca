/** The branches of a repository. */
import { z } from 'zod';
import type { ScopedRepository } from '../../runtime/operation.ts';
import { readGit } from './read-git.ts';

export const branchSchema = z.strictObject({
  name: z.string(),
  commit: z.string(),
  subject: z.string(),
  isCurrent: z.boolean(),
  upstream: z.string().optional(),
  track: z.string().optional().describe('How far it is ahead or behind, as git says it'),
  isElsewhere: z.boolean().describe('Whether another work tree has it checked out'),
});
export type Branch = z.infer<typeof branchSchema>;

const FORMAT = [
  '%(refname)',
  '%(objectname)',
  '%(HEAD)',
  '%(upstream:short)',
  '%(upstream:track,nobracket)',
  '%(worktreepath)',
  '%(contents:subject)',
].join('%00');

export async function listBranches(repository: ScopedRepository): Promise<Branch[]> {
  const output = await readGit(repository, {
    words: ['for-each-ref', `--format=${FORMAT}%00`],
    revisions: ['refs/heads'],
  });
  const fields = output.toString().split('\0');
  const branches: Branch[] = [];
  for (let at = 0; at + 7 < fields.length; at += 7) branches.push(toBranch(fields.slice(at, at + 7)));
  return branches;
}

function toBranch(fields: readonly string[]): Branch {
  const [ref, commit, head, upstream, track, workTree, subject] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const isCurrent = head === '*';
  return {
    name: ref.trim().replace(/^refs\/heads\//, ''),
    commit,
    subject,
    isCurrent,
    ...(upstream === '' ? {} : { upstream }),
    ...(track === '' ? {} : { track }),
    isElsewhere: !isCurrent && workTree !== '',
  };
}
