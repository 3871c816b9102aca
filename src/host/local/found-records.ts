/** Cuts the output of a search into records: `path NUL line : offset : text`, with dashes for context. A path may hold line breaks. */
import { isUtf8 } from 'node:buffer';

/** A line as ripgrep reports it. */
export interface FoundRecord {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** Where the line starts in the file. */
  readonly offset: number;
  readonly isContext: boolean;
  /** The line, or the start of a long one. */
  readonly bytes: Buffer;
}

const NEWLINE = 10;
const HEAD = /^(\d+)([:-])(\d+)\2/;
const LONGEST_HEAD = 48;
/** What is said about a binary file stands between records, without a NUL of its own. */
const REMARK = /^.*: (binary file matches|WARNING: stopped searching binary file) .*\n/;

export class FoundRecords {
  #rest: Buffer = Buffer.alloc(0);
  readonly #visit: (record: FoundRecord) => boolean;

  constructor(visit: (record: FoundRecord) => boolean) {
    this.#visit = visit;
  }

  /** Says whether more is wanted. */
  take(chunk: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const nul = bytes.indexOf(0, start);
      const end = nul === -1 ? -1 : bytes.indexOf(NEWLINE, nul);
      if (end === -1) break;
      const record = toRecord(bytes.subarray(start, nul), bytes.subarray(nul + 1, end));
      start = end + 1;
      if (record !== undefined && !this.#visit(record)) return false;
    }
    this.#rest = bytes.subarray(start);
    return true;
  }
}

function toRecord(name: Buffer, rest: Buffer): FoundRecord | undefined {
  const path = toPath(name);
  const head = HEAD.exec(rest.toString('latin1', 0, LONGEST_HEAD));
  if (path === undefined || head === null) return undefined;
  const [whole, line, mark, offset] = head;
  return {
    path,
    line: Number(line),
    offset: Number(offset),
    isContext: mark === '-',
    bytes: rest.subarray(whole.length),
  };
}

/** A name that is not UTF-8 can't be given to any tool, so it is not shown. */
function toPath(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  let written = bytes.toString();
  while (REMARK.test(written)) written = written.replace(REMARK, '');
  return written.startsWith('./') ? written.replace(/^\.\/(\.\/)*/, '') : undefined;
}
