/**
 * Tells ripgrep what is ignored, as globs of its own: it reads no ignore file, since any of them could be a link or a pipe by then.
 * A search with few ignored entries names them all; one with many leaves the rest to whoever looks at what was found.
 */
import type { TreeContent } from './file-index.ts';

/** More of them would not fit into the arguments of a program. */
const MOST_GLOBS = 1_000;
const MOST_CHARACTERS = 200_000;

export class Exclusions {
  readonly #ignored: ReadonlySet<string>;
  /** Never fits what is not ignored. */
  readonly globs: readonly string[];

  constructor(content: TreeContent) {
    this.#ignored = new Set([...content.ignoredFolders, ...content.ignoredFiles]);
    this.globs = bounded([...folderGlobs(content), ...fileGlobs(content)]);
  }

  /** Whether a path, or a folder on the way to it, is ignored. */
  has(path: string): boolean {
    if (this.#ignored.size === 0) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#ignored.has(path.slice(0, end))) return true;
    return false;
  }
}

function folderGlobs({ files, ignoredFolders }: TreeContent): string[] {
  const ofPath = (path: string): string => `/${escaped(path)}/`;
  if (ignoredFolders.length < MOST_GLOBS) return ignoredFolders.map(ofPath);
  return byGroup(ignoredFolders, nameOf, namesOfFolders(files), (name) => `${escaped(name)}/`, ofPath);
}

function fileGlobs({ files, ignoredFiles }: TreeContent): string[] {
  const ofPath = (path: string): string => `/${escaped(path)}`;
  if (ignoredFiles.length < MOST_GLOBS) return ignoredFiles.map(ofPath);
  // A folder with such an ending would be left out, too.
  const wanted = new Set([...namesOfFolders(files)].map(endingOf));
  for (const file of files) wanted.add(endingOf(file));
  return byGroup(ignoredFiles, endingOf, wanted, (ending) => `*${escaped(ending)}`, ofPath);
}

function namesOfFolders(files: readonly string[]): Set<string> {
  const folders = new Set(files.map((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0))));
  return new Set([...folders].flatMap((folder) => folder.split('/')));
}

/** One glob for all that share something which nothing that is wanted has. */
function byGroup(
  paths: readonly string[],
  groupOf: (path: string) => string,
  wanted: ReadonlySet<string>,
  ofGroup: (group: string) => string,
  ofPath: (path: string) => string,
): string[] {
  const globs = new Set<string>();
  const single = new Set<string>();
  for (const path of paths) {
    const group = groupOf(path);
    if (group === '' || wanted.has(group)) single.add(ofPath(path));
    else globs.add(ofGroup(group));
  }
  return [...globs, ...single];
}

function bounded(globs: readonly string[]): string[] {
  let room = MOST_CHARACTERS;
  return globs.slice(0, MOST_GLOBS).filter((glob) => (room -= glob.length) > 0);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** From the last dot on; nothing where there is none. */
function endingOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}! ]/g, '\\$&');
}
