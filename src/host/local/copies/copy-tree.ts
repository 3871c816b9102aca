/** Brings the copies of a workspace up to date: only what changed since the last time is read. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { errnoOf } from '../os-failure.ts';
import type { Root } from '../root.ts';
import { versionOf } from '../view/look.ts';
import { Pace } from '../view/pace.ts';
import { TreeWalk } from '../view/tree-walk.ts';
import type { CopiedContents } from './copied-contents.ts';
import type { KeptEntry, KeptFile, KeptTree } from './kept-tree.ts';
import { fileOf, type Scan, type SeenFile } from './scan.ts';

/** How far the copying is. */
export interface CopyProgress {
  readonly files: number;
  readonly ofFiles: number;
  readonly bytes: number;
  readonly ofBytes: number;
}

export interface CopyRequest {
  readonly root: Root;
  readonly contents: CopiedContents;
  readonly known: KeptTree;
  readonly seen: Scan;
  /** The time of change that files get from when the look at them began, in nanoseconds. */
  readonly since: bigint;
  /** The largest file that is copied. */
  readonly fileBytes: number;
  /** How much all copies may take, and how much of it those that are yet to be made. */
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** What git wrote once and for all, under a name that is its hash. */
const GIT_OBJECT =
  /(?:^|\/)\.git\/(?:[^/]+\/)*objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]{40,64}\.(?:pack|idx))$/;

/** Files that keep changing meanwhile are given up. */
const ATTEMPTS = 3;

/** Copies what is not copied yet, as far as there is room. */
export async function copyTree(request: CopyRequest): Promise<KeptTree> {
  const { known, seen, onProgress } = request;
  const { entries, missing, keptBytes } = alreadyCopied(known, seen, request.fileBytes);
  const room = Math.min(request.totalBytes - keptBytes, request.freeBytes);
  const hasRoom = roomFor(missing, room, request.fileBytes);
  const ofBytes = missing.reduce((sum, [path, { size }]) => sum + (hasRoom(path) ? size : 0), 0);
  let [files, bytes] = [0, 0];
  const pace = new Pace(request.signal);
  using walk = new TreeWalk(request.root.open());
  for (const [path, file] of missing) {
    if (pace.isOver) {
      await pace.pass();
      onProgress?.({ files, ofFiles: missing.length, bytes, ofBytes });
    }
    const kept = await keepFile(request, walk, path, file, hasRoom(path));
    if (kept === undefined) entries.delete(path);
    else entries.set(path, kept);
    files++;
    if (hasRoom(path)) bytes += file.size;
  }
  if (missing.length > 0) onProgress?.({ files, ofFiles: files, bytes, ofBytes });
  return { entries, unseen: seen.unseen, leftBehind: known.leftBehind + bytesReplaced(known, entries) };
}

/** What has not changed since it was copied; the rest has its place already, and comes after. */
function alreadyCopied(
  known: KeptTree,
  seen: Scan,
  fileBytes: number,
): { entries: Map<string, KeptEntry>; missing: [string, SeenFile][]; keptBytes: number } {
  const entries = new Map<string, KeptEntry>();
  const missing: [string, SeenFile][] = [];
  let keptBytes = 0;
  for (const [path, entry] of seen.entries) {
    const before = known.entries.get(path);
    if (entry.kind !== 'file') entries.set(path, entry);
    else if (before?.kind === 'file' && isStillCopied(before, entry)) {
      entries.set(path, before);
      // A larger one is kept by a second name, which takes no room.
      if (entry.size <= fileBytes) keptBytes += entry.size;
    } else {
      entries.set(path, without(entry));
      missing.push([path, entry]);
    }
  }
  return { entries, missing, keptBytes };
}

function isStillCopied(before: KeptFile, now: SeenFile): boolean {
  return before.hash !== undefined && before.isFresh !== true && before.version === now.version;
}

function without({ kind, mode, size, version }: SeenFile, whyNot?: string): KeptFile {
  return { kind, mode, size, version, ...(whyNot === undefined ? {} : { whyNot }) };
}

/** Where not all fit, the smallest go first: that are the most. */
function roomFor(
  missing: readonly [string, SeenFile][],
  bytes: number,
  fileBytes: number,
): (path: string) => boolean {
  const small = missing.filter(([, { size }]) => size <= fileBytes);
  const fitting = new Set<string>();
  let left = bytes;
  for (const [path, { size }] of small.sort(([, one], [, other]) => one.size - other.size)) {
    left -= size;
    if (left < 0) break;
    fitting.add(path);
  }
  return (path) => fitting.has(path);
}

/** Undefined where the file is gone. */
async function keepFile(
  request: CopyRequest,
  walk: TreeWalk,
  path: string,
  file: SeenFile,
  hasRoom: boolean,
): Promise<KeptFile | undefined> {
  const isLarge = file.size > request.fileBytes;
  try {
    if (hasRoom) return await copyFile(request, walk, path, file);
    if (isLarge && GIT_OBJECT.test(path)) return await linkFile(request, walk, path, file);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (errno === 'ENOENT') return undefined;
    if (errno === 'EACCES') return without(file, 'it may not be read');
    if (!isLarge) return without(file, `the operating system answered ${errno}`);
  }
  const limit = `${Math.floor(request.fileBytes / 2 ** 20)} MiB`;
  return without(file, isLarge ? `it is larger than ${limit}` : 'there is no room for it');
}

async function copyFile(
  { contents, since }: CopyRequest,
  walk: TreeWalk,
  path: string,
  file: SeenFile,
): Promise<KeptFile> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { folder, name } = walk.parentOf(path);
    const fd = openSync(folder.entry(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const before = fstatSync(fd, { bigint: true });
      if (!before.isFile()) break;
      const hash = await contents.keep(fd);
      const after = fstatSync(fd, { bigint: true });
      if (versionOf(before) === versionOf(after))
        return { ...without(fileOf(after)), hash, ...(after.ctimeNs < since ? {} : { isFresh: true }) };
    } finally {
      closeSync(fd);
    }
  }
  return without(file, 'it changed while it was copied');
}

/** The content is read all the same, for its hash. */
async function linkFile(
  { contents }: CopyRequest,
  walk: TreeWalk,
  path: string,
  file: SeenFile,
): Promise<KeptFile> {
  const { folder, name } = walk.parentOf(path);
  const linked = await contents.link(folder.entry(name));
  if (linked === undefined) return without(file, 'it changed while it was copied');
  return { ...without(fileOf(linked.found)), hash: linked.hash };
}

/** The least that a file takes on most disks. */
const BLOCK_BYTES = 4_096;

/** How much room is taken by copies that the tree before had and this one has not. */
function bytesReplaced(known: KeptTree, entries: ReadonlyMap<string, KeptEntry>): number {
  let bytes = 0;
  for (const [path, before] of known.entries) {
    if (before.kind !== 'file' || before.hash === undefined) continue;
    const now = entries.get(path);
    if (now?.kind !== 'file' || now.hash !== before.hash) bytes += before.size + BLOCK_BYTES;
  }
  return bytes;
}
