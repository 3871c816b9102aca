/**
 * What changes in the files of a workspace, whoever changes it. Only told when asked: by then the kernel has handed over
 * everything that was written before.
 */
import { type Dirent, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTemporary } from '../../temporary-name.ts';
import type { FileNotice, Search } from '../../ports.ts';

/** In larger trees the rest is not watched. */
const MAX_FOLDERS = 5_000;
const MAX_FILES = 100_000;
/** With more than this to tell, whoever wants to know better looks at everything anew. */
const MAX_CHANGES = 10_000;
/** Of others, and never edited by hand. */
const UNWATCHED = ['node_modules', '.git'];

export class WatchedTree implements Disposable {
  readonly #root: string;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Files that were there when anyone was last told. */
  readonly #known: Set<string>;
  #changed = new Set<string>();

  private constructor(root: string, known: Set<string>) {
    this.#root = root;
    this.#known = known;
  }

  /** Watches the folders of a workspace that hold files which are not ignored. */
  static async over(root: string, search: Search): Promise<WatchedTree> {
    const { paths } = await search.files({
      path: '.',
      skip: UNWATCHED,
      matches: () => true,
      limit: MAX_FILES,
      signal: new AbortController().signal,
    });
    const tree = new WatchedTree(root, new Set(paths));
    tree.#watch('.');
    for (const path of paths)
      for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
        tree.#watch(path.slice(0, end));
    return tree;
  }

  /** What changed since the last time; undefined where it was too much to keep. */
  async changes(): Promise<FileNotice[] | undefined> {
    // Two turns: what is ready when the first one begins is read in the second at the latest.
    await nextTurn();
    await nextTurn();
    const changed = this.#changed;
    this.#changed = new Set();
    const notices = [...changed].flatMap((path) => this.#noticeOf(path));
    return changed.size > MAX_CHANGES ? undefined : notices;
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #noticeOf(path: string): FileNotice[] {
    const isKnown = this.#known.has(path);
    if (this.#kindAt(path) !== 'file') return this.#known.delete(path) ? [{ path, change: 'deleted' }] : [];
    this.#known.add(path);
    return [{ path, change: isKnown ? 'updated' : 'created' }];
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= MAX_FOLDERS) return;
    try {
      const watcher = watch(this.#at(folder), { persistent: false });
      watcher.on('change', (event, name) => this.#hear(event, folder, String(name)));
      watcher.on('error', () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // It is gone already, or the kernel watches enough: then open documents are all that is compared.
    }
  }

  #hear(event: string, folder: string, name: string): void {
    if (isTemporary(name) || UNWATCHED.includes(name)) return;
    const path = folder === '.' ? name : `${folder}/${name}`;
    const kind = event === 'rename' ? this.#kindAt(path) : 'file';
    if (kind === 'folder') this.#enter(path);
    else if (kind === 'missing' && this.#watchers.has(path)) this.#leave(path);
    else this.#note(path);
  }

  /** A folder that came with files in it. */
  #enter(folder: string): void {
    this.#watch(folder);
    for (const entry of this.#entries(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !UNWATCHED.includes(entry.name)) this.#enter(path);
      else if (entry.isFile()) this.#note(path);
    }
  }

  #leave(folder: string): void {
    for (const path of this.#known) if (path.startsWith(`${folder}/`)) this.#note(path);
    for (const path of this.#watchers.keys())
      if (path === folder || path.startsWith(`${folder}/`)) this.#forget(path);
  }

  #entries(folder: string): Dirent[] {
    try {
      return this.#changed.size > MAX_CHANGES ? [] : readdirSync(this.#at(folder), { withFileTypes: true });
    } catch {
      return [];
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #note(path: string): void {
    if (this.#changed.size <= MAX_CHANGES) this.#changed.add(path);
  }

  #kindAt(path: string): 'missing' | 'folder' | 'file' {
    const found = lstatSync(this.#at(path), { throwIfNoEntry: false });
    return found === undefined ? 'missing' : found.isDirectory() ? 'folder' : 'file';
  }

  #at(path: string): string {
    return path === '.' ? this.#root : `${this.#root}/${path}`;
  }
}
