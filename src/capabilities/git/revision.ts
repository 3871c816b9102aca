/** Names of commits and branches: each goes to git as the name of exactly one commit, and never as an option or a range. */
import { Failure } from '../../failure.ts';
import type { ScopedRepository } from '../../runtime/operation.ts';

const MAX_ID_BYTES = 1_000;

/** A name as git is given it: of a commit, so not of a file in one, nor of several. */
export function revision(name: string): string {
  refuseUnfit(name);
  return `${name}^{commit}`;
}

function refuseUnfit(name: string): void {
  // eslint-disable-next-line no-control-regex
  if (/^(?![-^])(?!.*\.\.)[^\x00-\x1f\x7f]+$/.test(name)) return;
  throw new Failure('E_INVALID_REF', `${JSON.stringify(name)} can't be the name of a commit or branch.`);
}

/** Refuses what can't be the name of a branch. */
export async function checkBranchName(repository: ScopedRepository, name: string): Promise<void> {
  refuseUnfit(name);
  const { exitCode } = await repository.read(
    { words: ['check-ref-format'], revisions: [`refs/heads/${name}`] },
    MAX_ID_BYTES,
  );
  if (exitCode === 0 && name !== 'HEAD') return;
  throw new Failure('E_INVALID_REF', `${JSON.stringify(name)} can't be the name of a branch.`);
}
