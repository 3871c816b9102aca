/**
 * What comes where a hunk fits. The file wins: lines that stay keep their own bytes, and lines that come take over the
 * difference the match found in indentation, characters, blanks at the end and line endings.
 */
import { changedSpan, indentOfLine, type Place } from './find-places.ts';
import { edges, type HunkLine, newSide, oldSide } from './hunk.ts';
import { indentOf } from './indentation.ts';
import { type Line, usualEnding } from './text-lines.ts';
import { Exchange, plainCharacters } from './typography.ts';

/** New lines for the lines of the file from `start` to before `end`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly Line[];
  readonly differences: readonly Difference[];
}

/** In what a hunk differs from the file at its place, and yet fits. */
export type Difference =
  | 'line endings'
  | 'trailing blanks'
  | 'indentation'
  | 'typography'
  | 'blank lines at the edges'
  | 'context at the edges';

/** Makes a hunk fit at a place; what stays at its edges is left out. */
export function fitLines(place: Place, file: readonly Line[]): Replacement {
  const pairs = pairWithFile(place, file);
  const seen = compare(pairs, place);
  const { back } = edges(place.lines);
  const inner = place.lines.slice(place.front, place.lines.length - back);
  const { start, end } = changedSpan(place);
  const local = localEnding(file, start);
  const replacing = counterparts(inner);
  const lines = place.tolerance.isExact
    ? newSide(inner)
    : inner.flatMap((line) => {
        if (line.mark === '-') return [];
        if (line.mark === ' ') return [pairs.get(line)!];
        const given = replacing.get(line);
        const replaced = given && { given: given.text, found: pairs.get(given)!.text };
        return [{ text: fitText({ text: line.text, replaced }, seen, place), ending: local }];
      });
  const isLast = end === file.length;
  return {
    start,
    end,
    lines: isLast && !place.tolerance.isExact ? endLike(file, lines) : lines,
    differences: seen.differences,
  };
}

/** The line of the file that each line of the old side stands for. */
function pairWithFile({ lines, start }: Place, file: readonly Line[]): ReadonlyMap<HunkLine, Line> {
  return new Map(oldSide(lines).map((line, index) => [line, file[start + index]!]));
}

interface Seen {
  readonly differences: readonly Difference[];
  readonly exchange: Exchange;
  /** The edit has blanks at line ends that the file does not have. */
  readonly hasExtraBlanks: boolean;
}

function compare(pairs: ReadonlyMap<HunkLine, Line>, { isTrimmed }: Place): Seen {
  const differences = new Set<Difference>();
  const exchange = new Exchange();
  let hasExtraBlanks = false;
  for (const [given, found] of pairs) {
    if (given.ending !== found.ending) differences.add('line endings');
    if (blanksAtEnd(given.text) !== blanksAtEnd(found.text)) {
      differences.add('trailing blanks');
      hasExtraBlanks ||= given.text.trimEnd() !== given.text;
    }
    if (given.text.trim() === '') continue;
    if (indentOfLine(given) !== indentOf(found.text)) differences.add('indentation');
    const [one, other] = [bodyOf(given.text), bodyOf(found.text)];
    if (one !== other) differences.add('typography');
    exchange.learn(one, other);
  }
  if (isTrimmed) differences.add('context at the edges');
  return { differences: [...differences], exchange, hasExtraBlanks };
}

function blanksAtEnd(text: string): string {
  return text.slice(text.trimEnd().length);
}

function bodyOf(text: string): string {
  return text.slice(indentOf(plainCharacters(text)).length).trimEnd();
}

/** The lines that go which lines that come stand for: blocks of the same length replace each other line by line. */
function counterparts(lines: readonly HunkLine[]): ReadonlyMap<HunkLine, HunkLine> {
  const found = new Map<HunkLine, HunkLine>();
  for (let start = 0; start < lines.length;) {
    let added = start;
    while (lines[added]?.mark === '-') added++;
    let end = added;
    while (lines[end]?.mark === '+') end++;
    if (added - start === end - added)
      for (let index = added; index < end; index++) found.set(lines[index]!, lines[index - (end - added)]!);
    start = Math.max(end, start + 1);
  }
  return found;
}

/** What is known about a line that comes. */
interface Coming {
  readonly text: string;
  /** The line it comes for, as given and as it is in the file. */
  readonly replaced: { readonly given: string; readonly found: string } | undefined;
}

function fitText({ text, replaced }: Coming, { exchange, hasExtraBlanks }: Seen, { indents }: Place): string {
  if (text.trim() === '') return hasExtraBlanks ? '' : text && (indents.get(text) ?? text);
  const given = indentOfLine({ text });
  const indent = indents.get(given) ?? text.slice(0, given.length);
  const body = bodyOf(text);
  if (replaced === undefined)
    return indent + exchange.apply(body) + (hasExtraBlanks ? '' : blanksAtEnd(text));
  const fitted = keepCommonParts(bodyOf(replaced.given), bodyOf(replaced.found), body, exchange);
  const isSameEnd = blanksAtEnd(text) === blanksAtEnd(replaced.given);
  return (
    indent + fitted + (isSameEnd ? blanksAtEnd(replaced.found) : hasExtraBlanks ? '' : blanksAtEnd(text))
  );
}

/** A line that comes for another one keeps the file's characters where the two begin and end alike. */
function keepCommonParts(given: string, found: string, wanted: string, exchange: Exchange): string {
  if (given === found || given.length !== found.length) return exchange.apply(wanted);
  const most = Math.min(given.length, wanted.length);
  let front = 0;
  while (front < most && given[front] === wanted[front]) front++;
  let back = 0;
  while (back < most - front && given.at(-1 - back) === wanted.at(-1 - back)) back++;
  const middle = wanted.slice(front, wanted.length - back);
  return found.slice(0, front) + exchange.apply(middle) + found.slice(found.length - back);
}

/** The ending lines have around an index. */
function localEnding(file: readonly Line[], index: number): '\n' | '\r\n' {
  return file[index - 1]?.ending || file[index]?.ending || usualEnding(file);
}

/** Lines that come last end as the file does. */
function endLike(file: readonly Line[], lines: readonly Line[]): readonly Line[] {
  const last = lines.at(-1);
  return last === undefined || file.at(-1)?.ending !== ''
    ? lines
    : [...lines.slice(0, -1), { ...last, ending: '' }];
}
