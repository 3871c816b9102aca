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
const IGNORE_FILES = new Set(['.gitignore', '.ignore', '.rgignore']);
const EXCLUDE_FILE = '.git/info/exclude';

/** Lists the files of a tree, each relative to it. */
export type ListFiles = () => Promise<string[]>;

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
  lookUp(tree: string, key: string): readonly string[] | undefined {
    const known = this.#trees.get(key);
    if (known === undefined) return undefined;
    for (const [path, time] of known.times) {
      if (timeOf(lstatSync(`${tree}/${path}`, { throwIfNoEntry: false })) === time) continue;
      this.#trees.delete(key);
      return undefined;
    }
    return known.files;
  }

  /** Remembers a tree for the next time, without keeping anyone waiting. */
  learn(tree: string, key: string, skip: readonly string[], files: readonly string[], list: ListFiles): void {
    if (files.length < FEWEST_FILES || this.#learning.has(key)) return;
    this.#learning.add(key);
    const forget = (): unknown => this.#learning.delete(key);
    study(tree, new Set([...skip, '.git']), files, list).then((known) => {
      if (known !== undefined) this.#trees.set(key, known);
      forget();
    }, forget);
  }
}

function timeOf(stat: Stats | undefined): number | undefined {
  return stat?.mtimeMs;
}

/** Looks at all directories first and lists the files after that: what changes in between shows the next time. */
async function study(
  tree: string,
  skip: ReadonlySet<string>,
  listed: readonly string[],
  list: ListFiles,
): Promise<Known | undefined> {
  const times = new Map<string, number | undefined>();
  const note = async (path: string): Promise<void> => {
    times.set(path, timeOf(await lstat(`${tree}/${path}`).catch(() => undefined)));
  };
  const rules = new IgnoreRules(tree, listed);
  for (const path of rules.files) await note(path);
  const directories = directoriesOf(listed);
  for (const directory of directories) {
    if (directories.size > MOST_DIRECTORIES) return undefined;
    await note(directory);
    // One that holds no file of the list may get one, unless it is ignored.
    for (const entry of await readdir(`${tree}/${directory}`, { withFileTypes: true }).catch(() => [])) {
      const path = directory === '.' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && !skip.has(entry.name) && !directories.has(path) && !rules.ignores(path))
        directories.add(path);
    }
  }
  await pause(SETTLED_MS, undefined, { ref: false });
  const files = await list();
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

  constructor(tree: string, listed: readonly string[]) {
    const found = listed.filter((file) => IGNORE_FILES.has(file.slice(file.lastIndexOf('/') + 1)));
    this.files = [...found, EXCLUDE_FILE];
    const rules = new Map<string, Ignore>();
    for (const file of this.files) {
      const folder = file === EXCLUDE_FILE ? '' : file.slice(0, file.lastIndexOf('/') + 1);
      const known = rules.get(folder) ?? ignore();
      rules.set(folder, known.add(readIfThere(`${tree}/${file}`)));
    }
    this.#rules = rules;
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
