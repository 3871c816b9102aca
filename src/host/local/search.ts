/**
 * Searches by ripgrep, which walks by names and could be led out of the workspace by a rename at the right moment.
 * So nothing it says is believed: each line it found is read again through the contained files, and each name
 * looked up there, before anyone sees it.
 */
import { isUtf8 } from 'node:buffer';
import { Failure } from '../../failure.ts';
import type { FileQuery, FoundLine, GrepRequest, Search, TreeScope } from '../ports.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { FileIndex, type Tree } from './file-index.ts';
import { openDirectory } from './files.ts';
import { LineReader } from './line-reader.ts';
import { osFailure } from './os-failure.ts';
import { kindOf } from './resolve.ts';
import { runRipgrep } from './ripgrep.ts';
import type { Root } from './root.ts';

/** Searches below a pinned root. */
export function localSearch(root: Root): Search {
  const index = new FileIndex();
  return {
    grep: (request, visit) => inDirectory(root, request.path, (place) => grep(root, place, request, visit)),
    files: (query) => inDirectory(root, query.path, (place) => findFiles(root, index, place, query)),
  };
}

/** Where ripgrep runs, and what it is told to look at there. */
interface Place {
  readonly directory: DirectoryHandle;
  /** The workspace path of the directory; `` for the root. */
  readonly prefix: string;
  readonly target: string;
}

async function inDirectory<Result>(
  root: Root,
  path: string,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  try {
    const names = path === '.' ? [] : path.split('/');
    const name = names.at(-1);
    using parent = openDirectory(root, names.slice(0, -1));
    const found = name === undefined ? undefined : parent.lstat(name);
    if (name !== undefined && found === undefined)
      throw new Failure('E_NOT_FOUND', `There is no ${JSON.stringify(path)}.`);
    if (name === undefined || (found !== undefined && kindOf(found) === 'directory')) {
      using directory = name === undefined ? parent.clone() : parent.openDirectory(name);
      return await work({ directory, prefix: names.map((part) => `${part}/`).join(''), target: './' });
    }
    if (kindOf(found!) !== 'file')
      throw new Failure('E_NOT_FILE', `${JSON.stringify(path)} is neither a directory nor a regular file.`);
    const prefix = names
      .slice(0, -1)
      .map((part) => `${part}/`)
      .join('');
    return await work({ directory: parent, prefix, target: `./${name}` });
  } catch (error) {
    throw osFailure(error, path);
  }
}

async function grep(
  root: Root,
  { directory, prefix, target }: Place,
  request: GrepRequest,
  visit: (found: FoundLine) => boolean,
): Promise<{ unreadable: number }> {
  using reader = new LineReader(root, request.maxLineCharacters);
  const parser = new RecordParser((found) => {
    const path = prefix + found.path;
    if (!request.mayRead(path)) return true;
    const text = reader.confirm(path, found);
    return text === undefined || visit({ path, line: found.line, text, isContext: found.isContext });
  });
  const complaints = await runRipgrep(
    directory,
    [...grepArguments(request), '--', target],
    request.signal,
    (chunk) => parser.take(chunk),
  );
  return { unreadable: unreadableAmong(complaints) };
}

function grepArguments(request: GrepRequest): string[] {
  const given = (isGiven: boolean, ...args: string[]): string[] => (isGiven ? args : []);
  return [
    ...treeArguments(request),
    '--no-heading',
    '--with-filename',
    '--null',
    '--line-number',
    '--byte-offset',
    '--color=never',
    '--no-context-separator',
    '--encoding=none',
    '--no-mmap',
    `--max-columns=${request.maxLineCharacters * BYTES_OF_A_CHARACTER}`,
    '--max-columns-preview',
    `--context=${request.context}`,
    ...given(request.isLiteral, '--fixed-strings'),
    ...given(request.ignoreCase, '--ignore-case'),
    ...given(request.isMultiline, '--multiline', '--multiline-dotall'),
    ...given(request.inOrder, '--sort=path'),
    ...given(request.maxPerFile !== undefined, `--max-count=${request.maxPerFile}`),
    ...request.only.flatMap(onlyArguments),
    // Behind every other glob, so that none of them opens it again.
    '--glob=!.git',
    `--regexp=${request.pattern}`,
  ];
}

/** A type, unlike a glob, does not open what is ignored; but it knows names only. */
function onlyArguments(glob: string): string[] {
  return glob.includes('/') || glob.startsWith('!')
    ? [`--glob=${glob}`]
    : [`--type-add=only:${glob}`, '--type=only'];
}

const BYTES_OF_A_CHARACTER = 4;

/** What holds for every walk: hidden files too, and of the ignore rules only those of the workspace itself. */
function treeArguments({ skip, maxDepth, maxFileBytes, includeIgnored }: TreeScope): string[] {
  return [
    '--hidden',
    ...(includeIgnored ? ['--no-ignore'] : ['--no-require-git', '--no-ignore-parent', '--no-ignore-global']),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
    ...(maxFileBytes === undefined ? [] : [`--max-filesize=${maxFileBytes}`]),
    ...skip.map((name) => `--glob=!${name}`),
  ];
}

/** Lines about single places are counted; anything else is about the question itself. */
function unreadableAmong(complaints: readonly string[]): number {
  const aboutPlaces = complaints.filter((line) => line.includes('(os error '));
  if (!complaints.every(isHarmless)) {
    throw new Failure('E_INVALID_ARGS', explain(complaints), {
      hint: 'The pattern is a regular expression without look-around and backreferences.',
    });
  }
  return aboutPlaces.length;
}

/** It says so where a filter leaves nothing to search. */
function isHarmless(line: string): boolean {
  return line.includes('(os error ') || /^rg: No files were searched|^Running with --debug/.test(line);
}

/** What ripgrep says about a pattern, without the advice that does not apply here. */
function explain(complaints: readonly string[]): string {
  const advice = complaints.findIndex((line) => line.startsWith('Consider enabling'));
  const said = advice === -1 ? complaints : complaints.slice(0, advice);
  return said.join('\n').replace(/^rg: /, 'The pattern can not be used: ');
}

/** A line as ripgrep reports it. */
export interface FoundRecord {
  readonly path: string;
  readonly line: number;
  /** Where the line starts in the file. */
  readonly offset: number;
  readonly isContext: boolean;
  /** The line, or the start of a long one. */
  readonly bytes: Buffer;
}

/** Cuts the output into records: `path NUL line : offset : text`, with dashes for context. */
class RecordParser {
  #rest: Buffer = Buffer.alloc(0);
  readonly #visit: (record: FoundRecord) => boolean;

  constructor(visit: (record: FoundRecord) => boolean) {
    this.#visit = visit;
  }

  /** Says whether more is wanted. */
  take(chunk: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const record = toRecord(bytes.subarray(start, end));
      start = end + 1;
      if (record !== undefined && !this.#visit(record)) return false;
    }
    this.#rest = bytes.subarray(start);
    return true;
  }
}

const HEAD = /^(\d+)([:-])(\d+)\2/;
const LONGEST_HEAD = 48;

function toRecord(bytes: Buffer): FoundRecord | undefined {
  const nul = bytes.indexOf(0);
  if (nul === -1) return undefined;
  const path = toPath(bytes.subarray(0, nul));
  const head = HEAD.exec(bytes.toString('latin1', nul + 1, nul + 1 + LONGEST_HEAD));
  if (path === undefined || head === null) return undefined;
  const [whole, line, mark, offset] = head;
  return {
    path,
    line: Number(line),
    offset: Number(offset),
    isContext: mark === '-',
    bytes: bytes.subarray(nul + 1 + whole.length),
  };
}

/** A name that is not UTF-8 can't be given to any tool, so it is not shown. */
function toPath(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8', bytes[0] === 46 && bytes[1] === 47 ? 2 : 0) : undefined;
}

async function findFiles(
  root: Root,
  index: FileIndex,
  { directory, prefix, target }: Place,
  query: FileQuery,
): Promise<{ paths: string[]; total: number }> {
  if (target !== './') throw new Failure('E_NOT_DIR', `${JSON.stringify(query.path)} is not a directory.`);
  const matching = (await listFiles(root, index, { directory, prefix }, query))
    .map((name) => prefix + name)
    .filter(query.matches);
  const paths = firstThere(root, matching, query.limit);
  return { paths, total: paths.length < query.limit ? paths.length : matching.length };
}

/** The files below a directory in the order of their names: from memory where that is known to be right. */
async function listFiles(
  root: Root,
  index: FileIndex,
  { directory, prefix }: Pick<Place, 'directory' | 'prefix'>,
  query: FileQuery,
): Promise<readonly string[]> {
  const args = ['--files', '--null', ...treeArguments(query), '--glob=!.git', '--', './'];
  const tree: Tree = {
    root: `${root.roots[0]}/${prefix}.`,
    key: JSON.stringify([prefix, ...args]),
    skip: query.skip,
    async list() {
      using place = openDirectory(root, prefix.split('/').slice(0, -1));
      return await namesFrom(place, args, NEVER);
    },
  };
  const known = index.lookUp(tree);
  if (known !== undefined) return known;
  const files = await namesFrom(directory, args, query.signal);
  void index.learn(tree, files);
  return files.sort();
}

const NEVER = new AbortController().signal;

async function namesFrom(
  directory: DirectoryHandle,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const chunks: Buffer[] = [];
  await runRipgrep(directory, args, signal, (chunk) => chunks.push(chunk) > 0);
  return splitNames(Buffer.concat(chunks));
}

/** Names ended by NUL, each with `./` before it. */
function splitNames(all: Buffer): string[] {
  const names = isUtf8(all) ? all.toString().split('\0') : decodableNames(all);
  names.pop();
  return names.map((name) => name.slice(2));
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
