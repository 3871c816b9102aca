/** The place of a file that is most like some lines, shown so that whoever gave the lines can correct them in one step. */
import { diffArrays } from 'diff';
import { plainCharacters } from './typography.ts';

export interface Closest {
  /** Sentences for the message. */
  readonly text: string;
  /** Facts for programs. */
  readonly details: Readonly<Record<string, unknown>>;
}

const NOTHING: Closest = { text: 'Nothing in the file is like it.', details: {} };
const MAX_LINES = 30;
const MAX_CHARACTERS = 300;

/** Finds and shows the place. */
export function closestPlace(file: readonly string[], wanted: readonly string[]): Closest {
  const start = mostShared(file, wanted) ?? mostAlike(file, wanted);
  if (start === undefined) return NOTHING;
  const first = Math.max(0, start);
  const found = file.slice(first, Math.max(first + 1, start + wanted.length));
  const changes = diffArrays([...wanted], found, { maxEditLength: MAX_LINES * 2 });
  const shown = changes?.flatMap(({ added, removed, value }) =>
    value.map((line) => `${removed ? '-' : added ? '+' : ' '}${cut(line)}`),
  );
  const lines = aroundFirstChange(shown ?? found.map((line) => `+${cut(line)}`));
  return {
    text: `The closest place is line ${first + 1} ("-" as given, "+" as it is in the file):\n${lines.join('\n')}\n`,
    details: { closest_line: first + 1, closest_text: found.slice(0, MAX_LINES).map(cut).join('\n') },
  };
}

function cut(line: string): string {
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)} …` : line;
}

function aroundFirstChange(lines: readonly string[]): string[] {
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 3);
  const part = lines.slice(first, first + MAX_LINES);
  return [
    ...(first > 0 ? [`(${first} lines that agree)`] : []),
    ...part,
    ...(lines.length > first + part.length ? [`(${lines.length - first - part.length} more)`] : []),
  ];
}

const keyOf = (line: string): string => plainCharacters(line).trim();

/** So many places are remembered of a line that occurs often; it says little about the place anyway. */
const MAX_REPEATS = 100;

/** Where most lines stand as wanted, rare ones counting more. */
function mostShared(file: readonly string[], wanted: readonly string[]): number | undefined {
  const positions = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = keyOf(line);
    if (key === '') continue;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [index]);
    else if (known.length < MAX_REPEATS) known.push(index);
  }
  const counts = new Map<string, number>();
  const keys = file.map(keyOf);
  for (const key of keys) if (positions.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const votes = new Map<number, number>();
  for (const [index, key] of keys.entries()) {
    const count = counts.get(key);
    if (count === undefined) continue;
    const known = positions.get(key)!;
    const weight = key.length / (count * known.length);
    for (const position of known) votes.set(index - position, (votes.get(index - position) ?? 0) + weight);
  }
  return best(votes);
}

/** Where a line stands that shares the most words with the longest wanted one. */
function mostAlike(file: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((one, other) => (other.trim().length > one.trim().length ? other : one), '');
  const words = new Set(wordsOf(longest));
  if (words.size === 0) return undefined;
  const votes = new Map<number, number>();
  const position = wanted.indexOf(longest);
  for (const [index, line] of file.entries()) {
    const own = new Set(wordsOf(line));
    const shared = [...own].filter((word) => words.has(word)).length;
    const likeness = (2 * shared) / (own.size + words.size);
    if (likeness >= MIN_LIKENESS) votes.set(index - position, likeness);
  }
  return best(votes);
}

const MIN_LIKENESS = 0.4;

function wordsOf(line: string): string[] {
  return line.slice(0, MAX_CHARACTERS * 4).match(/\w+|[^\s\w]/g) ?? [];
}

function best(votes: ReadonlyMap<number, number>): number | undefined {
  let most = 0;
  let found: number | undefined;
  for (const [start, weight] of votes) if (weight > most) [found, most] = [start, weight];
  return found;
}
