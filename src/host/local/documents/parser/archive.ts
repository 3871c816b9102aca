/**
 * The zip that a document is. It is looked at as a whole before any of it is unpacked, and unpacked only in memory, part
 * by part, up to the size that it declared. What parsers get to see is made anew from that.
 */
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { Failure } from '../../../../failure.ts';
import { damaged, encrypted } from './trouble.ts';

const MEBIBYTE = 2 ** 20;
const MAX_PARTS = 10_000;
const MAX_PART_BYTES = 512 * MEBIBYTE;
const MAX_TOTAL_BYTES = 1024 * MEBIBYTE;
/** Text is packed to a hundredth at best; what is smaller than this may be packed as it likes. */
const MAX_RATIO = 200;
const SMALL_BYTES = 4 * MEBIBYTE;
const PIECE_BYTES = 256 * 1024;

export interface Archive {
  /** In their order. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked, as it declares. */
  sizeOf(name: string): number;
  /** A whole part of at most so many bytes. */
  read(name: string, maxBytes: number): Promise<Buffer>;
  /** A part of any size, piece by piece. */
  pieces(name: string): AsyncIterable<Buffer>;
}

/** Opens a zip, where everything about it is as it should be. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const { zip, entries } = await entriesOf(bytes);
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry === undefined) throw damaged(`the part ${JSON.stringify(name)} is missing`);
    return entry;
  };
  const packed = async (entry: Entry): Promise<Buffer> => {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  };
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    sizeOf: (name) => entryOf(name).uncompressedSize,
    async read(name, maxBytes) {
      const entry = entryOf(name);
      const { uncompressedSize: size } = entry;
      if (size > maxBytes) throw tooLarge(`its part ${JSON.stringify(name)} has ${size} bytes`);
      const content = await packed(entry);
      const whole = isStored(entry) ? content : unpack(content, size);
      if (whole.length !== size || crc32(whole) !== entry.crc32) throw notIntact(name);
      return whole;
    },
    async *pieces(name) {
      const entry = entryOf(name);
      const content = await packed(entry);
      let left = entry.uncompressedSize;
      const stream = isStored(entry) ? [content] : createInflateRaw({ chunkSize: PIECE_BYTES }).end(content);
      for await (const piece of stream as AsyncIterable<Buffer>) {
        left -= piece.length;
        if (left < 0) throw notIntact(name);
        yield piece;
      }
      if (left > 0) throw notIntact(name);
    },
  };
}

const STORED = 0;
const DEFLATED = 8;

function isStored({ compressionMethod }: Entry): boolean {
  return compressionMethod === STORED;
}

/** A part that declares less than it has is not unpacked any further. */
function unpack(content: Buffer, size: number): Buffer {
  return inflateRawSync(content, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size) });
}

function notIntact(name: string): Failure {
  return damaged(`the part ${JSON.stringify(name)} is not intact`);
}

async function entriesOf(bytes: Buffer): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
  const seen = new Set<string>();
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { strictFileNames: true });
    if (zip.entryCount > MAX_PARTS) throw tooLarge(`it holds ${zip.entryCount} parts`);
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      check(entry);
      total += entry.uncompressedSize;
      if (total > MAX_TOTAL_BYTES) throw tooLarge('it unpacks to more than 1 GiB');
      // Readers disagree about which of two parts counts, and about whether case matters.
      const folded = entry.fileName.toLowerCase();
      if (seen.has(folded)) throw unsafe(`holds ${JSON.stringify(entry.fileName)} twice`);
      seen.add(folded);
      entries.set(entry.fileName, entry);
    }
    return { zip, entries };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const message = (error as Error).message;
    if (/^(?:absolute path|invalid relative path|invalid characters in fileName)/.test(message))
      throw unsafe(`holds a name that leads out of it (${message.slice(0, 100)})`);
    throw damaged(message);
  }
}

const LINK = 0o120000;
const KIND_BITS = 0o170000;

function check(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) throw encrypted();
  if (((entry.externalFileAttributes >>> 16) & KIND_BITS) === LINK)
    throw unsafe(`holds a link (${JSON.stringify(fileName)})`);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw damaged(`the part ${JSON.stringify(fileName)} is packed in a way that office programs don't use`);
  if (uncompressedSize > MAX_PART_BYTES)
    throw tooLarge(`its part ${JSON.stringify(fileName)} unpacks to ${uncompressedSize} bytes`);
  if (uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
    throw tooLarge(
      `its part ${JSON.stringify(fileName)} unpacks to ${uncompressedSize} bytes from ${compressedSize}`,
    );
}

function tooLarge(why: string): Failure {
  return new Failure('E_TOO_LARGE', `The document is too large to be unpacked: ${why}.`, {
    details: { reason: 'limit' },
  });
}

function unsafe(what: string): Failure {
  return new Failure('E_UNSUPPORTED', `The document is refused: it ${what}.`, {
    hint: 'No office program writes that. Nothing of it was unpacked.',
    details: { reason: 'unsafe' },
  });
}
