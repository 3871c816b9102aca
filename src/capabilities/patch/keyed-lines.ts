/** A file's lines with their keys for each tolerance, made once and only where they are needed. */
import type { Line } from './text-lines.ts';
import type { Tolerance } from './tolerance.ts';
import { isTypographic } from './typography.ts';

/** A line that stands in no more places than this is looked up; for others the whole file is gone through. */
const FEW = 32;

export class KeyedLines {
  readonly lines: readonly Line[];
  readonly #hasTypography: boolean;
  readonly #keys = new Map<Tolerance, readonly string[]>();
  readonly #places = new Map<Tolerance, ReadonlyMap<string, readonly number[]>>();

  /** `sought` is what will be looked for. */
  constructor(lines: readonly Line[], sought: readonly Pick<Line, 'text'>[]) {
    this.lines = lines;
    this.#hasTypography = [lines, sought].some((all) => all.some(({ text }) => isTypographic(text)));
  }

  /** Those of the tolerances that can make a difference here. */
  useful(tolerances: readonly Tolerance[]): readonly Tolerance[] {
    return this.#hasTypography ? tolerances : tolerances.filter(({ isPlain }) => !isPlain);
  }

  keys(tolerance: Tolerance): readonly string[] {
    const known = this.#keys.get(tolerance);
    if (known !== undefined) return known;
    const keys = this.lines.map(tolerance.key);
    this.#keys.set(tolerance, keys);
    return keys;
  }

  /** Every place where a sequence of keys stands, in about linear time whatever the two look like. */
  find(tolerance: Tolerance, wanted: readonly string[]): number[] {
    if (wanted.length === 0 || wanted.length > this.lines.length) return [];
    const places = this.#placesOf(tolerance);
    let [rarest, fewest] = [0, Number.POSITIVE_INFINITY];
    for (const [index, key] of wanted.entries()) {
      const count = places.get(key)?.length ?? 0;
      if (count === 0) return [];
      if (count < fewest) [rarest, fewest] = [index, count];
    }
    const keys = this.keys(tolerance);
    if (fewest > FEW) return findSequence(keys, wanted);
    return places
      .get(wanted[rarest]!)!
      .map((at) => at - rarest)
      .filter((start) => start >= 0 && wanted.every((key, index) => keys[start + index] === key));
  }

  #placesOf(tolerance: Tolerance): ReadonlyMap<string, readonly number[]> {
    const known = this.#places.get(tolerance);
    if (known !== undefined) return known;
    const places = new Map<string, number[]>();
    for (const [index, key] of this.keys(tolerance).entries()) {
      const of = places.get(key);
      if (of === undefined) places.set(key, [index]);
      else of.push(index);
    }
    this.#places.set(tolerance, places);
    return places;
  }
}

/** Goes through a sequence once (Knuth, Morris, Pratt). */
function findSequence(all: readonly string[], wanted: readonly string[]): number[] {
  const back = overlaps(wanted);
  const places: number[] = [];
  let matched = 0;
  for (const [index, item] of all.entries()) {
    while (matched > 0 && (matched === wanted.length || wanted[matched] !== item))
      matched = back[matched - 1]!;
    if (wanted[matched] === item) matched++;
    if (matched === wanted.length) places.push(index - matched + 1);
  }
  return places;
}

/** For each beginning of the sequence: how long a shorter beginning it ends with. */
function overlaps(wanted: readonly string[]): number[] {
  const back = [0];
  for (let index = 1, length = 0; index < wanted.length; index++) {
    while (length > 0 && wanted[length] !== wanted[index]) length = back[length - 1]!;
    if (wanted[length] === wanted[index]) length++;
    back.push(length);
  }
  return back;
}
