/** What is kept of a stream that may never end: all of it up to a limit, then its head and its tail, or its tail. */

export interface KeptOutput {
  add(chunk: Uint8Array): void;
  readonly total: number;
  readonly isTruncated: boolean;
  /** What was kept; where something is missing, a line says how much. */
  bytes(): Buffer;
}

/** Keeps `limit` bytes of a stream in memory that does not grow with it. */
export function keptOutput(limit: number, keep: 'head-and-tail' | 'tail'): KeptOutput {
  const headLimit = keep === 'tail' ? 0 : Math.ceil(limit / 2);
  const head = new Ring(headLimit);
  const tail = new Ring(limit - headLimit);
  let total = 0;
  return {
    add(chunk) {
      const room = Math.max(0, headLimit - total);
      total += chunk.length;
      if (room > 0) head.add(chunk.subarray(0, room));
      if (chunk.length > room) tail.add(chunk.subarray(room));
    },
    get total() {
      return total;
    },
    get isTruncated() {
      return total > limit;
    },
    bytes() {
      if (total <= limit) return Buffer.concat([head.bytes(), tail.bytes()]);
      const [start, end] = [withoutTornEnd(head.bytes()), withoutTornStart(tail.bytes())];
      const notice = `${start.length > 0 ? '\n' : ''}[output truncated]\n`;
      return Buffer.concat([start, Buffer.from(notice), end]);
    },
  };
}

/** The last bytes of a stream; the memory grows up to the limit and then goes round. */
class Ring {
  readonly #limit: number;
  #memory = Buffer.alloc(0);
  #seen = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    const part = chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk;
    this.#seen += chunk.length - part.length;
    this.#grow(Math.min(this.#limit, this.#seen + part.length));
    const at = this.#limit === 0 ? 0 : this.#seen % this.#limit;
    const first = part.subarray(0, this.#limit - at);
    this.#memory.set(first, at);
    this.#memory.set(part.subarray(first.length), 0);
    this.#seen += part.length;
  }

  bytes(): Buffer {
    if (this.#seen <= this.#limit) return this.#memory.subarray(0, this.#seen);
    const at = this.#seen % this.#limit;
    return Buffer.concat([this.#memory.subarray(at), this.#memory.subarray(0, at)]);
  }

  #grow(needed: number): void {
    if (needed <= this.#memory.length) return;
    const larger = Buffer.alloc(Math.min(this.#limit, Math.max(needed, 2 * this.#memory.length)));
    larger.set(this.#memory);
    this.#memory = larger;
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** A character that the cut went through is left out whole. */
function withoutTornEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}
