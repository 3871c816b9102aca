/** Patterns of rules over commands: words between blanks, fitted to the words a program gets, never to raw text. */
import { Failure } from '../../failure.ts';
import type { CommandPart, Word } from './command-analysis.ts';
import { isHarmlessVariable } from './variables.ts';

/** Tells whether a part of a command fits. */
export type CommandMatcher = (part: CommandPart) => boolean;

export interface CommandPatternOptions {
  /** For a rule that allows: every word is known and the program named as in the pattern. Otherwise what can't be told fits. */
  readonly strict: boolean;
}

const MAX_PATTERN = 1_000;

/**
 * Compiles a pattern. `*` inside a word stands for anything within that word; `*` alone for any one word, and as the
 * last word for any further ones, or none.
 */
export function compileCommandPattern(pattern: string, { strict }: CommandPatternOptions): CommandMatcher {
  const written = wordsOf(pattern);
  const isOpen = written.length > 1 && written.at(-1) === '*';
  const wanted = (isOpen ? written.slice(0, -1) : written).map((word) =>
    strict ? compileWord(word) : compileLooseWord(word),
  );
  const fits = (words: readonly Word[]): boolean =>
    (isOpen ? words.length >= wanted.length : words.length === wanted.length) &&
    wanted.every((word, at) => fitsWord(word, words[at]));
  if (strict) return (part) => isCertain(part) && fits(part.words);
  return ({ words }) => spellings(words).some(fits) || mayBecome(words, wanted, isOpen);
}

/** Fits the very command with that text at the root of the workspace, and only where all of it is certain. */
export function compileExactCommand(text: string): CommandMatcher {
  return (part) => isCertain(part) && part.directory === '.' && part.text === text;
}

function wordsOf(pattern: string): string[] {
  const words = pattern.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw unusable(pattern, 'it has no words');
  if (pattern.length > MAX_PATTERN) throw unusable(pattern, 'it is too long');
  return words;
}

function compileWord(written: string): (word: string) => boolean {
  const pieces = written.split('*');
  if (pieces.length === 1) return (word) => word === written;
  const [first = '', ...rest] = pieces;
  const last = rest.pop() ?? '';
  return (word) => {
    if (!word.startsWith(first) || !word.endsWith(last) || word.length < first.length + last.length)
      return false;
    let from = first.length;
    const end = word.length - last.length;
    for (const piece of rest) {
      const at = word.indexOf(piece, from);
      if (at === -1 || at + piece.length > end) return false;
      from = at + piece.length;
    }
    return true;
  };
}

/** Also fits a glob that may become such a word. */
function compileLooseWord(written: string): (word: string) => boolean {
  const fits = compileWord(written);
  return (word) => fits(word) || (GLOB.test(word) && mayMeet(word, written));
}

const GLOB = /[*?]|\[[^\]]+\]/;

function mayMeet(glob: string, written: string): boolean {
  if (!written.includes('*')) return globExpression(glob).test(written);
  const ends = written.split('*');
  const known = glob.split(GLOB);
  const [start, first] = [ends[0]!, known[0]!];
  const [end, last] = [ends.at(-1)!, known.at(-1)!];
  // A name in a folder does not start with a slash.
  const canStart = first === '' ? !start.startsWith('/') : first.startsWith(start) || start.startsWith(first);
  return canStart && (last.endsWith(end) || end.endsWith(last));
}

function globExpression(glob: string): RegExp {
  const pieces = glob.split(/(\*+|\?|\[[^\]]+\])/).map((piece, at) => {
    if (at % 2 === 0) return piece.replaceAll(/[\\^$.+(){}|[\]]/g, String.raw`\$&`);
    return piece.startsWith('*') ? '[^/]*' : '[^/]';
  });
  return new RegExp(`^${pieces.join('')}$`, 's');
}

function isCertain({ words, assignments, unclear }: CommandPart): boolean {
  return unclear === undefined && !words.includes(undefined) && assignments.every(isHarmlessVariable);
}

function fitsWord(wanted: (word: string) => boolean, word: Word): boolean {
  return word === undefined || wanted(word);
}

/** A program counts by its path and by its name, and git by what it is asked to do, whatever stands before that. */
function spellings(words: readonly Word[]): (readonly Word[])[] {
  const [program, ...rest] = words;
  if (program === undefined) return [words];
  const name = program.slice(program.lastIndexOf('/') + 1);
  const verb = name === 'git' ? rest.findIndex((word, at) => !isGlobalOption(word, rest[at - 1])) : 0;
  return [words, [name, ...rest], [name, ...rest.slice(Math.max(0, verb))]];
}

const TAKES_A_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path']);

function isGlobalOption(word: Word, before: Word): boolean {
  return word?.startsWith('-') === true || (before !== undefined && TAKES_A_VALUE.has(before));
}

/** An unknown word may become none or several, so that what is behind it may stand anywhere. */
function mayBecome(
  words: readonly Word[],
  wanted: readonly ((word: string) => boolean)[],
  isOpen: boolean,
): boolean {
  const unknown = words.indexOf(undefined);
  if (unknown === -1) return false;
  return spellings(words).some((spelled) => {
    const known = spelled.slice(0, unknown);
    const isBeginning = known.every((word, at) =>
      wanted[at] === undefined ? isOpen : fitsWord(wanted[at], word),
    );
    return isBeginning;
  });
}

function unusable(pattern: string, why: string): Failure {
  return new Failure(
    'E_INVALID_ARGS',
    `The command pattern ${JSON.stringify(pattern)} can not be used: ${why}.`,
  );
}
