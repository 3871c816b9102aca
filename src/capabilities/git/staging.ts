/** What would be staged of some paths: every change there, named one by one. */
import { Failure } from '../../failure.ts';
import type { GitStep } from '../../host/ports.ts';
import type { ScopedGit, ScopedRepository } from '../../runtime/operation.ts';
import type { ParsedStatus, StatusEntry } from './parse-status.ts';
import { readGit } from './read-git.ts';
import { readStatus } from './read-status.ts';

export interface Staging {
  readonly status: ParsedStatus;
  /** Not staged as they are now. */
  readonly entries: readonly StatusEntry[];
  /** Paths that stay as they are: repositories in the tree, and what is not read without a question. */
  readonly leftOut: readonly string[];
}

/** Opens the one repository that all paths are in; gives them as git names them. */
export async function openFor(
  git: ScopedGit,
  paths: readonly string[],
): Promise<{ repository: ScopedRepository; scopes: string[] }> {
  const [first = '.', ...others] = paths;
  const repository = await git.open(first);
  const scopes = [repository.scope];
  for (const path of others) {
    using other = await git.open(path);
    if (other.path !== repository.path) {
      repository[Symbol.dispose]();
      throw new Failure('E_INVALID_ARGS', `${JSON.stringify(path)} is in another repository.`, {
        hint: 'Send a call for each repository.',
      });
    }
    scopes.push(other.scope);
  }
  return { repository, scopes };
}

/** Looks at what would be staged. */
export async function planStaging(repository: ScopedRepository, scopes: readonly string[]): Promise<Staging> {
  const status = await readStatus(repository, { everyFile: true });
  const isMeant = (path: string): boolean =>
    scopes.some((scope) => scope === '.' || path === scope || path.startsWith(`${scope}/`));
  const meant = status.entries.filter((entry) => isMeant(entry.path) && isUnstaged(entry));
  const fits = ({ path, workTree }: StatusEntry): boolean =>
    !path.endsWith('/') && (workTree === 'D' || repository.mayShow(path));
  return {
    status,
    entries: meant.filter(fits),
    leftOut: meant.filter((entry) => !fits(entry) && repository.mayName(entry.path)).map(({ path }) => path),
  };
}

function isUnstaged({ kind, workTree, submodule }: StatusEntry): boolean {
  if (kind === 'unmerged' || kind === 'untracked') return true;
  // Of a submodule only its commit can be staged.
  return workTree !== '.' && (submodule === undefined || submodule.hasOtherCommit);
}

/** The step that stages entries. */
export function stagingStep(entries: readonly StatusEntry[]): GitStep {
  // A file may have become a folder: it goes first.
  const isGone = ({ workTree }: StatusEntry): boolean => workTree === 'D';
  const paths = [
    ...entries.flatMap(({ from, workTree }) => (workTree === 'R' && from !== undefined ? [from] : [])),
    ...entries.filter(isGone).map(({ path }) => path),
    ...entries.filter((entry) => !isGone(entry)).map(({ path }) => path),
  ];
  return {
    words: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
    stdin: paths.map((path) => `${path}\0`).join(''),
  };
}

/** Files that a program of the repository's choice would have to change on their way in or out are left alone. */
export async function refuseFiltered(repository: ScopedRepository, paths: readonly string[]): Promise<void> {
  if (repository.filters.size === 0 || repository.runsPrograms || paths.length === 0) return;
  const output = await readGit(repository, {
    words: ['check-attr', '-z', '--stdin', 'filter'],
    stdin: paths.map((path) => `${path}\0`).join(''),
  });
  const fields = output.toString().split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , filter = ''] = fields.slice(at, at + 3);
    if (repository.filters.has(filter)) throw filtered(path, filter);
  }
}

function filtered(path: string, filter: string): Failure {
  return new Failure(
    'E_UNSUPPORTED',
    `${JSON.stringify(path)} goes through the filter ${JSON.stringify(filter)}, a program that the repository chose.`,
    {
      hint: 'Nothing was changed. Where the user sets "git": { "programs": true }, it is run, in the sandbox.',
    },
  );
}
