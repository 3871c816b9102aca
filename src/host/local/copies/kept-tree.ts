/** A workspace as it was copied: what stood under every path, and which content it had. Written whole, never changed. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../os-failure.ts';
import type { SeenEntry, SeenFile } from './scan.ts';

export interface KeptFile extends Omit<SeenFile, 'changed'> {
  /** Names its copy; without it there is none. */
  readonly hash?: string;
  /** Why there is none, as the end of a sentence. */
  readonly whyNot?: string;
  /** It had changed the very moment it was copied: the next look at its times would not tell whether it did again. */
  readonly isFresh?: true;
}

export type KeptEntry = KeptFile | Exclude<SeenEntry, SeenFile>;

export interface KeptTree {
  readonly entries: ReadonlyMap<string, KeptEntry>;
  readonly unseen: ReadonlyMap<string, string>;
  /** About how many bytes copies of earlier trees take that no later one needs. */
  readonly leftBehind: number;
}

export const EMPTY_TREE: KeptTree = { entries: new Map(), unseen: new Map(), leftBehind: 0 };

/** The trees of one workspace; the newest is where the next one starts from. */
export class KeptTrees {
  readonly #folder: string;
  /** The last one that was read or written here. */
  #last: { readonly name: string; readonly tree: KeptTree } | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, 'trees');
  }

  /** Undefined where there is none yet. */
  newest(): { readonly name: string; readonly tree: KeptTree } | undefined {
    const name = this.#names().at(-1);
    const tree = name === undefined ? undefined : this.read(name);
    return tree === undefined ? undefined : { name: name!, tree };
  }

  /** Undefined where it is gone or damaged. */
  read(name: string): KeptTree | undefined {
    if (this.#last?.name === name && this.#names().includes(name)) return this.#last.tree;
    try {
      const { entries, unseen, leftBehind } = JSON.parse(
        readFileSync(join(this.#folder, name), 'utf8'),
      ) as Written;
      const tree: KeptTree = { entries: new Map(entries), unseen: new Map(unseen), leftBehind };
      this.#last = { name, tree };
      return tree;
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof SyntaxError)) throw error;
      return undefined;
    }
  }

  /** Becomes the newest; says its name. */
  write(tree: KeptTree): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const [number = '0'] = this.#names().at(-1)?.split('-') ?? [];
    // Not the number alone: after all was cleaned away it would be somebody else's.
    const name = `${String(Number(number) + 1).padStart(12, '0')}-${randomUUID()}.json`;
    const { entries, unseen, leftBehind } = tree;
    const written: Written = { entries: [...entries], unseen: [...unseen], leftBehind };
    const unfinished = join(this.#folder, `unfinished-${randomUUID()}`);
    writeFileSync(unfinished, JSON.stringify(written), { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, join(this.#folder, name));
    this.#last = { name, tree };
    return name;
  }

  /** Removes all but these. */
  removeBut(needed: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder))
      if (!needed.has(name)) rmSync(join(this.#folder, name), { force: true });
  }

  /** In the order in which they were written. */
  #names(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => /^\d{12}-/.test(name))
        .sort();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

interface Written {
  readonly entries: [string, KeptEntry][];
  readonly unseen: [string, string][];
  readonly leftBehind: number;
}

/** Whether a path is somewhere below a place that was not looked into. */
export function isUnseen(path: string, { unseen }: Pick<KeptTree, 'unseen'>): boolean {
  if (unseen.size === 0) return false;
  if (unseen.has('.')) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (unseen.has(path.slice(0, at))) return true;
  return false;
}

/** Whether two trees say the same. */
export function sameTree(one: KeptTree, other: KeptTree): boolean {
  if (one.entries.size !== other.entries.size || one.unseen.size !== other.unseen.size) return false;
  for (const [path, entry] of one.entries) {
    const counterpart = other.entries.get(path);
    if (counterpart !== entry && JSON.stringify(counterpart) !== JSON.stringify(entry)) return false;
  }
  return [...one.unseen].every(([path, why]) => other.unseen.get(path) === why);
}

/** How many gaps are named; the others are counted. */
const NAMED_GAPS = 20;

/** What of a tree could not be given back, each a sentence. */
export function gapsOf({ entries, unseen }: Pick<KeptTree, 'entries' | 'unseen'>): string[] {
  const gaps = [...unseen].map(([path, why]) => `${shown(path)} was not looked into: ${why}.`);
  for (const [path, entry] of entries) {
    if (entry.kind === 'other') gaps.push(`${shown(path)} is nothing that could be copied.`);
    if (entry.kind === 'file' && entry.hash === undefined)
      gaps.push(`${shown(path)} was not copied: ${entry.whyNot ?? 'nobody tried'}.`);
  }
  return boundedGaps(gaps);
}

/** Says the first ones and how many more there are. */
export function boundedGaps(gaps: readonly string[]): string[] {
  if (gaps.length <= NAMED_GAPS) return [...gaps];
  return [...gaps.slice(0, NAMED_GAPS), `So it is with ${gaps.length - NAMED_GAPS} more.`];
}

function shown(path: string): string {
  return path === '.' ? 'The workspace' : JSON.stringify(path);
}
