/** How a work tree differs from what is staged, and that from the last commit. */
import type { ScopedRepository } from '../../runtime/operation.ts';
import { type ParsedStatus, parseStatus } from './parse-status.ts';
import { readGit } from './read-git.ts';
import { readSubmodules, withSubmodules } from './submodules.ts';

export interface StatusOptions {
  /** Every new file by itself, also in folders that hold nothing else. */
  readonly everyFile?: boolean;
  /** From the folder of the repository; all of it where none is given. */
  readonly paths?: readonly string[] | undefined;
}

/** The status of a repository, submodules included. */
export async function readStatus(
  repository: ScopedRepository,
  { everyFile = false, paths }: StatusOptions = {},
): Promise<ParsedStatus> {
  const output = await readGit(repository, {
    words: [
      'status',
      '--porcelain=v2',
      '-z',
      '--branch',
      '--show-stash',
      '--ignore-submodules=dirty',
      ...(everyFile ? ['--untracked-files=all'] : []),
    ],
    paths,
  });
  const status = parseStatus(output);
  const isAsked = (path: string): boolean =>
    paths === undefined || paths.some((tree) => tree === '.' || path === tree || path.startsWith(`${tree}/`));
  const submodules = await readSubmodules(repository, (inner) => readStatus(inner));
  const entries = withSubmodules(
    status.entries,
    submodules.filter(({ path }) => isAsked(path)),
  );
  return { ...status, entries: submodules.length === 0 ? status.entries : entries };
}
