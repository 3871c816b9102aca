/**
 * Folders of the workspace that a command wanted to rename in its view. The kernel refuses that (EXDEV) for what is
 * below the view and not in it. So the command is run again, in a new view in which these folders were made anew first.
 */
import { posix } from 'node:path';
import type { CommandRequest, CommandResult, Confinement } from '../../ports.ts';
import { isWithin, relativeToRoot } from '../../workspace-path.ts';
import type { Root } from '../root.ts';
import { TreeWalk } from './tree-walk.ts';

type Output = Pick<CommandResult, 'exitCode' | 'stdout' | 'stderr'>;
type Started = Pick<CommandRequest, 'program' | 'args' | 'directory'>;

const REFUSED = /cross-device link|\bEXDEV\b/i;
const MAX_LINES = 20;

/** Whether a command says that a rename was refused; it may have gone on all the same. */
export function wasRenameRefused({ stdout, stderr }: Output): boolean {
  return [stderr, stdout].some((output) => REFUSED.test(Buffer.from(output).toString()));
}

/** The existing folders that are named where it says so; what is held can't be made anew. */
export function namedFolders(
  { exitCode, stdout, stderr }: Output,
  { directory }: Started,
  { hidden, frozen }: Confinement,
  root: Root,
): string[] {
  const lines = [stderr, stdout].flatMap((output) => Buffer.from(output).toString().split('\n'));
  const names = lines
    .filter((line) => REFUSED.test(line))
    .slice(0, MAX_LINES)
    .flatMap((line) => namesIn(line, exitCode !== 0));
  const paths = names.flatMap((name) => asPaths(name, directory, root));
  const isHeld = (path: string): boolean =>
    ['.git', ...hidden, ...frozen].some((held) => isWithin(held, path) || isWithin(path, held));
  return [...new Set(paths)].filter((path) => !isHeld(path) && isFolder(path, root));
}

/** The same command after the folders were made anew; where that fails they stay as they are. */
export function withOwnFolders<Request extends Started>(
  request: Request,
  folders: readonly string[],
  root: Root,
): Request {
  if (folders.length === 0) return request;
  const absolute = folders.map((path) => `${root.roots[0]}/${path}`);
  return {
    ...request,
    program: '/bin/sh',
    args: ['-c', MAKE_ANEW, 'handrail', ...absolute, '', request.program, ...request.args],
  };
}

const MAKE_ANEW = [
  'while [ -n "$1" ]; do copy="$1.handrail-copy"',
  '{ cp -a "$1" "$copy" && rm -rf "$1" && mv "$copy" "$1" || rm -rf "$copy"; } >/dev/null 2>&1 </dev/null',
  'shift; done',
  'shift',
  'exec "$@"',
].join('; ');

/** What is quoted; where the command failed, else every word, without brackets and punctuation. */
function namesIn(line: string, hasFailed: boolean): string[] {
  const quoted = [...line.matchAll(/'([^']+)'|"([^"]+)"|`([^`']+)['`]|‘([^’]+)’/g)].flatMap((match) =>
    match.slice(1).filter((name) => name !== undefined),
  );
  return quoted.length > 0 || !hasFailed ? quoted : line.split(/[\s()[\],:;]+/).filter(Boolean);
}

/** As seen from where the command was started, and from the root. */
function asPaths(name: string, directory: string, { roots }: Root): string[] {
  if (name.startsWith('/')) return [relativeToRoot(plain(name), roots) ?? '.'];
  return [plain(`${directory}/${name}`), plain(name)];
}

function plain(path: string): string {
  return posix.normalize(path).replace(/\/+$/, '');
}

function isFolder(path: string, root: Root): boolean {
  using walk = new TreeWalk(root.open());
  try {
    const { folder, name } = walk.parentOf(path);
    return folder.lstat(name)?.isDirectory() === true;
  } catch {
    // It leads nowhere, or out of the workspace.
    return false;
  }
}
