/**
 * One directory of a tree, remembered as it was when it was read last. Only names are read here, and by name, so a rename at the
 * right moment could show those of another place; whoever shows a name looks at it again. Ignore files are read by handles.
 */
import { closeSync, fstatSync, lstatSync, readdirSync, readSync, type Dirent, type Stats } from 'node:fs';
import { isTemporary } from '../temporary-name.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { openRegular } from './files.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { Root } from './root.ts';
import type { Turns } from './turns.ts';

const IGNORE_FILE = '.gitignore';
/** A longer ignore file is nobody's rule, like one that is a link or a pipe. */
const MAX_RULES_BYTES = 256 * 1024;
/** Longer than the clock of any file system stands still: a change after this has another time. */
const SETTLED_MS = 50;

/** The rules that hold in a directory: the nearest ignore file that says something about an entry decides. */
interface RuleChain {
  readonly text: string;
  readonly rules: IgnoreRules;
  /** How many characters of a path name the folder of the ignore file. */
  readonly prefix: number;
  readonly above: RuleChain | undefined;
}

/** What is in a directory, as paths of the workspace. */
export interface FolderContent {
  readonly files: readonly string[];
  /** Those that are not ignored, by their names. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly ignoredFiles: readonly string[];
  readonly ignoredFolders: ReadonlyMap<string, Folder>;
  /** The rules for its entries. */
  readonly chain: RuleChain | undefined;
}

interface Seen extends FolderContent {
  readonly above: RuleChain | undefined;
  readonly time: number | undefined;
  readonly rulesTime: number | undefined;
}

const NOTHING: Seen = {
  files: [],
  folders: new Map(),
  ignoredFiles: [],
  ignoredFolders: new Map(),
  chain: undefined,
  above: undefined,
  time: Number.NaN,
  rulesTime: undefined,
};

export class Folder {
  /** Its path with a slash behind it; nothing for the root. */
  readonly prefix: string;
  /** The rules of the directories above it. */
  #above: RuleChain | undefined;
  #seen = NOTHING;

  constructor(prefix: string, above?: RuleChain) {
    this.prefix = prefix;
    this.#above = above;
  }

  /** What is in it now; `top` is the root of the workspace, held. */
  async look(root: Root, top: DirectoryHandle, turns: Turns): Promise<FolderContent> {
    const seen = this.#seen;
    const above = this.#above;
    const place = top.entry(this.prefix === '' ? '.' : this.prefix.slice(0, -1)).toString();
    const time = timeOf(lstatSync(place, { throwIfNoEntry: false }));
    const rulesTime = (): number | undefined =>
      timeOf(lstatSync(`${place}/${IGNORE_FILE}`, { throwIfNoEntry: false }));
    const hasRules = seen.rulesTime !== undefined;
    if (time === seen.time && above === seen.above && (!hasRules || rulesTime() === seen.rulesTime))
      return seen;

    const entries = readEntries(place);
    const rules = entries.some(({ name }) => name === IGNORE_FILE) ? rulesTime() : undefined;
    const chain = rules === undefined ? above : this.#readRules(root, above);
    this.#seen = { ...(await this.#sort(entries, chain, turns)), chain, above, time, rulesTime: rules };
    return this.#seen;
  }

  /** The same object as before where nothing is different: whatever lies below depends on it. */
  #readRules(root: Root, above: RuleChain | undefined): RuleChain | undefined {
    const { chain } = this.#seen;
    const text = readRulesFile(root, this.prefix + IGNORE_FILE);
    if (text === undefined) return above;
    const isSame = chain?.prefix === this.prefix.length && chain.above === above && chain.text === text;
    return isSame ? chain : { text, rules: new IgnoreRules(text), prefix: this.prefix.length, above };
  }

  async #sort(
    entries: readonly Dirent[],
    chain: RuleChain | undefined,
    turns: Turns,
  ): Promise<Omit<FolderContent, 'chain'>> {
    const files: string[] = [];
    const folders = new Map<string, Folder>();
    const ignoredFiles: string[] = [];
    const ignoredFolders = new Map<string, Folder>();
    for (const entry of entries) {
      if (turns.isOver()) await turns.pass();
      const { name } = entry;
      const path = this.prefix + name;
      if (entry.isDirectory()) {
        const known = isIgnored(name, path, true, chain) ? ignoredFolders : folders;
        known.set(name, this.#inner(name, chain));
      } else if (entry.isFile()) {
        if (isIgnored(name, path, false, chain)) ignoredFiles.push(path);
        else files.push(path);
      }
    }
    return { files, folders, ignoredFiles, ignoredFolders };
  }

  #inner(name: string, chain: RuleChain | undefined): Folder {
    const { folders, ignoredFolders } = this.#seen;
    const known = folders.get(name) ?? ignoredFolders.get(name) ?? new Folder(`${this.prefix}${name}/`);
    known.#above = chain;
    return known;
  }
}

/** A time that says when something changed last; never the same where it could still change within the same moment. */
function timeOf(stat: Stats | undefined): number | undefined {
  if (stat === undefined) return undefined;
  return Date.now() - stat.ctimeMs > SETTLED_MS ? stat.ctimeMs : Number.NaN;
}

/** The entries that a search may go to. A name that is not UTF-8 can't be given to any tool, so it is not one of them. */
function readEntries(place: string): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true }).filter(
      ({ name }) =>
        name !== '.git' &&
        !isTemporary(name) &&
        // What stands for broken UTF-8 may also stand for itself.
        (!name.includes('\ufffd') || lstatSync(`${place}/${name}`, { throwIfNoEntry: false }) !== undefined),
    );
  } catch {
    return [];
  }
}

function readRulesFile(root: Root, path: string): string | undefined {
  try {
    const fd = openRegular(root, path);
    try {
      const { size } = fstatSync(fd);
      if (size > MAX_RULES_BYTES) return undefined;
      const bytes = Buffer.alloc(size);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, size, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function isIgnored(name: string, path: string, isDirectory: boolean, chain: RuleChain | undefined): boolean {
  for (let link = chain; link !== undefined; link = link.above) {
    const judged = link.rules.judge(name, path, link.prefix, isDirectory);
    if (judged !== undefined) return judged;
  }
  return false;
}
