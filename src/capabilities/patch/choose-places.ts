/**
 * One place for each hunk of a file. Hunks come in the order of the file and change no line twice; that alone settles
 * most doubts. What is left is settled by headings, or by the line a hunk names where it fits there to the letter.
 */
import { changedSpan, isNumberEnough, type Place } from './find-places.ts';
import type { Hunk } from './hunk.ts';
import type { Line } from './text-lines.ts';

/** A choice, or the places it could not be made between. */
export type Choice =
  | { readonly place: Place }
  | { readonly doubtful: readonly Place[] }
  /** Every place it fits lies before, or in, what another hunk changes. */
  | { readonly crossed: readonly Place[] };

/** Chooses for hunks whose places are known. */
export function choosePlaces(
  hunks: readonly { readonly hunk: Hunk; readonly places: readonly Place[] }[],
  file: readonly Line[],
): Choice[] {
  const ordered = inOrder(hunks.map(({ places }) => places));
  const choices: Choice[] = [];
  let drift = 0;
  let after = 0;
  for (const [index, { hunk, places }] of hunks.entries()) {
    const left = ordered[index]!.filter((place) => changedSpan(place).start >= after);
    const choice: Choice = left.length === 0 ? { crossed: places } : choose(left, hunk, drift, file);
    choices.push(choice);
    if (!('place' in choice)) continue;
    after = Math.max(after, changedSpan(choice.place).end);
    if (hunk.line !== undefined) drift = choice.place.start - (hunk.line - 1);
  }
  return choices;
}

/** Leaves out places that have no room before or after them for the other hunks. */
function inOrder(all: readonly (readonly Place[])[]): Place[][] {
  const forward: Place[][] = [];
  let after = 0;
  for (const places of all) {
    const left = places.filter((place) => changedSpan(place).start >= after);
    forward.push(left);
    if (left.length > 0) after = Math.min(...left.map((place) => changedSpan(place).end));
  }
  let before = Number.POSITIVE_INFINITY;
  return forward
    .toReversed()
    .map((places) => {
      const left = places.filter((place) => changedSpan(place).end <= before);
      if (left.length > 0) before = Math.max(...left.map((place) => changedSpan(place).start));
      return left;
    })
    .toReversed();
}

function choose(places: readonly Place[], hunk: Hunk, drift: number, file: readonly Line[]): Choice {
  if (places.length === 1) return { place: places[0]! };
  const named = places.find(({ start }) => hunk.line !== undefined && start === hunk.line - 1 + drift);
  if (named !== undefined && isNumberEnough(named)) return { place: named };
  const below = places.filter((place) => isBelow(place, hunk.headings, file));
  return below.length === 1 ? { place: below[0]! } : { doubtful: places };
}

/** Whether all headings stand before a place, in their order, each with the place in its block. */
function isBelow({ start }: Place, headings: readonly string[], file: readonly Line[]): boolean {
  let limit = start;
  for (const heading of headings.toReversed()) {
    const wanted = heading.trim();
    let found = limit - 1;
    while (found >= 0 && !file[found]!.text.trim().startsWith(wanted)) found--;
    if (found < 0 || wanted === '' || leavesBlock(file, found, start)) return false;
    limit = found;
  }
  return headings.length > 0;
}

/** Whether a line between a heading and a place is indented no further than the heading, and so ends its block. */
function leavesBlock(file: readonly Line[], heading: number, place: number): boolean {
  const width = depth(file[heading]!.text);
  for (let index = heading + 1; index < place; index++) {
    const { text } = file[index]!;
    if (text.trim() !== '' && depth(text) <= width && !/^[\s)\]}{]*$/.test(text.slice(0, 40))) return true;
  }
  return false;
}

function depth(text: string): number {
  return text.length - text.trimStart().length;
}
