/**
 * Handrail's private folder. Folders are 0700 and files 0600 whatever the umask says; a link, or somebody
 * else's folder, in the way of one is refused instead of followed.
 */
import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { ReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../failure.ts';
import type { AppendFile, StateDirectory, StateLine } from '../ports.ts';
import { errnoOf, osFailure } from './os-failure.ts';

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const syncData = promisify(fdatasync);

/** Opens the state folder, making it where it is missing. */
export function localStateDirectory(path: string): StateDirectory {
  const open = new Set<string>();
  const ensure = (folder: string): void => {
    if (open.has(folder)) return;
    ensurePrivateFolder(folder);
    open.add(folder);
  };
  const file = (name: string): string => {
    const full = join(path, name);
    ensure(path);
    ensure(dirname(full));
    return full;
  };
  ensure(path);
  return {
    path,
    openAppend: (name) => new LocalAppendFile(file(name)),
    lines: (name) => readLines(join(path, name)),
    exists: (name) => existsSync(join(path, name)),
    list: (folder) => (existsSync(join(path, folder)) ? readdirSync(join(path, folder)).sort() : []),
    writeWhole: (name, content) => writePrivate(file(name), content),
    writeFrom: (name, parts) => writeParts(file(name), parts),
    readWhole: (name) => readPrivate(join(path, name)),
    readPart: (name, position, length) => readPart(join(path, name), position, length),
    remove: (name) => rmSync(join(path, name), { force: true, recursive: true }),
    privateFile: (name) => {
      const full = file(name);
      closeSync(openPrivate(full));
      return full;
    },
  };
}

function ensurePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      refuseForeign(folder, fstatSync(fd).uid);
      fchmodSync(fd, 0o700);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw stateFailure(error, folder);
  }
}

function openPrivate(path: string): number {
  try {
    const fd = openSync(path, APPEND, 0o600);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Failure('E_IO', `${JSON.stringify(path)} is not a regular file.`);
    refuseForeign(path, stat.uid);
    fchmodSync(fd, 0o600);
    return fd;
  } catch (error) {
    throw stateFailure(error, path);
  }
}

function writePrivate(path: string, content: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'w' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw stateFailure(error, path);
  }
}

/** Two may write the same content at once. */
let written = 0;

async function writeParts(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = `${path}.${process.pid}-${++written}.tmp`;
  let fd: number | undefined;
  try {
    fd = openSync(temporary, CREATE, 0o600);
    for await (const part of parts) for (let done = 0; done < part.length;) done += writeSync(fd, part, done);
    closeSync(fd);
    fd = undefined;
    renameSync(temporary, path);
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    rmSync(temporary, { force: true });
    throw stateFailure(error, path);
  }
}

function readPrivate(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw stateFailure(error, path);
  }
}

function readPart(path: string, position: number, length: number): { bytes: Uint8Array; size: number } {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
    const read = readSync(fd, bytes, 0, bytes.length, position);
    return { bytes: bytes.subarray(0, read), size };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { bytes: new Uint8Array(), size: 0 };
    throw stateFailure(error, path);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function refuseForeign(path: string, owner: number): void {
  if (owner === process.getuid?.()) return;
  throw new Failure('E_IO', `${JSON.stringify(path)} belongs to another user.`, {
    hint: 'Handrail keeps its state private. Remove it, or set XDG_STATE_HOME to a folder of your own.',
  });
}

function stateFailure(error: unknown, path: string): unknown {
  if (error instanceof Failure) return error;
  if (isLink(path)) {
    return new Failure(
      'E_IO',
      `${JSON.stringify(path)} is a link; Handrail's state is never kept behind one.`,
      {
        hint: 'Remove the link, or set XDG_STATE_HOME to another folder.',
        cause: error,
      },
    );
  }
  return osFailure(error, path);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

class LocalAppendFile implements AppendFile {
  readonly #fd: number;
  readonly #path: string;
  #size: number;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openPrivate(path);
    this.#size = fstatSync(this.#fd).size;
  }

  get size(): number {
    return this.#size;
  }

  append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done);
      this.#size += bytes.length;
    } catch (error) {
      this.#cutBack();
      throw osFailure(error, this.#path);
    }
  }

  async sync(): Promise<void> {
    await syncData(this.#fd);
  }

  truncate(size: number): void {
    ftruncateSync(this.#fd, size);
    this.#size = size;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Half a line would look like tampering later; a full disk leaves whole lines only. */
  #cutBack(): void {
    try {
      ftruncateSync(this.#fd, this.#size);
    } catch {
      // The disk refuses even this; the recovery at the next start finds the torn line.
    }
  }
}

/** Never through a link, and never waiting for the other end of a pipe. */
function openForReading(path: string): ReadStream {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (fstatSync(fd).isFile()) return createReadStream('', { fd, highWaterMark: 1 << 20 });
  closeSync(fd);
  throw new Failure('E_IO', `${JSON.stringify(path)} is not a regular file.`, {
    hint: 'Remove it: Handrail did not make it.',
  });
}

async function* readLines(path: string): AsyncGenerator<StateLine> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  try {
    for await (const chunk of openForReading(path) as AsyncIterable<Buffer>) {
      const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10, from)) {
        yield { text: buffer.toString('utf8', from, end), start: start + from, torn: false };
        from = end + 1;
      }
      rest = buffer.subarray(from);
      start += from;
    }
  } catch (error) {
    throw osFailure(error, path);
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), start, torn: true };
}
