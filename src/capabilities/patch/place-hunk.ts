/**
 * Where a hunk belongs, as far as the hunk alone can say: the places that fit at the strictest tolerance at which any
 * does. Context at its edges is left out of account last, and only where what remains fits in a single place.
 */
import { findPlaces, type Place } from './find-places.ts';
import { edges, type Hunk, type HunkLine, newSide, oldSide } from './hunk.ts';
import { EDGE_TOLERANCES, EXACT, type KeyedLines, LINE_ENDINGS, TOLERANCES } from './tolerance.ts';

export type Placing =
  | { readonly kind: 'fits'; readonly places: readonly Place[] }
  /** The new side is there, the old one is not. */
  | { readonly kind: 'already'; readonly places: readonly Place[] }
  | { readonly kind: 'absent' };

/** Looks for a hunk in a file. */
export function placeHunk(hunk: Hunk, file: KeyedLines): Placing {
  const inPlace = (places: readonly Place[]): Place[] =>
    hunk.atEnd ? places.filter(({ start, length }) => start + length === file.lines.length) : [...places];
  const readings = readingsOf(hunk);
  if (oldSide(hunk.lines).length === 0) return placeAddition(hunk, file);
  for (const tolerance of TOLERANCES) {
    for (const lines of readings) {
      const places = inPlace(findPlaces(lines, file, tolerance));
      if (places.length > 0) return { kind: 'fits', places };
    }
  }
  const already = inPlace(findApplied(hunk, file));
  if (already.length > 0) return { kind: 'already', places: already };
  const trimmed = inPlace(readings.flatMap((lines) => findTrimmed(lines, file)));
  return trimmed.length > 0 ? { kind: 'fits', places: trimmed } : { kind: 'absent' };
}

/** Lines that only come have a place in an empty file, or where they are said to come last. */
function placeAddition(hunk: Hunk, { lines }: KeyedLines): Placing {
  if (lines.length > 0 && !hunk.atEnd) return { kind: 'absent' };
  const tolerance = lines.length > 0 ? LINE_ENDINGS : EXACT;
  const place = { length: 0, tolerance, lines: hunk.lines, isTrimmed: false, indents: new Map() };
  return { kind: 'fits', places: [{ ...place, start: lines.length }] };
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

/** The one place where a hunk fits once lines at its edges are left out of account. */
function findTrimmed(lines: readonly HunkLine[], file: KeyedLines): Place[] {
  const spare = spareEdges(lines);
  if (spare.front + spare.back === 0) return [];
  for (const tolerance of EDGE_TOLERANCES) {
    const places = findPlaces(trim(lines, spare.front, spare.back), file, tolerance);
    if (places.length > 1) return [];
    const [place] = places;
    if (place === undefined) continue;
    // As much as possible has to agree: most of the hunk, or it is not the place that was meant.
    const fitting = trimsFrom(spare)
      .map(({ front, back }) => ({ front, back, lines: trim(lines, front, back) }))
      .find(({ lines, front }) =>
        findPlaces(lines, file, tolerance).some(({ start }) => start === place.start - (spare.front - front)),
      );
    if (fitting === undefined) return [];
    const kept = oldSide(fitting.lines).filter(({ text }) => text.trim() !== '').length;
    return kept > fitting.front + fitting.back ? [{ ...place, isTrimmed: true }] : [];
  }
  return [];
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

/** Every way to leave lines out, the fewest first. */
function trimsFrom(spare: { front: number; back: number }): { front: number; back: number }[] {
  const trims: { front: number; back: number }[] = [];
  for (let front = 0; front <= spare.front; front++)
    for (let back = 0; back <= spare.back; back++) trims.push({ front, back });
  return trims.sort((one, other) => one.front + one.back - (other.front + other.back));
}

function trim(lines: readonly HunkLine[], front: number, back: number): HunkLine[] {
  return lines.slice(front, lines.length - back);
}
