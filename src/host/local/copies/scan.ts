/** Looks at everything in a workspace once, from handle to handle and never through a link. Contents are not read. */
import { isUtf8 } from 'node:buffer';
import { type BigIntStats, readlinkSync, statfsSync } from 'node:fs';
import { isTemporary } from '../../temporary-name.ts';
import type { DirectoryHandle, EntryName } from '../directory-handle.ts';
import { errnoOf } from '../os-failure.ts';
import type { Root } from '../root.ts';
import { modeOf, statIn, versionOf } from '../view/look.ts';
import { Pace } from '../view/pace.ts';

export type SeenEntry =
  | SeenFile
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other'; readonly version: string };

export interface SeenFile {
  readonly kind: 'file';
  readonly mode: number;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly version: string;
  /** When it changed last, in nanoseconds. */
  readonly changed: bigint;
}

/** A workspace at one moment. */
export interface Scan {
  /** By path; parents come before what they hold. */
  readonly entries: ReadonlyMap<string, SeenEntry>;
  /** Places of which nothing is known, and why, as the end of a sentence. */
  readonly unseen: ReadonlyMap<string, string>;
}

export interface ScanRequest {
  readonly maxEntries: number;
  /** A directory that is none of the workspace's business. */
  readonly leftOut?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Others come first, should there be more than is looked at. */
const LAST = new Set(['node_modules']);

/** Looks at the whole workspace; other work comes between. */
export async function scan(root: Root, request: ScanRequest): Promise<Scan> {
  using scanner = new Scanner(request);
  await scanner.lookBelow(root.open());
  return scanner;
}

/** A directory on the way to the one that is looked at. */
interface Level {
  readonly directory: DirectoryHandle;
  readonly device: bigint;
  /** Its path with a slash behind it; nothing for the root. */
  readonly prefix: string;
  /** Directories in it that were not entered yet, the next one last. */
  readonly pending: string[];
}

class Scanner implements Scan, Disposable {
  readonly entries = new Map<string, SeenEntry>();
  readonly unseen = new Map<string, string>();
  readonly #request: ScanRequest;
  readonly #pace: Pace;
  readonly #levels: Level[] = [];

  constructor(request: ScanRequest) {
    this.#request = request;
    this.#pace = new Pace(request.signal);
  }

  async lookBelow(top: DirectoryHandle): Promise<void> {
    await this.#enter(top, '');
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const name = level.pending.pop();
      if (name === undefined) this.#levels.pop()!.directory[Symbol.dispose]();
      else await this.#tryToEnter(level, name);
    }
  }

  async #tryToEnter({ directory, prefix }: Level, name: string): Promise<void> {
    const path = prefix + name;
    try {
      await this.#enter(directory.openDirectory(name), `${path}/`);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      // It may be gone meanwhile; then nothing is in it.
      if (errno !== 'ENOENT') this.unseen.set(path, `the operating system answered ${errno}`);
    }
  }

  async #enter(directory: DirectoryHandle, prefix: string): Promise<void> {
    const { dev: device } = directory.identity();
    const level: Level = { directory, device, prefix, pending: [] };
    const above = this.#levels.at(-1);
    this.#levels.push(level);
    const path = prefix === '' ? '.' : prefix.slice(0, -1);
    if (above !== undefined && above.device !== device && isOfTheSystem(directory)) {
      this.unseen.set(path, 'it is a file system of the system itself');
      return;
    }
    const names = directory.names();
    if (this.entries.size + names.length > this.#request.maxEntries) {
      this.unseen.set(path, `there are more than ${this.#request.maxEntries} entries`);
      return;
    }
    for (const name of names) {
      if (this.#pace.isOver) await this.#pace.pass();
      this.#look(level, name);
    }
    level.pending.sort(lastFirst);
  }

  #look({ directory, prefix, pending }: Level, name: EntryName): void {
    const path = prefix + name.toString();
    if (typeof name !== 'string') {
      this.unseen.set(path, 'its name is not UTF-8');
      return;
    }
    if (isTemporary(name) || path === this.#request.leftOut) return;
    const found = statIn(directory, name);
    if (found === undefined) return;
    this.entries.set(path, seenAs(directory, name, found));
    if (found.isDirectory()) pending.push(name);
  }

  [Symbol.dispose](): void {
    for (const { directory } of this.#levels.splice(0)) directory[Symbol.dispose]();
  }
}

function lastFirst(one: string, other: string): number {
  return Number(LAST.has(other)) - Number(LAST.has(one)) || (one < other ? 1 : -1);
}

/** What a stat says of a regular file. */
export function fileOf(found: BigIntStats): SeenFile {
  return {
    kind: 'file',
    mode: modeOf(found),
    size: Number(found.size),
    version: versionOf(found),
    changed: found.ctimeNs,
  };
}

function seenAs(directory: DirectoryHandle, name: string, found: BigIntStats): SeenEntry {
  if (found.isFile()) return fileOf(found);
  if (found.isDirectory()) return { kind: 'directory', mode: modeOf(found) };
  const target = found.isSymbolicLink() ? targetOf(directory, name) : undefined;
  return target === undefined ? { kind: 'other', version: versionOf(found) } : { kind: 'link', target };
}

/** Undefined where it is gone, or can't be told. */
function targetOf(directory: DirectoryHandle, name: string): string | undefined {
  try {
    const target = readlinkSync(directory.entry(name), { encoding: 'buffer' });
    return isUtf8(target) ? target.toString() : undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Such as `/proc`: what is in it is made up when it is read. */
function isOfTheSystem(directory: DirectoryHandle): boolean {
  return statfsSync(directory.entry('.')).blocks === 0;
}
