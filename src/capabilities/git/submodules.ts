/**
 * Submodules that were worked in. Git would start another git there that obeys the submodule's own settings, so each is
 * looked at as a repository of its own.
 */
import { Failure } from '../../failure.ts';
import { pathIn } from '../../host/workspace-path.ts';
import type { ScopedRepository } from '../../runtime/operation.ts';
import type { ParsedStatus, StatusEntry, SubmoduleState } from './parse-status.ts';
import { readGit } from './read-git.ts';

/** What of a submodule's changes its owner does not want to know. */
type Ignored = 'none' | 'untracked' | 'dirty' | 'all';

export interface Submodule {
  readonly path: string;
  /** The commit that is staged. */
  readonly commit: string;
  readonly ignored: Ignored;
  readonly isModified: boolean;
  readonly hasUntracked: boolean;
}

type ReadStatus = (repository: ScopedRepository) => Promise<ParsedStatus>;

/** Every submodule that is in place, with what was done in it. */
export async function readSubmodules(
  repository: ScopedRepository,
  readStatus: ReadStatus,
): Promise<Submodule[]> {
  if (!repository.hasSubmodules) return [];
  const declared = await declaredSubmodules(repository);
  const staged = await stagedCommits(repository, [...declared.keys()]);
  const found: Submodule[] = [];
  for (const [path, commit] of staged) {
    const ignored = declared.get(path) ?? 'none';
    const isLookedAt = ignored === 'none' || ignored === 'untracked';
    const state = isLookedAt ? await stateOf(repository, path, readStatus) : UNTOUCHED;
    const hasUntracked = state.hasUntracked && ignored !== 'untracked';
    found.push({ path, commit, ignored, isModified: state.isModified, hasUntracked });
  }
  return found;
}

const UNTOUCHED = { isModified: false, hasUntracked: false };

/** By path, what is ignored of each. */
async function declaredSubmodules(repository: ScopedRepository): Promise<Map<string, Ignored>> {
  const output = await readGit(repository, {
    words: ['config', '--file', '.gitmodules', '--null', '--list', '--no-includes'],
  });
  const byName = new Map<string, { path?: string; ignore?: string }>();
  for (const item of output.toString().split('\0').slice(0, -1)) {
    const [, name, key, value] = /^submodule\.(.+)\.(path|ignore)\n(.*)$/s.exec(item) ?? [];
    if (name !== undefined) byName.set(name, { ...byName.get(name), [key!]: value! });
  }
  return new Map(
    [...byName].flatMap(([name, { path, ignore }]): [string, Ignored][] => {
      const ignored = repository.settings.get(`submodule.${name}.ignore`) ?? ignore ?? 'none';
      return path === undefined ? [] : [[path, ignored as Ignored]];
    }),
  );
}

async function stagedCommits(
  repository: ScopedRepository,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const output = await readGit(repository, { words: ['ls-files', '--stage', '-z'], paths });
  return new Map(
    output
      .toString()
      .split('\0')
      .flatMap((item): [string, string][] => {
        const [, id, path] = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(item) ?? [];
        return id === undefined ? [] : [[path!, id]];
      }),
  );
}

async function stateOf(
  repository: ScopedRepository,
  path: string,
  readStatus: ReadStatus,
): Promise<Pick<SubmoduleState, 'isModified' | 'hasUntracked'>> {
  try {
    using inner = await repository.openInner(path);
    // Where nothing was checked out, what is found is the repository around it.
    if (inner.path !== pathIn(repository.path, path)) return UNTOUCHED;
    const { entries } = await readStatus(inner);
    return { isModified: entries.some(isModified), hasUntracked: entries.some(hasUntracked) };
  } catch (error) {
    if (error instanceof Failure && ['E_NO_REPOSITORY', 'E_GIT'].includes(error.code)) return UNTOUCHED;
    throw error;
  }
}

function isModified({ kind, submodule }: StatusEntry): boolean {
  if (kind === 'untracked' || kind === 'ignored') return false;
  return submodule === undefined || submodule.hasOtherCommit || submodule.isModified;
}

function hasUntracked({ kind, submodule }: StatusEntry): boolean {
  return kind === 'untracked' || submodule?.hasUntracked === true;
}

/** The entries with what was done in submodules. */
export function withSubmodules(
  entries: readonly StatusEntry[],
  submodules: readonly Submodule[],
): StatusEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path, ignored, isModified, hasUntracked } of submodules) {
    const known = byPath.get(path);
    const isQuiet = ignored === 'all';
    if (known === undefined && !isModified && !hasUntracked) continue;
    const hasOtherCommit = known?.submodule?.hasOtherCommit === true && !isQuiet;
    const workTree = isModified || hasUntracked || hasOtherCommit ? 'M' : '.';
    const entry: StatusEntry = {
      kind: 'changed',
      index: '.',
      ...known,
      path,
      workTree: isQuiet || known === undefined || known.workTree === '.' ? workTree : known.workTree,
      submodule: { hasOtherCommit, isModified, hasUntracked },
    };
    if (entry.index === '.' && entry.workTree === '.') byPath.delete(path);
    else byPath.set(path, entry);
  }
  return [...byPath.values()].sort(inGitsOrder);
}

const ORDER = { changed: 0, unmerged: 1, untracked: 2, ignored: 3 } as const;

function inGitsOrder(one: StatusEntry, other: StatusEntry): number {
  return (
    ORDER[one.kind] - ORDER[other.kind] || Buffer.compare(Buffer.from(one.path), Buffer.from(other.path))
  );
}
