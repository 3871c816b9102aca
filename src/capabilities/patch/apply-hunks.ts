/** Applies the hunks of one file to its text: all of them, or a failure that shows what stands in the way. */
import { Failure } from '../../failure.ts';
import { type Choice, choosePlaces } from './choose-places.ts';
import { closestPlace } from './closest.ts';
import { changedSpan, type Place } from './find-places.ts';
import { type Difference, fitLines, type Replacement } from './fit-lines.ts';
import { type Hunk, oldSide } from './hunk.ts';
import { KeyedLines } from './keyed-lines.ts';
import { lineList } from './line-list.ts';
import { mergeLines } from './merge-lines.ts';
import { placeHunk, type Placing } from './place-hunk.ts';
import { BOM, type Line, toLines, toText } from './text-lines.ts';

export interface ApplyOptions {
  /** What a hunk is that is in place already. */
  readonly alreadyApplied: 'applied' | 'failure';
}

/** Where a hunk went. */
export interface PlacedHunk {
  /** The first line it changed, as the text is now. */
  readonly line: number;
  /** In what it differed from the file; nothing where it fitted exactly. */
  readonly differences: readonly Difference[];
  /** It was in place already. */
  readonly already: boolean;
}

/** A text with hunks in it, and how each came there. */
export interface AppliedHunks {
  readonly text: string;
  readonly hunks: readonly PlacedHunk[];
  readonly changes: LineChanges;
}

/** What came for which lines of a text. */
export interface LineChanges {
  /** The byte order mark in front of the lines, where the hunks do not know of it. */
  readonly mark: string;
  readonly lines: readonly Line[];
  readonly replacements: readonly Replacement[];
}

/** The text with every hunk in it. */
export function applyHunks(
  path: string,
  text: string,
  hunks: readonly Hunk[],
  { alreadyApplied }: ApplyOptions,
): AppliedHunks {
  // A patch that does not know of the byte order mark leaves it alone.
  const knowsMark = hunks.some(({ lines }) => lines.some((line) => line.text.startsWith(BOM)));
  const mark = !knowsMark && text.startsWith(BOM) ? BOM : '';
  const lines = toLines(text.slice(mark.length));
  const file = new KeyedLines(
    lines,
    hunks.flatMap((hunk) => hunk.lines),
  );
  const name = (index: number): string =>
    `Hunk ${index + 1} of ${JSON.stringify(path)} (line ${hunks[index]!.source} of the patch)`;
  const found = hunks.map((hunk, index) => {
    const placing = placeHunk(hunk, file);
    if (placing.kind === 'absent') throw absent(name(index), hunk, lines);
    if (placing.kind === 'crowded') throw undecided(name(index), { doubtful: placing.places });
    if (placing.kind === 'already' && alreadyApplied === 'failure') throw inPlace(name(index), placing);
    return { hunk, ...placing };
  });
  const choices = choosePlaces(found, lines);
  const replacements = choices.map((choice, index) => {
    if (!('place' in choice)) throw undecided(name(index), choice);
    return fitLines(choice.place, lines);
  });
  return {
    text: mark + toText(mergeLines(lines, replacements)),
    hunks: placed(replacements, found),
    changes: { mark, lines, replacements },
  };
}

function placed(
  replacements: readonly Replacement[],
  found: readonly { readonly kind: Placing['kind'] }[],
): PlacedHunk[] {
  let grown = 0;
  return replacements.map(({ start, end, lines, differences }, index) => {
    const line = start + grown + 1;
    grown += lines.length - (end - start);
    return { line, differences, already: found[index]!.kind === 'already' };
  });
}

function absent(name: string, hunk: Hunk, file: readonly Line[]): Failure {
  const old = oldSide(hunk.lines);
  if (old.length === 0) {
    return new Failure('E_PATCH', `${name} has no lines of the file in it, so its place is not known.`, {
      hint: 'Give it some unchanged lines around the place.',
    });
  }
  const { text, details } = closestPlace(
    file.map(({ text }) => text),
    old.map(({ text }) => text),
  );
  return new Failure('E_PATCH', `${name} does not fit. ${text}`, {
    hint: hunk.atEnd
      ? 'It is marked to be at the end of the file.'
      : 'Nothing was changed. Correct its lines and send the patch again.',
    details,
  });
}

function inPlace(name: string, { places }: Extract<Placing, { kind: 'already' }>): Failure {
  return new Failure('E_PATCH', `${name} is in place already, at line ${places[0]!.start + 1}.`, {
    hint: 'Nothing was changed. Leave it out.',
  });
}

function undecided(name: string, choice: Exclude<Choice, { place: Place }>): Failure {
  if ('crossed' in choice) {
    return new Failure(
      'E_PATCH',
      `${name} fits only at ${linesOf(choice.crossed)}, before or in what another hunk changes.`,
      {
        hint: 'Nothing was changed. Put hunks in the order of the file, and make one of those that overlap.',
      },
    );
  }
  return new Failure('E_PATCH', `${name} fits in several places: ${linesOf(choice.doubtful)}.`, {
    hint: 'Nothing was changed. Add unchanged lines around the place until it is the only one.',
    details: { lines: choice.doubtful.slice(0, MAX_NAMED).map(({ start }) => start + 1) },
  });
}

const MAX_NAMED = 10;

function linesOf(places: readonly Place[]): string {
  return lineList(places.map((place) => changedSpan(place).start + 1));
}
