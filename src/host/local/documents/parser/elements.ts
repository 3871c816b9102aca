/**
 * Takes a large XML part apart while it is unpacked: what stands before its list, every element of the list, and what
 * stands behind it. Never more than one element is held, however large the part is.
 */
import { Failure } from '../../../../failure.ts';
import { refuseUnsafe } from './xml.ts';

/** A list in a part: `row` in `sheetData`, `si` in `sst`. */
export interface ListNames {
  readonly list: string;
  readonly element: string;
}

export interface Surroundings {
  /** With the opening tag of the list. */
  readonly head: Buffer;
  /** From the closing tag of the list on; empty where nobody wanted to go on so far. */
  readonly tail: Buffer;
  /** What stands before names, such as `x:`. */
  readonly prefix: string;
}

const MEBIBYTE = 2 ** 20;
const MAX_HELD_BYTES = 32 * MEBIBYTE;
/** What stands before a list is columns and views; it is looked through again with every piece that comes. */
const MAX_HEAD_BYTES = 4 * MEBIBYTE;

/** Visits every element until `visit` says no. */
export async function visitElements(
  stream: AsyncIterable<Buffer>,
  names: ListNames,
  visit: (element: Buffer) => boolean,
): Promise<Surroundings> {
  const scan = new Scan(names, visit);
  for await (const chunk of stream) if (!scan.take(chunk)) break;
  return scan.surroundings();
}

class Scan {
  readonly #names: ListNames;
  readonly #visit: (element: Buffer) => boolean;
  /** Of the part, what is still to be looked at. */
  #held: Buffer = Buffer.alloc(0);
  /** Up to here it was looked at in vain. */
  #searched = 0;
  /** Up to here the end of the element under way was looked for in vain. */
  #innerSearched = 0;
  #head: Buffer | undefined;
  #prefix = '';
  #marks: Marks | undefined;
  readonly #tail: Buffer[] = [];
  #tailBytes = 0;
  #isBehind = false;

  constructor(names: ListNames, visit: (element: Buffer) => boolean) {
    this.#names = names;
    this.#visit = visit;
  }

  /** Returns whether more is wanted. */
  take(chunk: Buffer): boolean {
    if (this.#isBehind) this.#addTail(chunk);
    else this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const limit = this.#head === undefined ? MAX_HEAD_BYTES : MAX_HELD_BYTES;
    if (this.#held.length + this.#tailBytes > limit) throw tooLargePiece();
    if (this.#head === undefined) this.#findList();
    while (this.#head !== undefined && !this.#isBehind) {
      const element = this.#nextElement();
      if (element === undefined) break;
      if (!this.#visit(element)) return false;
    }
    return true;
  }

  surroundings(): Surroundings {
    const head = this.#head ?? refuseUnsafe(this.#held);
    return { head, tail: Buffer.concat(this.#tail), prefix: this.#prefix };
  }

  /** The opening tag of the list. */
  #findList(): void {
    const text = this.#held.toString('latin1');
    const found = new RegExp(`<((?:\\w+:)?)${this.#names.list}(?:\\s[^>]*)?>`).exec(text);
    if (found === null) return;
    const end = found.index + found[0].length;
    const prefix = found[1]!;
    const { list, element } = this.#names;
    this.#prefix = prefix;
    this.#marks = {
      opening: Buffer.from(`<${prefix}${element}`),
      closing: Buffer.from(`</${prefix}${element}>`),
      listEnd: Buffer.from(`</${prefix}${list}`),
    };
    this.#head = refuseUnsafe(this.#held.subarray(0, end));
    this.#drop(end);
    if (found[0].endsWith('/>')) this.#goBehind();
  }

  #nextElement(): Buffer | undefined {
    const start = this.#findStart();
    if (start === undefined) return undefined;
    const end = this.#endOf(start);
    if (end === undefined) return undefined;
    const element = this.#held.subarray(start, end);
    this.#drop(end);
    return element;
  }

  /** Where the next element starts; the end of the list ends the search. */
  #findStart(): number | undefined {
    const { opening, listEnd } = this.#marks!;
    for (let at = this.#searched; ; at++) {
      at = this.#held.indexOf(LESS, at);
      // Half a tag is not looked at yet.
      if (at === -1 || at + listEnd.length >= this.#held.length) {
        this.#searched = at === -1 ? this.#held.length : at;
        return undefined;
      }
      if (this.#isAt(opening, at) && ENDS_NAME.has(this.#held[at + opening.length]!)) return at;
      if (this.#isAt(listEnd, at)) {
        this.#drop(at);
        this.#goBehind();
        return undefined;
      }
    }
  }

  #endOf(start: number): number | undefined {
    const tagEnd = this.#held.indexOf(GREATER, start);
    if (tagEnd === -1) return this.#waitAt(start);
    if (this.#held[tagEnd - 1] === SLASH) return tagEnd + 1;
    const { closing } = this.#marks!;
    const end = this.#held.indexOf(closing, Math.max(tagEnd, this.#innerSearched));
    if (end !== -1) return end + closing.length;
    this.#innerSearched = Math.max(tagEnd, this.#held.length - closing.length);
    return this.#waitAt(start);
  }

  #waitAt(start: number): undefined {
    this.#searched = start;
    return undefined;
  }

  #isAt(mark: Buffer, at: number): boolean {
    for (let index = 0; index < mark.length; index++)
      if (this.#held[at + index] !== mark[index]) return false;
    return true;
  }

  #drop(end: number): void {
    this.#held = this.#held.subarray(end);
    this.#searched = 0;
    this.#innerSearched = 0;
  }

  #goBehind(): void {
    this.#isBehind = true;
    this.#addTail(this.#held);
    this.#held = Buffer.alloc(0);
  }

  #addTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
  }
}

/** What elements are told by, as bytes: text would be encoded anew for each of them. */
interface Marks {
  readonly opening: Buffer;
  readonly closing: Buffer;
  readonly listEnd: Buffer;
}

const [LESS, GREATER, SLASH] = ['<', '>', '/'].map((sign) => sign.charCodeAt(0)) as [number, number, number];
const ENDS_NAME = new Set(Array.from(' \t\r\n/>', (sign) => sign.charCodeAt(0)));

function tooLargePiece(): Failure {
  return new Failure(
    'E_TOO_LARGE',
    'A single part of the document is too large: a row, a text, or what stands around the rows.',
    {
      details: { reason: 'limit' },
    },
  );
}
