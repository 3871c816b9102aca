/**
 * Where a hunk belongs, as far as the hunk alone can say: the places that fit at the strictest tolerance at which any
 * does. Context at its edges is left out of account last, and only where what remains fits in a single place.
 */
import { changedSpan, findPlaces, isNumberEnough, MAX_PLACES, type Place, toFit } from './find-places.ts';
import { edges, type Hunk, type HunkLine, newSide, oldSide } from './hunk.ts';
import type { KeyedLines } from './keyed-lines.ts';
import { EXACT, LINE_ENDINGS, type Tolerance, TOLERANCES } from './tolerance.ts';

export type Placing =
  | { readonly kind: 'fits'; readonly places: readonly Place[] }
  /** The new side is there, the old one is not. */
  | { readonly kind: 'already'; readonly places: readonly Place[] }
  /** More places than can be told apart. */
  | { readonly kind: 'crowded'; readonly places: readonly Place[] }
  | { readonly kind: 'absent' };

/** Looks for a hunk in a file. */
export function placeHunk(hunk: Hunk, file: KeyedLines): Placing {
  const inPlace = (places: readonly Place[]): Place[] =>
    hunk.atEnd ? places.filter(({ start, length }) => start + length === file.lines.length) : [...places];
  const readings = readingsOf(hunk);
  if (oldSide(hunk.lines).length === 0) return placeAddition(hunk, file);
  for (const tolerance of file.useful(TOLERANCES)) {
    for (const lines of readings) {
      const places = inPlace(findPlaces(lines, file, tolerance, hunk.line));
      if (places.length > MAX_PLACES) return inCrowd(places, hunk);
      if (places.length > 0) return { kind: 'fits', places };
    }
  }
  const already = inPlace(findApplied(hunk, file));
  if (already.length > 0) return { kind: 'already', places: already };
  const trimmed = inPlace(readings.flatMap((lines) => findTrimmed(lines, file)));
  return trimmed.length > 0 ? { kind: 'fits', places: trimmed } : { kind: 'absent' };
}

/** Among very many places only the line a hunk names tells. */
function inCrowd(places: readonly Place[], { line }: Hunk): Placing {
  const named = places.find(({ start }) => start + 1 === line);
  return named !== undefined && isNumberEnough(named)
    ? { kind: 'fits', places: [named] }
    : { kind: 'crowded', places };
}

/** Lines that only come have a place in an empty file, or where they are said to come last. */
function placeAddition(hunk: Hunk, { lines }: KeyedLines): Placing {
  if (lines.length > 0 && !hunk.atEnd) return { kind: 'absent' };
  const tolerance = lines.length > 0 ? LINE_ENDINGS : EXACT;
  const place = { ...toFit(hunk.lines, tolerance), start: lines.length, indents: new Map() };
  return { kind: 'fits', places: [place] };
}

/** The lines as they are marked; and, where some lines have no mark, as if none that stays had one. */
function readingsOf({ lines }: Hunk): HunkLine[][] {
  if (!lines.some(({ bare, text }) => bare === true && text !== '')) return [lines];
  const unmarked = lines.map((line) =>
    line.mark === ' ' && line.bare !== true ? { ...line, text: ` ${line.text}` } : line,
  );
  return [lines, unmarked];
}

/** Where the new side stands already. Lines that only go leave nothing to be recognised by but what stood around them. */
function findApplied({ lines }: Hunk, file: KeyedLines): Place[] {
  const applied = newSide(lines).map((line): HunkLine => ({ ...line, mark: ' ' }));
  const hasAdded = lines.some(({ mark }) => mark === '+');
  const { front, back } = edges(lines);
  if (!hasAdded && (front === 0 || back === 0)) return [];
  const exact = findPlaces(applied, file, EXACT);
  return exact.length > 0 ? exact : findPlaces(applied, file, LINE_ENDINGS);
}

/** So many lines at an edge may be wrong. */
const MAX_WRONG = 3;

/**
 * The one place where a hunk fits once lines at its edges are left out of account: as few as possible, and no other place
 * may fit with one more left out.
 */
function findTrimmed(lines: readonly HunkLine[], file: KeyedLines): Place[] {
  const spare = spareEdges(lines);
  for (const tolerance of file.useful(TOLERANCES)) {
    for (let left = 1; left <= spare.front + spare.back; left++) {
      const [place, ...others] = trimmedBy(left, lines, spare, file, tolerance);
      if (place === undefined) continue;
      const isOnly = [...others, ...trimmedBy(left + 1, lines, spare, file, tolerance)].every(
        (other) => changedSpan(other).start === changedSpan(place).start,
      );
      // Most of the hunk has to agree, or it is not the place that was meant.
      const kept = oldSide(place.lines).filter(({ text }) => text.trim() !== '').length;
      return isOnly && kept > left ? [place] : [];
    }
  }
  return [];
}

/** The places that fit when so many lines are left out at the edges, in whatever way. */
function trimmedBy(
  count: number,
  lines: readonly HunkLine[],
  spare: { readonly front: number; readonly back: number },
  file: KeyedLines,
  tolerance: Tolerance,
): Place[] {
  const places: Place[] = [];
  for (let front = Math.max(0, count - spare.back); front <= Math.min(count, spare.front); front++) {
    const left = lines.slice(front, lines.length - (count - front));
    for (const place of findPlaces(left, file, tolerance)) places.push({ ...place, isTrimmed: true });
  }
  return places;
}

/** How many lines may go at each edge. One has to stay beside lines that only come: nothing else says where they belong. */
function spareEdges(lines: readonly HunkLine[]): { front: number; back: number } {
  const { front, back } = edges(lines);
  const changes = lines.slice(front, lines.length - back);
  const firstStay = changes.findIndex(({ mark }) => mark === ' ');
  const lastStay = changes.findLastIndex(({ mark }) => mark === ' ');
  const first = firstStay === -1 ? changes : changes.slice(0, firstStay);
  const last = changes.slice(lastStay + 1);
  const mayGo = (block: readonly HunkLine[], count: number): number =>
    Math.min(MAX_WRONG, Math.max(0, block.some(({ mark }) => mark === '-') ? count : count - 1));
  return { front: mayGo(first, front), back: mayGo(last, back) };
}
