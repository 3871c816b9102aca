/**
 * Brings the index in step with the workspace: looks where something changed, asks what may be read, and reads that, a few files
 * at a time. It can be cut short anywhere; the next one goes on.
 */
import { lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileIndex, type TreeContent } from '../file-index.ts';
import { versionOf } from '../resolve.ts';
import type { Root } from '../root.ts';
import { folderOf, type IndexWriter } from './index-writer.ts';
import type { WatchedFolders } from './watched-folders.ts';

/** So many files are one change of the index; others have their turn in between. */
const BATCH_FILES = 200;
/** So many are asked about at once. */
const ASKED_FILES = 500;
/** Of others, or made by programs, and often not ignored. */
const SKIPPED = ['node_modules', '__pycache__', '.venv', '.clude', '.tenas'];
const NEVER = new AbortController().signal;

export interface PassParts {
  readonly root: Root;
  readonly writer: IndexWriter;
  readonly watched: WatchedFolders;
  /** Which of these may be in an index that is asked without a question to anyone. */
  readonly mayIndex: (paths: readonly string[]) => Promise<readonly boolean[]>;
}

/** How far a pass is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export class IndexPass {
  readonly #parts: PassParts;
  readonly #index: FileIndex;
  #isChecked = false;
  progress: Progress = { done: 0, total: 0 };

  constructor(parts: PassParts) {
    this.#parts = parts;
    this.#index = new FileIndex(parts.root);
  }

  async run(): Promise<void> {
    const { writer, watched } = this.#parts;
    const changed = await watched.changed();
    if (changed !== 'all' && changed.size === 0) return;
    watched.distrust();
    const { content, fresh } = await this.#look();
    const filesOf = Map.groupBy(content.files, folderOf);
    const folders = changed === 'all' ? [...filesOf.keys(), ...writer.folders()] : [...changed, ...fresh];
    await this.#forgetUnreadable();
    const stale: string[] = [];
    for (const folder of new Set(folders)) {
      stale.push(...(await this.#compare(folder, filesOf.get(folder) ?? [])));
      await nextTurn();
    }
    await this.#update(stale);
    watched.trust();
  }

  /** What the workspace holds, all of it watched from before it was looked at. */
  async #look(): Promise<{ content: TreeContent; fresh: string[] }> {
    const fresh: string[] = [];
    for (;;) {
      const content = await this.#index.look({ path: '.', skip: SKIPPED, signal: NEVER });
      const unwatched = this.#parts.watched.follow(content.folders);
      fresh.push(...unwatched);
      if (unwatched.length === 0) return { content, fresh };
    }
  }

  /** What may no longer be read goes, once a start: rules change in between. */
  async #forgetUnreadable(): Promise<void> {
    if (this.#isChecked) return;
    const { writer } = this.#parts;
    const known = writer.allFiles();
    const readable = new Set(await this.#readable(known));
    writer.remove(known.filter((path) => !readable.has(path)));
    this.#isChecked = true;
  }

  /** Takes out of the index what is gone; says which files are not in it as they are now. */
  async #compare(folder: string, files: readonly string[]): Promise<string[]> {
    const { root, writer } = this.#parts;
    const known = writer.filesIn(folder);
    const present = new Set(files);
    writer.remove([...known.keys()].filter((path) => !present.has(path)));
    using top = root.open();
    return files.filter((path) => {
      const stat = lstatSync(top.entry(path), { throwIfNoEntry: false });
      return stat !== undefined && known.get(path) !== versionOf(stat);
    });
  }

  async #update(stale: readonly string[]): Promise<void> {
    const { writer } = this.#parts;
    const readable = await this.#readable(stale);
    this.progress = { done: 0, total: readable.length };
    for (let done = 0; done < readable.length; done += BATCH_FILES) {
      writer.update(readable.slice(done, done + BATCH_FILES));
      this.progress = { done, total: readable.length };
      await nextTurn();
    }
  }

  async #readable(paths: readonly string[]): Promise<string[]> {
    const readable: string[] = [];
    for (let done = 0; done < paths.length; done += ASKED_FILES) {
      const asked = paths.slice(done, done + ASKED_FILES);
      const may = await this.#parts.mayIndex(asked);
      readable.push(...asked.filter((_, at) => may[at] === true));
    }
    return readable;
  }
}
