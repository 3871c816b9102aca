/** Files with changes that are not committed, which a patch should not be mixed with. */
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import type { ScopedGit, ScopedRepository } from '../../runtime/operation.ts';
import { readStatus } from './read-status.ts';

/** Those among the given paths, or where the whole tree counts, all in their repositories; none where there is no repository. */
export async function uncommitted(
  git: ScopedGit,
  paths: readonly string[],
  extent: 'touched' | 'whole',
): Promise<string[]> {
  const asked = new Map<string, { repository: ScopedRepository; scopes: string[] }>();
  using opened = new DisposableStack();
  for (const path of paths) {
    const repository = await openIfThere(git, path);
    if (repository === undefined) continue;
    opened.use(repository);
    const known = asked.get(repository.path);
    if (known === undefined) asked.set(repository.path, { repository, scopes: [repository.scope] });
    else known.scopes.push(repository.scope);
  }
  const found: string[] = [];
  for (const { repository, scopes } of asked.values()) {
    const { entries } = await readStatus(repository, {
      everyFile: true,
      ...(extent === 'whole' ? {} : { paths: scopes }),
    });
    // A file that was never committed is in nobody's way but its own.
    const counts = entries.filter(({ kind }) => extent === 'touched' || kind !== 'untracked');
    found.push(...counts.map(({ path }) => pathIn(repository.path, path)));
  }
  return found;
}

async function openIfThere(git: ScopedGit, path: string): Promise<ScopedRepository | undefined> {
  try {
    return await git.open(path);
  } catch (error) {
    if (error instanceof Failure && error.code === 'E_NO_REPOSITORY') return undefined;
    throw error;
  }
}
