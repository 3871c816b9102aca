/** `git.blame`: which commit each line of a file comes from. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { gitFailure } from './read-git.ts';
import { revision } from './revision.ts';

const MAX_BYTES = 64 * 1024 * 1024;

const blamedLine = z.strictObject({
  line: z.int().describe('Counted from 1'),
  commit: z.string().describe('All zeros where it is not committed yet'),
  originalLine: z.int(),
  text: z.string(),
});
const blamedCommit = z.strictObject({
  id: z.string(),
  author: z.string(),
  email: z.string(),
  authoredAt: z.string().describe('ISO 8601'),
  summary: z.string(),
  path: z.string().describe('What the file was called then, from the folder of the repository'),
});

export const gitBlame = defineOperation({
  name: 'git.blame',
  summary: 'Says for each line of a file which commit it comes from.',
  input: z.strictObject({
    path: workspacePathSchema,
    ref: z.string().optional().describe('A commit; the work tree by default'),
    lines: z.strictObject({ from: z.int().min(1), to: z.int().min(1).optional() }).optional(),
  }),
  output: z.strictObject({
    path: workspacePathSchema,
    lines: z.array(blamedLine),
    commits: z.array(blamedCommit),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, ref, lines }, { git }) {
    using repository = await git.open(path);
    const output = await repository.read(
      {
        words: [
          'blame',
          '--porcelain',
          '--encoding=UTF-8',
          ...(lines === undefined ? [] : ['-L', `${lines.from},${lines.to ?? ''}`]),
        ],
        revisions: ref === undefined ? [] : [revision(ref)],
        paths: [repository.scope],
      },
      MAX_BYTES,
    );
    if (output.exitCode !== 0) throw whyNot(output.stderr, path) ?? gitFailure(output);
    return { path, ...parseBlame(output.stdout.toString()) };
  },
});

function whyNot(said: string, path: string): Failure | undefined {
  if (/no such path|cannot stat|No such ref: HEAD/.test(said))
    return new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(path)} that was ever committed.`);
  const [, lines] = /has only (\d+) lines?/.exec(said) ?? [];
  if (lines !== undefined)
    return new Failure('E_INVALID_ARGS', `${JSON.stringify(path)} has only ${lines} lines.`);
  return undefined;
}

/** Each line has a head, what is new about its commit, and its text behind a tab. */
function parseBlame(output: string): {
  lines: z.infer<typeof blamedLine>[];
  commits: z.infer<typeof blamedCommit>[];
} {
  const lines: z.infer<typeof blamedLine>[] = [];
  const commits = new Map<string, Map<string, string>>();
  let head = { commit: '', originalLine: 0, line: 0 };
  for (const row of output.split('\n')) {
    const [, id, original, final] = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(row) ?? [];
    if (row.startsWith('\t')) lines.push({ ...head, text: row.slice(1) });
    else if (id !== undefined) {
      head = { commit: id, originalLine: Number(original), line: Number(final) };
      if (!commits.has(id)) commits.set(id, new Map());
    } else {
      const space = row.indexOf(' ');
      const known = commits.get(head.commit);
      const name = space === -1 ? row : row.slice(0, space);
      if (known?.has(name) === false) known.set(name, space === -1 ? '' : row.slice(space + 1));
    }
  }
  return { lines, commits: [...commits].map(([id, said]) => toCommit(id, said)) };
}

function toCommit(id: string, said: ReadonlyMap<string, string>): z.infer<typeof blamedCommit> {
  return {
    id,
    author: said.get('author') ?? '',
    email: (said.get('author-mail') ?? '').replace(/^<|>$/g, ''),
    authoredAt: new Date(Number(said.get('author-time') ?? 0) * 1_000).toISOString(),
    summary: said.get('summary') ?? '',
    path: said.get('filename') ?? '',
  };
}
