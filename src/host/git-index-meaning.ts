/**
 * What git's index means: its entries without what the file system said of them. Git writes it anew whenever it looked
 * at files, an editor's git too; only another meaning is a change. Versions 2 to 4, ids of SHA-1 and SHA-256.
 */
import { createHash, hash } from 'node:crypto';

/** A larger index is compared by its bytes. */
export const MAX_INDEX_BYTES = 64 * 1024 * 1024;

const INDEX = /(?:^|\/)\.git\/(?:worktrees\/[^/]+\/|modules\/(?:[^/]+\/)+)?index$/;

/** Whether a workspace path is where git keeps an index. */
export function isGitIndex(path: string): boolean {
  return INDEX.test(path);
}

/** The same text for the same entries; undefined where the content is no whole index, or shares one with another file. */
export function gitIndexMeaning(content: Uint8Array): string | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.length > MAX_INDEX_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  for (const [algorithm, idBytes] of ID_BYTES) {
    const meaning = isWhole(bytes, algorithm, idBytes) ? meaningOf(bytes, idBytes) : undefined;
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

const ID_BYTES: readonly (readonly [algorithm: string, idBytes: number])[] = [
  ['sha1', 20],
  ['sha256', 32],
];

/** The end is a hash of the rest; or nothing but zeros, where git is told to save the time. */
function isWhole(bytes: Buffer, algorithm: string, idBytes: number): boolean {
  const end = bytes.length - idBytes;
  if (end < HEADER_BYTES) return false;
  const written = bytes.subarray(end);
  return (
    written.every((byte) => byte === 0) || written.equals(hash(algorithm, bytes.subarray(0, end), 'buffer'))
  );
}

const HEADER_BYTES = 12;
/** Times, device and inode; then the mode, and owner and size after it. */
const BEFORE_MODE_BYTES = 24;
const BEFORE_ID_BYTES = 40;
const MAX_NAME_BYTES = 4_096;
/** Names that leave out what they share with the one before can stand for much more than the file holds. */
const MAX_MEANING_BYTES = 4 * MAX_INDEX_BYTES;

/** Stage and assume-valid are kept; of the further flags, skip-worktree and intent-to-add. */
const FLAGS = { hasMore: 0x4000, kept: 0xb000, keptOfMore: 0x6000 };

function meaningOf(bytes: Buffer, idBytes: number): string | undefined {
  try {
    return hashEntries(bytes, idBytes);
  } catch (error) {
    // Somewhere a number led out of the content.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function hashEntries(bytes: Buffer, idBytes: number): string | undefined {
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - idBytes;
  const meaning = createHash('sha256').update(`${idBytes}\n`);
  let [at, name, total] = [HEADER_BYTES, Buffer.alloc(0), 0];
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(bytes.subarray(at, end), version, idBytes, name);
    if (entry === undefined) return undefined;
    at += entry.length;
    name = entry.name;
    total += BEFORE_ID_BYTES + name.length;
    if (name.length > MAX_NAME_BYTES || total > MAX_MEANING_BYTES) return undefined;
    meaning.update(entry.head).update(name);
  }
  return at <= end && hasKnownExtensions(bytes.subarray(at, end)) ? meaning.digest('hex') : undefined;
}

interface IndexEntry {
  readonly length: number;
  /** Mode, flags, length of the name, id. */
  readonly head: Buffer;
  readonly name: Buffer<ArrayBuffer>;
}

function readEntry(bytes: Buffer, version: number, idBytes: number, before: Buffer): IndexEntry | undefined {
  const idEnd = BEFORE_ID_BYTES + idBytes;
  const flags = bytes.readUInt16BE(idEnd);
  const hasMore = version > 2 && (flags & FLAGS.hasMore) !== 0;
  const more = hasMore ? bytes.readUInt16BE(idEnd + 2) : 0;
  const behindFlags = idEnd + (hasMore ? 4 : 2);
  const { value: dropped, end: nameStart } =
    version === 4 ? readVariable(bytes, behindFlags) : { value: before.length, end: behindFlags };
  const nameEnd = bytes.indexOf(0, nameStart);
  if (dropped > before.length || nameEnd === -1) return undefined;
  const shared = before.subarray(0, before.length - dropped);
  const name = Buffer.concat([shared, bytes.subarray(nameStart, nameEnd)]);
  const numbers = Buffer.allocUnsafe(10);
  bytes.copy(numbers, 0, BEFORE_MODE_BYTES, BEFORE_MODE_BYTES + 4);
  numbers.writeUInt16BE(flags & FLAGS.kept, 4);
  numbers.writeUInt16BE(more & FLAGS.keptOfMore, 6);
  numbers.writeUInt16BE(Math.min(name.length, MAX_NAME_BYTES), 8);
  return {
    // Older versions fill up with zeros, at least one, to a multiple of eight.
    length: version === 4 ? nameEnd + 1 : (nameEnd + 8) & ~7,
    head: Buffer.concat([numbers, bytes.subarray(BEFORE_ID_BYTES, idEnd)]),
    name,
  };
}

/** How much of the name before is dropped: seven bits a byte, each further one counting from one more. */
function readVariable(bytes: Buffer, start: number): { value: number; end: number } {
  let [at, value] = [start, 0];
  for (;;) {
    const byte = bytes.readUInt8(at++);
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, end: at };
    value++;
  }
}

/** Extensions with a capital first letter only save git time; of the others, one says that directories may be entries. */
function hasKnownExtensions(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    if (!/^[A-Z]/.test(name) && name !== 'sdir') return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length;
}
