/** Secrets in what is about to be committed: told by the file and the line, never by themselves. */
import type { ScopedRepository } from '../../runtime/operation.ts';
import { DIFF_OPTIONS } from './diff.ts';
import { diffSections } from './diff-sections.ts';
import type { StatusEntry } from './parse-status.ts';
import { readGit } from './read-git.ts';

export interface FoundSecret {
  readonly path: string;
  /** Absent where the file is one by its name. */
  readonly line?: number;
}

/** New files are looked at up to this size. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** What the commit would add: what is staged already, and the entries that will be. */
export async function findSecrets(
  repository: ScopedRepository,
  staged: readonly StatusEntry[],
  entries: readonly StatusEntry[],
): Promise<FoundSecret[]> {
  const isThere = ({ index, workTree, submodule }: StatusEntry): boolean =>
    index !== 'D' && workTree !== 'D' && submodule === undefined;
  const paths = [...staged, ...entries].filter(isThere).map(({ path }) => path);
  const found: FoundSecret[] = [...new Set(paths)]
    .filter((path) => repository.isSensitive(path))
    .map((path) => ({ path }));
  const tracked = entries.filter(({ kind }) => kind !== 'untracked').map(({ path }) => path);
  if (staged.length > 0) found.push(...(await inDiff(repository, ['--cached'], [])));
  if (tracked.length > 0) found.push(...(await inDiff(repository, ['--ignore-submodules=dirty'], tracked)));
  for (const { path } of entries.filter(({ kind }) => kind === 'untracked')) {
    const content = await repository.readFile(path, MAX_FILE_BYTES);
    const lines = content === undefined ? [] : repository.secretLines(content.toString());
    found.push(...lines.map((line) => ({ path, line })));
  }
  return found;
}

async function inDiff(
  repository: ScopedRepository,
  options: readonly string[],
  paths: readonly string[],
): Promise<FoundSecret[]> {
  const output = await readGit(repository, {
    words: ['diff', '--patch', '--unified=0', ...options, ...DIFF_OPTIONS],
    paths,
  });
  return diffSections(output.toString()).flatMap(({ path, text }) =>
    addedRuns(text).flatMap(({ first, added }) =>
      repository.secretLines(added).map((line) => ({ path, line: first + line - 1 })),
    ),
  );
}

/** Lines that were added one after another, and where the first of them is. */
function addedRuns(section: string): { first: number; added: string }[] {
  const runs: { first: number; added: string }[] = [];
  for (const hunk of section.split(/\n(?=@@ )/).slice(1)) {
    const [head = '', ...lines] = hunk.split('\n');
    const first = Number(/^@@ -\S+ \+(\d+)/.exec(head)?.[1] ?? 1);
    const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
    runs.push({ first, added: added.join('\n') });
  }
  return runs;
}
