/**
 * Copies of a workspace, for commands that run on it without a view: before one, the copies are brought up to date;
 * after it, what is different becomes its changes. The workspace has them already, so nothing is left to be taken over.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Failure } from '../../../failure.ts';
import type { CommandChanges, LeftChanges, ProcessTable } from '../../ports.ts';
import { localFiles } from '../files.ts';
import { osFailure } from '../os-failure.ts';
import { type Root, spellings } from '../root.ts';
import { beginFence } from '../view/fence.ts';
import { copiesOf, removeUnusedCopies } from './copy-folders.ts';
import { COPY_LIMITS, type CopyLimits } from './copy-limits.ts';
import { CopiedContents } from './copied-contents.ts';
import { type CopyProgress, copyTree } from './copy-tree.ts';
import { EMPTY_TREE, gapsOf, type KeptTree, KeptTrees, sameTree } from './kept-tree.ts';
import { holdFolder } from './numbered-lock.ts';
import { type RunRecord, RunRecords } from './run-records.ts';
import { scan, type Scan } from './scan.ts';
import { changedSince, changesBetween } from './tree-changes.ts';

export interface CopyParts {
  readonly root: Root;
  /** Handrail's own folder. */
  readonly state: string;
  readonly processes: ProcessTable;
  readonly limits?: CopyLimits;
}

export interface PrepareOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears how far it is; the first time, everything has to be copied. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** The workspace as it was before a command. */
export interface CopiedWorkspace {
  /** What of it could not be given back, each a sentence. */
  readonly gaps: readonly string[];
  /** What the command changed; it must be over. */
  changes(signal?: AbortSignal): Promise<CommandChanges>;
  /** Nothing was run, or nobody will ask. */
  forget(): void;
  /** It was run, and somebody else has to look at what it changed. */
  leave(): void;
}

export interface Copies {
  prepare(label: string, options?: PrepareOptions): Promise<CopiedWorkspace>;
  readonly left: LeftChanges;
}

/** Once copies of no use any more take this part of all the room, they are removed. */
const MAX_LEFT_BEHIND = 1 / 4;

/** The copies of one workspace; nothing is made before the first command. */
export function openCopies(parts: CopyParts): Copies {
  const copies = new WorkspaceCopies(parts);
  return {
    prepare: (label, options = {}) => copies.prepare(label, options),
    left: {
      list: () => copies.runs.left().map(({ id, label }) => ({ id, label, isApplied: true })),
      reopen: (id) => copies.reopen(id),
      drop: async (id) => copies.runs.remove(id),
    },
  };
}

class WorkspaceCopies {
  readonly runs: RunRecords;
  readonly #parts: CopyParts;
  readonly #limits: CopyLimits;
  readonly #folder: string;
  readonly #contents: CopiedContents;
  readonly #trees: KeptTrees;

  constructor(parts: CopyParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? COPY_LIMITS;
    this.#folder = copiesOf(parts.state, parts.root.roots[0]);
    this.#contents = new CopiedContents(this.#folder);
    this.#trees = new KeptTrees(this.#folder);
    this.runs = new RunRecords(this.#folder, parts.processes);
  }

  async prepare(label: string, options: PrepareOptions): Promise<CopiedWorkspace> {
    const { state, processes } = this.#parts;
    try {
      removeUnusedCopies(state, this.#folder, processes, this.#limits);
      const { tree, run } = await this.#copy(label, options);
      // Whatever the command changes from here on has a later time than anything that was seen.
      await this.#clock();
      return {
        gaps: gapsOf(tree),
        changes: (signal) => this.#changes(run, tree, signal),
        forget: () => this.runs.remove(run.id),
        leave: () => this.runs.leave(run.id),
      };
    } catch (error) {
      throw osFailure(error, this.#folder);
    }
  }

  async reopen(id: string): Promise<CommandChanges> {
    const run = this.runs.find(id);
    if (run === undefined) throw new Failure('E_NOT_FOUND', `There are no changes ${JSON.stringify(id)}.`);
    using _lock = await holdFolder(this.#folder, this.#parts.processes);
    if (!this.runs.take(id))
      throw new Failure('E_CONFLICT', `Another process looks after the changes ${JSON.stringify(id)}.`);
    const tree = this.#trees.read(run.tree);
    if (tree !== undefined) return this.#changes(run, tree);
    this.runs.remove(id);
    throw new Failure('E_IO', `What was kept for the changes ${JSON.stringify(id)} is gone or damaged.`);
  }

  async #copy(label: string, options: PrepareOptions): Promise<{ tree: KeptTree; run: RunRecord }> {
    const { root, processes } = this.#parts;
    using lock = await holdFolder(this.#folder, processes, options.signal);
    this.#contents.prepare();
    this.runs.removeOlderThan(Date.now() - this.#limits.unusedMs);
    const known = this.#trees.newest();
    const since = await this.#clock();
    const copied = await copyTree({
      ...options,
      root,
      since,
      contents: this.#contents,
      known: known?.tree ?? EMPTY_TREE,
      seen: await this.#scan(options.signal),
      fileBytes: this.#limits.fileBytes,
      totalBytes: this.#limits.totalBytes,
      freeBytes: this.#freeBytes(),
    });
    const isWasteful = lock.wasAbandoned || copied.leftBehind > this.#limits.totalBytes * MAX_LEFT_BEHIND;
    const isKnown = known !== undefined && !isWasteful && sameTree(known.tree, copied);
    const tree = isKnown ? known.tree : isWasteful ? { ...copied, leftBehind: 0 } : copied;
    const name = isKnown ? known.name : this.#trees.write(tree);
    const run = this.runs.add({ label, tree: name });
    this.#removeUnneeded(name, isWasteful);
    return { tree, run };
  }

  async #changes(run: RunRecord, before: KeptTree, signal?: AbortSignal): Promise<CommandChanges> {
    const { root } = this.#parts;
    const [files, contents] = [localFiles(root), this.#contents];
    const after = await this.#scan(signal);
    const found = await changesBetween({ root, contents, before, after, signal });
    const { entries, gaps, versions } = found;
    this.runs.end(run.id);
    const old = new Map(entries.map((entry) => [entry.path, entry.before]));
    return {
      id: run.id,
      isApplied: true,
      entries,
      gaps,
      notes: this.#notes(run),
      open: (path) => files.open(path),
      openBefore: async (path) => {
        const state = old.get(path);
        if (state?.kind === 'file') return contents.open(state.hash);
        throw new Failure('E_NOT_FOUND', `There is no copy of ${JSON.stringify(path)}.`);
      },
      conflicts: () => changedSince(root, versions),
      takeOver: async () => {},
      [Symbol.asyncDispose]: async () => this.runs.remove(run.id),
    };
  }

  #notes({ id, owner }: RunRecord): string[] {
    const notes: string[] = [];
    if (this.runs.wasShared(id))
      notes.push('Another command ran in the workspace meanwhile; what it changed is among these changes.');
    if (owner !== this.#parts.processes.self)
      notes.push('What was changed since by others is among these changes.');
    return notes;
  }

  #scan(signal: AbortSignal | undefined): Promise<Scan> {
    const { root, state } = this.#parts;
    const leftOut = relative(root.roots[0], spellings(state).at(-1)!);
    return scan(root, { maxEntries: this.#limits.entries, leftOut, signal });
  }

  /** The time of change that files get now, once it is later than that of anything before. */
  async #clock(): Promise<bigint> {
    const file = join(this.#folder, `clock-${randomUUID()}`);
    try {
      return await beginFence(file)();
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Half of what the disk still has is not for copies. */
  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return (bavail * bsize) / 2;
  }

  /** What neither the newest tree nor that of a run needs; contents only once in a while. */
  #removeUnneeded(newest: string, isWasteful: boolean): void {
    const needed = new Set([newest, ...this.runs.all().map(({ tree }) => tree)]);
    this.#trees.removeBut(needed);
    if (!isWasteful) return;
    const hashes = new Set<string>();
    for (const name of needed) {
      for (const entry of this.#trees.read(name)?.entries.values() ?? [])
        if (entry.kind === 'file' && entry.hash !== undefined) hashes.add(entry.hash);
    }
    this.#contents.removeBut(hashes);
  }
}
