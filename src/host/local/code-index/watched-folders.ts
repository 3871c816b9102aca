/**
 * Knows in which folders something changed since it was last asked. The kernel watches each folder, and has handed over
 * everything that was written before by the time it is asked; where it can't watch them all, every folder counts as changed.
 */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf } from '../os-failure.ts';

/** More would take what other programs of the user need: the kernel has a limit for all of them together. */
const MOST_FOLDERS = 20_000;
/** With so much at once the kernel may have dropped some of it. */
const MOST_EVENTS = 5_000;
/** What the kernel does not tell, such as writes from another machine, is looked for so often. */
const TRUSTED_MS = 60_000;
const TOO_MANY = new Set(['ENOSPC', 'EMFILE', 'ENOMEM']);
const IGNORE_FILE = '.gitignore';

export class WatchedFolders implements Disposable {
  readonly #root: string;
  readonly #mostFolders: number;
  /** By folder; none for one that can't be watched, or is gone already. */
  readonly #watchers = new Map<string, FSWatcher | undefined>();
  #changed = new Set<string>();
  #events = 0;
  #isTrusted = false;
  #canWatch = true;
  #lastLook = 0;

  constructor(root: string, mostFolders = MOST_FOLDERS) {
    this.#root = root;
    this.#mostFolders = mostFolders;
  }

  /** The folders in which something changed; `all` where that can't be told. From here on changes count anew. */
  async changed(): Promise<ReadonlySet<string> | 'all'> {
    // Two turns: what is ready when the first one begins is read in the second at the latest.
    await nextTurn();
    await nextTurn();
    const changed = this.#changed;
    const isKnown = this.#isTrusted && this.#canWatch && this.#events < MOST_EVENTS;
    this.#changed = new Set();
    this.#events = 0;
    return isKnown ? changed : 'all';
  }

  /** Whether everything should be looked at again when there is time. */
  get isOld(): boolean {
    return performance.now() - this.#lastLook > TRUSTED_MS;
  }

  /** Says that the next question must be answered with everything. */
  distrust(): void {
    this.#isTrusted = false;
  }

  /** Says that all was looked at after it was last asked. */
  trust(): void {
    this.#isTrusted = true;
    this.#lastLook = performance.now();
  }

  /** Marks the folder of a path. */
  mark(path: string): void {
    const slash = path.lastIndexOf('/');
    this.#hear(slash === -1 ? '.' : path.slice(0, slash), path.slice(slash + 1));
  }

  /** Watches these folders and no others; returns those that were not watched before, or are gone. */
  follow(folders: readonly string[]): string[] {
    const present = new Set(folders);
    const gone = [...this.#watchers.keys()].filter((folder) => !present.has(folder));
    for (const folder of gone) this.#forget(folder);
    if (folders.length > this.#mostFolders) this.#stopWatching();
    return [...gone, ...folders.filter((folder) => this.#canWatch && this.#watch(folder))];
  }

  [Symbol.dispose](): void {
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }

  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return false;
    try {
      const watcher = watch(join(this.#root, folder), { persistent: false });
      watcher.on('change', (_, name) => this.#hear(folder, String(name)));
      watcher.on('error', () => this.#lose(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#watchers.set(folder, undefined);
      if (TOO_MANY.has(errnoOf(error) ?? '')) this.#stopWatching();
    }
    return true;
  }

  #hear(folder: string, name: string): void {
    this.#events++;
    this.#changed.add(folder);
    // Other rules may concern files of any folder.
    if (name === IGNORE_FILE) this.#events = MOST_EVENTS;
    // A folder of that name may be another one now.
    const inner = folder === '.' ? name : `${folder}/${name}`;
    if (!this.#watchers.has(inner)) return;
    for (const known of this.#watchers.keys())
      if (known === inner || known.startsWith(`${inner}/`)) this.#lose(known);
  }

  #lose(folder: string): void {
    this.#forget(folder);
    this.#changed.add(folder);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #stopWatching(): void {
    this.#canWatch = false;
    this[Symbol.dispose]();
  }
}
