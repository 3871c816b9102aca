/**
 * Remembers which files a large tree holds. It is believed only while every directory and every ignore file is as it
 * was when the list was made, which takes one look at each and no watcher: a directory's time changes with its entries.
 */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';

/** Smaller trees are walked as fast as they are looked at. */
const FEWEST_FILES = 2_000;
const MOST_DIRECTORIES = 20_000;
/** Longer than the clock of any file system stands still: a change after this has another time. */
const SETTLED_MS = 50;
const IGNORE_FILE = '.gitignore';
/** Lines with more of them than anyone needs can take for ever to match; what they name counts as not ignored. */
const MOST_STARS = 4;

/** A directory, and one way of listing its files. */
export interface Tree {
  readonly root: string;
  /** Another way of listing the same directory has another key. */
  readonly key: string;
  /** Names that are not entered. */
  readonly skip: readonly string[];
  /** Ignore files above the directory, relative to it. */
  readonly rules: readonly string[];
  /** Lists the files, each relative to the directory. */
  list(): Promise<string[]>;
}

interface Known {
  /** Sorted. */
  readonly files: readonly string[];
  /** The time of every directory and ignore file that the list depends on; undefined where there must be none. */
  readonly times: ReadonlyMap<string, number | undefined>;
}

export class FileIndex {
  readonly #trees = new Map<string, Known>();
  readonly #learning = new Set<string>();

  /** The files of a tree in order, where nothing has changed since they were listed. */
  lookUp({ root, key }: Pick<Tree, 'root' | 'key'>): readonly string[] | undefined {
    const known = this.#trees.get(key);
    if (known === undefined) return undefined;
    for (const [path, time] of known.times) {
      if (timeOf(lstatSync(`${root}/${path}`, { throwIfNoEntry: false })) === time) continue;
      this.#trees.delete(key);
      return undefined;
    }
    return known.files;
  }

  /** Remembers a tree for the next time; nobody needs to wait for it. */
  async learn(tree: Tree, listed: readonly string[]): Promise<void> {
    if (listed.length < FEWEST_FILES || this.#learning.has(tree.key)) return;
    this.#learning.add(tree.key);
    try {
      const known = await study(tree, listed);
      if (known !== undefined) this.#trees.set(tree.key, known);
    } catch {
      // A tree that can't be looked at is listed anew each time.
    } finally {
      this.#learning.delete(tree.key);
    }
  }
}

function timeOf(stat: Stats | undefined): number | undefined {
  return stat?.mtimeMs;
}

/** Looks at all directories first and lists the files after that: what changes in between shows the next time. */
async function study(tree: Tree, listed: readonly string[]): Promise<Known | undefined> {
  const { root } = tree;
  const skip = new Set([...tree.skip, '.git']);
  const times = new Map<string, number | undefined>();
  const note = async (path: string): Promise<void> => {
    times.set(path, timeOf(await lstat(`${root}/${path}`).catch(() => undefined)));
  };
  const rules = new IgnoreRules(root, listed);
  for (const path of [...rules.files, ...tree.rules]) await note(path);
  const directories = directoriesOf(listed);
  for (const directory of directories) {
    if (directories.size > MOST_DIRECTORIES) return undefined;
    await note(directory);
    // One that holds no file of the list may get one, unless it is ignored.
    for (const entry of await readdir(`${root}/${directory}`, { withFileTypes: true }).catch(() => [])) {
      const path = directory === '.' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && !skip.has(entry.name) && !directories.has(path) && !rules.ignores(path))
        directories.add(path);
    }
  }
  await pause(SETTLED_MS, undefined, { ref: false });
  const files = await tree.list();
  const isComplete = [...directoriesOf(files)].every((directory) => times.has(directory));
  return isComplete ? { files: files.sort(), times } : undefined;
}

/** Every directory on the way to a file. */
function directoriesOf(files: readonly string[]): Set<string> {
  const directories = new Set(['.']);
  for (const file of files) {
    for (let slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1)) {
      const directory = file.slice(0, slash);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}

/** The ignore files of a tree, for directories that hold nothing. */
class IgnoreRules {
  readonly files: readonly string[];
  readonly #rules: ReadonlyMap<string, Ignore>;

  constructor(root: string, listed: readonly string[]) {
    this.files = listed.filter((file) => file.slice(file.lastIndexOf('/') + 1) === IGNORE_FILE);
    this.#rules = new Map(
      this.files.map((file) => {
        const lines = readIfThere(`${root}/${file}`).split('\n');
        const harmless = lines.filter((line) => (line.match(/\*/g)?.length ?? 0) <= MOST_STARS);
        return [file.slice(0, -IGNORE_FILE.length), ignore().add(harmless)];
      }),
    );
  }

  ignores(directory: string): boolean {
    for (const [folder, rules] of this.#rules)
      if (directory.startsWith(folder) && rules.ignores(`${directory.slice(folder.length)}/`)) return true;
    return false;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
