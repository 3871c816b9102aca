/** The folder that keeps one view in Handrail's state: what was changed, whose it is, and later what was found. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Failure } from '../../../failure.ts';
import { DirectoryHandle } from '../directory-handle.ts';
import { errnoOf, osFailure } from '../os-failure.ts';
import { removeTree } from '../remove-tree.ts';
import type { FoundChanges } from './found-changes.ts';
import { modeOf, setMode, statIn } from './look.ts';

const OWNER = 'view.json';
const GONE = 'gone_';
/** What a command leaves is written to for an instant after its process was killed. */
const ATTEMPTS = 50;
const PAUSE_MS = 20;
const syncFile = promisify(fsync);

/** Whose view it is. */
export interface ViewOwner {
  /** The folder it is a view of. */
  readonly workspace: string;
  /** The process that has it, by an identity that is never used again. */
  readonly process: string;
  readonly label: string;
}

export class ViewFolder {
  readonly id: string;
  readonly path: string;

  constructor(views: string, id: string) {
    this.id = id;
    this.path = join(views, id);
  }

  /** Makes a folder for a new view; its upper layer looks like the workspace from outside. */
  static make(views: string, owner: ViewOwner, workspace: DirectoryHandle): ViewFolder {
    const folder = new ViewFolder(views, `view_${randomBytes(12).toString('hex')}`);
    const upper = join(folder.path, 'upper');
    try {
      mkdirSync(views, { recursive: true, mode: 0o700 });
      mkdirSync(folder.path, { mode: 0o700 });
      folder.setOwner(owner);
      for (const path of [upper, join(folder.path, 'work')]) mkdirSync(path, { mode: 0o700 });
      const like = workspace.identity();
      if (process.getuid?.() === 0) chownSync(upper, Number(like.uid), Number(like.gid));
      chmodSync(upper, modeOf(like));
      return folder;
    } catch (error) {
      throw osFailure(error, folder.path);
    }
  }

  setOwner(owner: ViewOwner): void {
    this.#write(OWNER, owner);
  }

  /** Undefined where it is no view, or not one any more. */
  owner(): ViewOwner | undefined {
    return this.#read(OWNER) as ViewOwner | undefined;
  }

  setFound(found: FoundChanges): void {
    this.#write('changes.json', found);
  }

  /** Undefined where the process died before anything was looked at. */
  found(): FoundChanges | undefined {
    return this.#read('changes.json') as FoundChanges | undefined;
  }

  /** Waits until what was found is on the disk. */
  async syncFound(): Promise<void> {
    const fd = openSync(join(this.path, 'changes.json'), 'r');
    try {
      await syncFile(fd);
    } finally {
      closeSync(fd);
    }
  }

  openUpper(): DirectoryHandle {
    return DirectoryHandle.openAbsolute(join(this.path, 'upper'));
  }

  /** Whether it is no view any more, and was about to be removed when its process died. */
  get isGone(): boolean {
    return this.id.startsWith(GONE);
  }

  /** Removes all of it: first its name as a view, and last whose it was, so that others can go on with it. */
  async remove(): Promise<void> {
    const path = this.isGone ? this.path : join(dirname(this.path), GONE + this.id);
    let folder: DirectoryHandle;
    try {
      renameSync(this.path, path);
      folder = DirectoryHandle.openAbsolute(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return;
      throw error;
    }
    using opened = folder;
    for (let attempt = 1; !(await emptied(opened)); attempt++) {
      // The next start goes on with it.
      if (attempt === ATTEMPTS) return;
      await delay(PAUSE_MS);
    }
    rmSync(join(path, OWNER), { force: true });
    rmdirSync(path);
  }

  #write(name: string, content: ViewOwner | FoundChanges): void {
    const path = join(this.path, name);
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  #read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(join(this.path, name), 'utf8'));
    } catch {
      return undefined;
    }
  }
}

/** Removes all but whose it was; false where somebody put something in, or took it away, meanwhile. */
async function emptied(folder: DirectoryHandle): Promise<boolean> {
  try {
    for (const name of readdirSync(folder.entry('.')).filter((one) => one !== OWNER)) {
      await openUp(folder, name);
      await removeTree(folder, name, name, { mayRemove: () => true });
    }
    return true;
  } catch (error) {
    const code = error instanceof Failure ? error.code : errnoOf(error);
    if (['ENOTEMPTY', 'ENOENT', 'E_NOT_FOUND'].includes(code ?? '')) return false;
    throw error;
  }
}

/** Commands may leave folders that their owner may not enter; the kernel's own is one. */
async function openUp(parent: DirectoryHandle, name: string | Buffer): Promise<void> {
  const found = statIn(parent, name);
  if (found?.isDirectory() !== true) return;
  if ((modeOf(found) & 0o700) !== 0o700) setMode(parent, name, 0o700);
  using directory = parent.openDirectory(name);
  for (const inner of directory.names()) await openUp(directory, inner);
}
