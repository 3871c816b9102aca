/** Replaces text that is in the file but for what models get wrong, where it fits in one place only. */
import { diffArrays } from 'diff';
import { findPlaces, type Place, toFit } from './find-places.ts';
import { findSpans, type Span } from './find-spans.ts';
import { type Difference, fitLines } from './fit-lines.ts';
import type { HunkLine } from './hunk.ts';
import { mergeLines } from './merge-lines.ts';
import { KeyedLines } from './keyed-lines.ts';
import type { Attempt, TextEdit } from './text-edit.ts';
import { type Ending, type Line, toLines, toText } from './text-lines.ts';
import { COLUMN_TOLERANCES, INDENT_TOLERANCES, type Tolerance } from './tolerance.ts';

/** Tries one tolerance after the other; what fits in several places is not replaced. */
export function replaceTolerantly(text: string, edit: TextEdit): Attempt {
  const file = new KeyedLines(toLines(text), toLines(edit.oldText));
  const attempt = replaceIn(file, edit);
  if (attempt !== undefined) return attempt;
  const trimmed = withoutBlankEdges(edit);
  const edited = trimmed && replaceIn(file, trimmed);
  return edited === undefined || 'several' in edited
    ? edited
    : { ...edited, differences: [...edited.differences, 'blank lines at the edges'] };
}

function replaceIn(file: KeyedLines, edit: TextEdit): Attempt {
  for (const tolerance of file.useful(COLUMN_TOLERANCES)) {
    const spans = findSpans(file, edit.oldText, tolerance);
    const lines = spans.map(({ start }) => start.line + 1);
    if (spans.length > 1 && !(edit.all && tolerance.isLiteral)) return { several: lines };
    if (spans.length > 0) return { ...replaceSpans(file.lines, spans, edit, tolerance), lines };
  }
  for (const tolerance of file.useful(INDENT_TOLERANCES)) {
    const places = findPlaces(hunkLines(toLines(edit.oldText), toLines(edit.newText), '\n'), file, tolerance);
    if (places.length > 1) return { several: places.map(({ start }) => start + 1) };
    if (places.length === 1) return replacePlace(file.lines, places[0]!, edit);
  }
  return undefined;
}

/** Replaces parts of lines, from the last to the first, so that positions stay true. */
function replaceSpans(
  file: readonly Line[],
  spans: readonly Span[],
  edit: TextEdit,
  tolerance: Tolerance,
): { readonly text: string; readonly differences: readonly Difference[] } {
  let lines = file;
  const differences = new Set<Difference>();
  for (const { start, end } of spans.toReversed()) {
    const endsLine = end.column === 0;
    const last = endsLine ? end.line - 1 : end.line;
    const head = lines[start.line]!.text.slice(0, start.column);
    const tail = endsLine ? '' : lines[last]!.text.slice(end.column);
    // Both texts as the whole lines they are part of; a line that is emptied stays unless its ending goes too.
    const complete = (text: string): Line[] => {
      const whole = toLines(head + text + tail);
      return whole.length === 0 && !endsLine ? [{ text: '', ending: '' }] : whole;
    };
    const whole = hunkLines(complete(edit.oldText), complete(edit.newText), lines[last]!.ending);
    const fitted = fitLines({ ...toFit(whole, tolerance), start: start.line, indents: new Map() }, lines);
    for (const difference of fitted.differences) differences.add(difference);
    lines = mergeLines(lines, [fitted]);
  }
  return { text: toText(lines), differences: [...differences] };
}

/** Replaces whole lines. */
function replacePlace(file: readonly Line[], place: Place, edit: TextEdit): Attempt {
  const { ending } = file[place.start + place.length - 1]!;
  const lines = hunkLines(toLines(edit.oldText), toLines(edit.newText), ending);
  const fitted = fitLines({ ...place, lines }, file);
  const { differences } = fitted;
  return { text: toText(mergeLines(file, [fitted])), lines: [place.start + 1], differences };
}

/** Beyond this many changed lines the search for the smallest difference takes too long. */
const MAX_EDITS = 1_000;

/** Old and new lines as a hunk: what both have stays. The last old line ends as its counterpart in the file does. */
function hunkLines(old: readonly Line[], now: readonly Line[], ending: Ending): HunkLine[] {
  const oldTexts = old.map(({ text }) => text);
  const newTexts = now.map(({ text }) => text);
  const changes = diffArrays(oldTexts, newTexts, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: oldTexts },
    { removed: false, added: true, value: newTexts },
  ];
  let at = 0;
  return changes.flatMap(({ added, removed, value }) =>
    value.map((text): HunkLine => {
      if (added) return { mark: '+', text, ending: '\n' };
      const line = old[at++]!;
      return { mark: removed ? '-' : ' ', text, ending: at === old.length ? ending : line.ending };
    }),
  );
}

/** The edit without blank lines around the old text; as many are taken from the new one. Undefined where there are none. */
function withoutBlankEdges(edit: TextEdit): TextEdit | undefined {
  const isBlank = (line: Line | undefined): boolean => line?.text.trim() === '';
  const old = toLines(edit.oldText);
  const first = old.findIndex((line) => !isBlank(line));
  const last = old.findLastIndex((line) => !isBlank(line));
  if (first === -1 || (first === 0 && last === old.length - 1)) return undefined;
  const now = toLines(edit.newText);
  let front = 0;
  while (front < first && isBlank(now[front])) front++;
  let back = 0;
  while (back < old.length - 1 - last && back < now.length - front && isBlank(now.at(-1 - back))) back++;
  return {
    ...edit,
    oldText: toText(old.slice(first, last + 1)),
    newText: toText(now.slice(front, now.length - back)),
  };
}
