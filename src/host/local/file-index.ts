/**
 * Knows which files a tree holds, without those that its `.gitignore` files name. It looks at every directory each time and
 * reads only those again that changed, which needs no watcher: a directory's time changes with its entries.
 */
import type { FileQuery, TreeScope } from '../ports.ts';
import type { DirectoryHandle } from './directory-handle.ts';
import { Folder } from './folder.ts';
import type { Root } from './root.ts';
import { Turns } from './turns.ts';

/** Larger trees are not kept in memory. */
const MOST_FOLDERS = 50_000;

/** What a tree holds; paths of the workspace, in no order. */
export interface TreeContent {
  readonly files: string[];
  /** Those that were entered, `.` for the root. */
  readonly folders: string[];
  readonly ignoredFiles: string[];
  /** Not entered unless what is ignored is wanted, too. */
  readonly ignoredFolders: string[];
}

/** What is looked at. */
type Looked = TreeScope & Pick<FileQuery, 'includeIgnored'>;

export class FileIndex {
  readonly #root: Root;
  #top = new Folder('');

  constructor(root: Root) {
    this.#root = root;
  }

  /** What the directory of a scope holds now. */
  async look({ path, skip, maxDepth, includeIgnored = false, signal }: Looked): Promise<TreeContent> {
    using directory = this.#root.open();
    const turns = new Turns(signal);
    const skipped = new Set(skip);
    const content: TreeContent = { files: [], folders: [], ignoredFiles: [], ignoredFolders: [] };
    const pending = [{ folder: await this.#find(directory, path, turns), depth: 1 }];
    for (const { folder, depth } of pending) {
      if (turns.isOver()) await turns.pass();
      const { files, folders, ignoredFiles, ignoredFolders } = await folder.look(
        this.#root,
        directory,
        turns,
      );
      for (const file of files)
        if (skipped.size === 0 || !skipped.has(file.slice(folder.prefix.length))) content.files.push(file);
      content.folders.push(folder.prefix.slice(0, -1) || '.');
      for (const file of ignoredFiles) content.ignoredFiles.push(file);
      for (const name of ignoredFolders.keys()) content.ignoredFolders.push(`${folder.prefix}${name}`);
      if (depth === maxDepth) continue;
      for (const [name, inner] of includeIgnored ? [...folders, ...ignoredFolders] : folders)
        if (!skipped.has(name)) pending.push({ folder: inner, depth: depth + 1 });
    }
    if (pending.length > MOST_FOLDERS) this.#top = new Folder('');
    return content;
  }

  /** The folder at a path, under the rules of all above it; where it is ignored itself, it is not remembered. */
  async #find(directory: DirectoryHandle, path: string, turns: Turns): Promise<Folder> {
    let folder = this.#top;
    for (const name of path === '.' ? [] : path.split('/')) {
      const { folders, chain } = await folder.look(this.#root, directory, turns);
      folder = folders.get(name) ?? new Folder(`${folder.prefix}${name}/`, chain);
    }
    return folder;
  }
}
