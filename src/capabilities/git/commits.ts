/** Commits as data: how git is asked for them, and how its answer is read. */
import { z } from 'zod';

const person = z.strictObject({ name: z.string(), email: z.string() });

export const commitSchema = z.strictObject({
  id: z.string(),
  parents: z.array(z.string()),
  author: person,
  authoredAt: z.string().describe('ISO 8601'),
  committer: person,
  committedAt: z.string().describe('ISO 8601'),
  refs: z.array(z.string()).describe('Branches and tags that lead to it'),
  subject: z.string(),
  body: z.string(),
});
export type Commit = z.infer<typeof commitSchema>;

const FIELDS = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%D', '%s', '%b'];

/** The options that make git write commits this way, each field with a NUL behind it. */
export const COMMIT_OPTIONS = [
  `--format=${FIELDS.map((field) => `${field}%x00`).join('')}`,
  '--decorate=full',
  '--encoding=UTF-8',
  '--no-show-signature',
];

/** The commits of an answer. */
export function parseCommits(output: Buffer): Commit[] {
  const fields = output.toString().split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS.length < fields.length; at += FIELDS.length)
    commits.push(toCommit(fields.slice(at, at + FIELDS.length)));
  return commits;
}

/** A single commit, and what stands behind it. */
export function parseCommit(output: Buffer): { commit: Commit; rest: string } {
  const fields = output.toString().split('\0');
  const rest = fields.slice(FIELDS.length).join('\0').replace(/^\n+/, '');
  return { commit: toCommit(fields.slice(0, FIELDS.length)), rest };
}

function toCommit(fields: readonly string[]): Commit {
  const [id, parents, name, email, authoredAt, committer, address, committedAt, refs, subject, body] =
    fields as [string, string, string, string, string, string, string, string, string, string, string];
  return {
    // A line break stands between two of them.
    id: id.trim(),
    parents: parents.split(' ').filter(Boolean),
    author: { name, email },
    authoredAt,
    committer: { name: committer, email: address },
    committedAt,
    refs: refs.split(', ').filter(Boolean).flatMap(shortRef),
    subject,
    body: body.replace(/\n+$/, ''),
  };
}

/** `HEAD -> refs/heads/main` is two names. */
function shortRef(written: string): string[] {
  return written.split(' -> ').map((name) => name.replace(/^(?:tag: )?refs\/(?:heads|tags|remotes)\//, ''));
}
