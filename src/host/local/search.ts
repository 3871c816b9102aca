/**
 * Searches: names by the index, lines by ripgrep. Both walk by names and could be led out of the workspace by a rename at the
 * right moment. So nothing they say is believed: each line that was found is read again through the contained files, and each name
 * looked up there, before anyone sees it.
 */
import { Failure } from '../../failure.ts';
import type { FileQuery, FoundLine, GrepRequest, Search, TreeScope } from '../ports.ts';
import { TEMPORARY_NAMES } from '../temporary-name.ts';
import { Exclusions } from './exclusions.ts';
import { FileIndex, type TreeContent } from './file-index.ts';
import { openDirectory } from './files.ts';
import { FoundRecords } from './found-records.ts';
import { LineReader } from './line-reader.ts';
import { osFailure } from './os-failure.ts';
import { kindOf } from './resolve.ts';
import { runRipgrep } from './ripgrep.ts';
import type { Root } from './root.ts';
import { Turns } from './turns.ts';

const BYTES_OF_A_CHARACTER = 4;
/** Whole files are held in memory where matches may span lines. */
const MAX_MULTILINE_BYTES = 64 * 1024 * 1024;
/** A file that is asked for by its name is looked into, ignored or not. */
const NOTHING_IGNORED: TreeContent = { files: [], folders: [], ignoredFiles: [], ignoredFolders: [] };

/** Searches below a pinned root. */
export function localSearch(root: Root): Search {
  const index = new FileIndex(root);
  return {
    grep: (request, visit) => guarded(request.path, () => grep(root, index, request, visit)),
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
  index: FileIndex,
  request: GrepRequest,
  visit: (found: FoundLine) => boolean,
): Promise<{ unreadable: number }> {
  const exclusions = new Exclusions(
    placeAt(root, request.path) === 'directory' ? await index.look(request) : NOTHING_IGNORED,
  );
  using directory = root.open();
  using reader = new LineReader(root, request.maxLineCharacters, maxColumns(request));
  const records = new FoundRecords((found) => {
    if (exclusions.has(found.path) || !request.mayRead(found.path)) return true;
    const text = reader.confirm(found.path, found);
    return (
      text === undefined || visit({ path: found.path, line: found.line, text, isContext: found.isContext })
    );
  });
  const args = [...grepArguments(request, exclusions), '--', targetOf(request)];
  return await runRipgrep(directory, args, request.signal, (chunk) => records.take(chunk));
}

function grepArguments(request: GrepRequest, exclusions: Exclusions): string[] {
  const given = (isGiven: boolean, ...args: string[]): string[] => (isGiven ? args : []);
  return [
    ...treeArguments(request, exclusions),
    '--no-heading',
    '--with-filename',
    '--null',
    '--line-number',
    '--byte-offset',
    '--color=never',
    '--no-context-separator',
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

/** What holds for every walk: hidden files too, no ignore file, and nothing that is known to be ignored. */
function treeArguments({ skip, maxDepth, maxFileBytes }: TreeScope, exclusions: Exclusions): string[] {
  return [
    '--hidden',
    '--no-ignore',
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
    ...(maxFileBytes === undefined ? [] : [`--max-filesize=${maxFileBytes}`]),
    ...[...skip, TEMPORARY_NAMES, '.git', ...exclusions.globs].map((glob) => `--glob=!${glob}`),
  ];
}

async function findFiles(
  root: Root,
  index: FileIndex,
  query: FileQuery,
): Promise<{ paths: string[]; total: number }> {
  if (placeAt(root, query.path) === 'file')
    throw new Failure('E_NOT_DIR', `${JSON.stringify(query.path)} is not a directory.`);
  const { files, ignoredFiles } = await index.look(query);
  const turns = new Turns(query.signal);
  const matching: string[] = [];
  for (const path of query.includeIgnored === true ? [...files, ...ignoredFiles] : files) {
    if (turns.isOver()) await turns.pass();
    if (query.matches(path)) matching.push(path);
  }
  const paths = firstThere(root, matching.sort(), query.limit);
  return { paths, total: paths.length < query.limit ? paths.length : matching.length };
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
