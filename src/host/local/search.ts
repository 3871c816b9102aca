/**
 * Searches by ripgrep, which walks by names and could be led out of the workspace by a rename at the right moment.
 * So nothing it says is believed: each line it found is read again through the contained files, and each name
 * looked up there, before anyone sees it.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate as otherWork } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { FileQuery, FoundLine, GrepRequest, Search, TreeScope } from '../ports.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { FileIndex, type Tree } from './file-index.ts';
import { openDirectory } from './files.ts';
import { FoundRecords } from './found-records.ts';
import { LineReader } from './line-reader.ts';
import { osFailure } from './os-failure.ts';
import { kindOf } from './resolve.ts';
import { runRipgrep } from './ripgrep.ts';
import type { Root } from './root.ts';
import { TEMPORARY_FILES } from './write-file.ts';

const BYTES_OF_A_CHARACTER = 4;
/** Whole files are held in memory where matches may span lines. */
const MAX_MULTILINE_BYTES = 64 * 1024 * 1024;
/** How long paths are looked at before other work gets a turn. */
const TURN_MS = 20;
const NEVER = new AbortController().signal;

/** Searches below a pinned root. */
export function localSearch(root: Root): Search {
  const index = new FileIndex();
  return {
    grep: (request, visit) => guarded(request.path, () => grep(root, request, visit)),
    files: (query) => guarded(query.path, () => findFiles(root, index, query)),
  };
}

async function guarded<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw osFailure(error, path);
  }
}

/** What stands at a path; a search goes through directories, or one regular file. */
function placeAt(root: Root, path: string): 'file' | 'directory' {
  if (path === '.') return 'directory';
  const names = path.split('/');
  const name = names.pop()!;
  using parent = openDirectory(root, names);
  const found = parent.lstat(name);
  if (found === undefined) throw new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(path)}.`);
  const kind = kindOf(found);
  if (kind === 'file' || kind === 'directory') return kind;
  throw new Failure('E_NOT_FILE', `${JSON.stringify(path)} is neither a directory nor a regular file.`);
}

function targetOf({ path }: TreeScope): string {
  return path === '.' ? './' : `./${path}`;
}

async function grep(
  root: Root,
  request: GrepRequest,
  visit: (found: FoundLine) => boolean,
): Promise<{ unreadable: number }> {
  placeAt(root, request.path);
  using directory = root.open();
  using reader = new LineReader(root, request.maxLineCharacters, maxColumns(request));
  const records = new FoundRecords((found) => {
    if (!request.mayRead(found.path)) return true;
    const text = reader.confirm(found.path, found);
    return (
      text === undefined || visit({ path: found.path, line: found.line, text, isContext: found.isContext })
    );
  });
  const args = [...grepArguments(root, directory, request), '--', targetOf(request)];
  return await runRipgrep(directory, args, request.signal, (chunk) => records.take(chunk));
}

function grepArguments(root: Root, directory: DirectoryHandle, request: GrepRequest): string[] {
  const given = (isGiven: boolean, ...args: string[]): string[] => (isGiven ? args : []);
  return [
    ...treeArguments(root, directory, request),
    '--no-heading',
    '--with-filename',
    '--null',
    '--line-number',
    '--byte-offset',
    '--color=never',
    '--no-context-separator',
    '--encoding=none',
    '--crlf',
    '--no-mmap',
    `--max-columns=${maxColumns(request)}`,
    '--max-columns-preview',
    `--context=${request.context}`,
    ...given(request.isLiteral, '--fixed-strings'),
    ...given(request.ignoreCase, '--ignore-case'),
    ...given(
      request.isMultiline,
      '--multiline',
      '--multiline-dotall',
      `--max-filesize=${MAX_MULTILINE_BYTES}`,
    ),
    ...given(request.inOrder, '--sort=path'),
    ...given(request.maxPerFile !== undefined, `--max-count=${request.maxPerFile}`),
    ...request.names.flatMap((name) => [`--type-add=only:${asTypeGlob(name)}`, '--type=only']),
    `--regexp=${request.pattern}`,
  ];
}

function maxColumns({ maxLineCharacters }: GrepRequest): number {
  return maxLineCharacters * BYTES_OF_A_CHARACTER;
}

/** A type, unlike a glob, does not open what is ignored. It can't have a colon; what fits too much is left out later. */
function asTypeGlob(name: string): string {
  return name.replaceAll(':', '?');
}

/**
 * What holds for every walk: hidden files too, and of the ignore rules only `.gitignore` of the workspace, of the
 * directories above the one that is searched as well. One that is no regular file is nobody's rule.
 */
function treeArguments(root: Root, directory: DirectoryHandle, scope: TreeScope): string[] {
  const { skip, maxDepth, maxFileBytes } = scope;
  return [
    '--hidden',
    '--no-ignore-dot',
    '--no-ignore-exclude',
    '--no-ignore-global',
    '--no-ignore-parent',
    '--no-require-git',
    ...(scope.includeIgnored || isLedAstray(directory) ? ['--no-ignore-vcs'] : []),
    ...(scope.includeIgnored ? [] : rulesAbove(root, scope.path).map((file) => `--ignore-file=${file}`)),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
    ...(maxFileBytes === undefined ? [] : [`--max-filesize=${maxFileBytes}`]),
    ...[...skip, TEMPORARY_FILES, '.git'].map((name) => `--glob=!${name}`),
  ];
}

function isLedAstray(directory: DirectoryHandle): boolean {
  const found = directory.lstat('.gitignore');
  return found !== undefined && kindOf(found) !== 'file';
}

/** The `.gitignore` of every directory above a path. */
function rulesAbove(root: Root, path: string): string[] {
  if (path === '.') return [];
  const names = path.split('/');
  const folders = names.map((_, depth) => names.slice(0, depth));
  return folders
    .filter((folder) => {
      using directory = openDirectory(root, folder);
      const found = directory.lstat('.gitignore');
      return found !== undefined && kindOf(found) === 'file';
    })
    .map((folder) => [...folder, '.gitignore'].join('/'));
}

async function findFiles(
  root: Root,
  index: FileIndex,
  query: FileQuery,
): Promise<{ paths: string[]; total: number }> {
  if (placeAt(root, query.path) === 'file')
    throw new Failure('E_NOT_DIR', `${JSON.stringify(query.path)} is not a directory.`);
  const prefix = query.path === '.' ? '' : `${query.path}/`;
  const matching: string[] = [];
  let since = performance.now();
  for (const name of await listFiles(root, index, prefix, query)) {
    if (performance.now() - since > TURN_MS) {
      await otherWork();
      query.signal.throwIfAborted();
      since = performance.now();
    }
    const path = prefix + name;
    if (query.matches(path)) matching.push(path);
  }
  const paths = firstThere(root, matching, query.limit);
  return { paths, total: paths.length < query.limit ? paths.length : matching.length };
}

/** The files below a directory in the order of their names: from memory where that is known to be right. */
async function listFiles(
  root: Root,
  index: FileIndex,
  prefix: string,
  query: FileQuery,
): Promise<readonly string[]> {
  using directory = root.open();
  const args = ['--files', '--null', ...treeArguments(root, directory, query), '--', targetOf(query)];
  const tree: Tree = {
    root: `${root.roots[0]}/${prefix}.`,
    key: JSON.stringify(args),
    skip: query.skip,
    rules: rulesAbove(root, query.path).map((file) => '../'.repeat(prefix.split('/').length - 1) + file),
    async list() {
      using again = root.open();
      return await namesFrom(again, args, prefix, NEVER);
    },
  };
  const known = index.lookUp(tree);
  if (known !== undefined) return known;
  const files = await namesFrom(directory, args, prefix, query.signal);
  void index.learn(tree, files);
  return files.sort();
}

async function namesFrom(
  directory: DirectoryHandle,
  args: readonly string[],
  prefix: string,
  signal: AbortSignal,
): Promise<string[]> {
  const chunks: Buffer[] = [];
  await runRipgrep(directory, args, signal, (chunk) => chunks.push(chunk) > 0);
  return splitNames(Buffer.concat(chunks), `./${prefix}`.length);
}

/** Names ended by NUL, each with the same characters before it. */
function splitNames(all: Buffer, skipped: number): string[] {
  const names = isUtf8(all) ? all.toString().split('\0') : decodableNames(all);
  names.pop();
  return names.map((name) => name.slice(skipped));
}

function decodableNames(all: Buffer): string[] {
  const names: string[] = [];
  for (let start = 0, end = all.indexOf(0); end !== -1; start = end + 1, end = all.indexOf(0, start)) {
    const name = all.subarray(start, end);
    if (isUtf8(name)) names.push(name.toString());
  }
  return [...names, ''];
}

/** The first paths that are really there. */
function firstThere(root: Root, sorted: readonly string[], limit: number): string[] {
  const found: string[] = [];
  const folders = new Map<string, Set<string>>();
  for (const path of sorted) {
    if (found.length === limit) break;
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(slash, 0));
    const names = folders.get(folder) ?? namesIn(root, folder);
    folders.set(folder, names);
    if (names.has(path.slice(slash + 1))) found.push(path);
  }
  return found;
}

function namesIn(root: Root, folder: string): Set<string> {
  try {
    using directory = openDirectory(root, folder === '' ? [] : folder.split('/'));
    return new Set(directory.names().map(String));
  } catch {
    return new Set();
  }
}
