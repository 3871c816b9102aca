/** A file in chunks, of which the last is held: most files are one, which is scanned for its lines and then is the page. */
import type { OpenFile } from '../../host/ports.ts';

export const CHUNK_BYTES = 256 * 1024;
/** Room for what a file has grown by since it was opened. */
export const GROWTH_BYTES = 4096;
const NOTHING = new Uint8Array();

export class Chunks {
  readonly #file: OpenFile;
  #held: Uint8Array = NOTHING;
  #heldAt = 0;
  /** Where the file was seen to end. */
  #end = Number.POSITIVE_INFINITY;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  /** What starts at a position, in a buffer no larger than needed: large ones are what the garbage collector stops for. */
  async at(position: number): Promise<Uint8Array> {
    if (position === this.#end) return NOTHING;
    if (position === this.#heldAt && this.#held.length > 0) return this.#held;
    const { size } = this.#file.stat;
    const length = Math.min(Math.max(size - position, 0) + GROWTH_BYTES, CHUNK_BYTES);
    this.#held = await this.#file.read(position, length);
    this.#heldAt = position;
    const end = position + this.#held.length;
    // Less than was asked for is not the end yet where the file is known to be longer.
    if (this.#held.length < length && end >= size) this.#end = end;
    return this.#held;
  }
}
