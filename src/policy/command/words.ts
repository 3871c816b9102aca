/** Words of a command: what the program gets, as far as that can be told without running a shell. */
import type { Assignment, DoubleQuotedChild, Word as SyntaxWord, WordPart } from 'unbash';
import type { Word } from './command-analysis.ts';

/** A word with what is known about it. */
export interface ShellWord {
  readonly value: Word;
  /** As it stands in the canonical text of its command. */
  readonly text: string;
  /** What it is known to begin with; the whole of it where it is a literal. */
  readonly prefix: string;
  /** It may become names of files. */
  readonly isGlob: boolean;
  /** It may become none or several words. */
  readonly splits: boolean;
}

/** A word that stands for itself. */
export function literalWord(value: string): ShellWord {
  return { value, text: quoteWord(value), prefix: value, isGlob: false, splits: false };
}

/** A word that only the run will tell, such as what `xargs` appends. */
export function unknownWord(text: string, splits = false): ShellWord {
  return { value: undefined, text, prefix: '', isGlob: false, splits };
}

/** Whether the word is exactly its value. */
export function isLiteral(word: ShellWord): word is ShellWord & { readonly value: string } {
  return word.value !== undefined && !word.isGlob;
}

/** Whether it is one word for sure, though perhaps not which. */
export function isOneWord({ splits, isGlob }: ShellWord): boolean {
  return !splits && !isGlob;
}

/** Whether a program could take the word for an option. */
export function mayBeOption({ prefix, splits }: ShellWord): boolean {
  return splits || prefix === '' || prefix.startsWith('-');
}

/** Reads a word of the syntax tree. */
export function readWord(word: SyntaxWord): ShellWord {
  const { parts } = word;
  const read = readUnquoted(word.text, parts);
  if (read !== undefined) return read;
  const { prefix, isKnown, isGlob, splits } = join(parts ?? [literalPart(word)]);
  if (isKnown && !isGlob) return literalWord(prefix);
  const known: ShellWord = {
    value: undefined,
    text: word.text,
    prefix: isGlob && isKnown ? beforeGlob(word) : prefix,
    isGlob: isGlob && isKnown,
    splits,
  };
  return isGlob && isKnown && !mayBeOption(known) ? { ...known, value: prefix } : known;
}

/** Reads an assignment that is an argument, as those of `export` are. */
export function readAssignment({ name, value, text, index, append }: Assignment): ShellWord {
  if (value.type !== 'Word' || index !== undefined || append === true) return unknownWord(text);
  const word = readWord(value);
  return isLiteral(word)
    ? literalWord(`${name}=${word.value}`)
    : { ...unknownWord(text, !isOneWord(word)), prefix: `${name}=` };
}

/** A word as a shell takes it for exactly this text. */
export function quoteWord(value: string): string {
  return /^(?!~|.*[=:]~)[\w@%+=:,./^~-]+$|^(?:\[\[?|\]|\{\}|!)$/.test(value)
    ? value
    : `'${value.replaceAll("'", "'\\''")}'`;
}

/** Home folders and braces, which one shell or the other replaces before anything else. */
function readUnquoted(text: string, parts: readonly WordPart[] | undefined): ShellWord | undefined {
  const bare = parts === undefined ? withoutEscapes(text) : parts.map(bareText).join('');
  const hasBraces = bare.includes('{') && (text.includes(',') || text.includes('..'));
  if (hasBraces) return unknownWord(text, true);
  // A home folder starts with a slash, so it never becomes an option.
  if (bare.startsWith('~')) return { ...unknownWord(text), prefix: '/' };
  return /^[A-Za-z_]\w*\+?=(?:.*:)?~/.test(bare) ? unknownWord(text) : undefined;
}

/** The unquoted characters of a part; quoted ones as a character that means nothing. */
function bareText(part: WordPart): string {
  if (part.type === 'Literal') return withoutEscapes(part.text);
  return part.type === 'Glob' || part.type === 'BraceExpansion' ? part.text : '\0';
}

function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\[^]/g, '\0') : text;
}

interface Joined {
  readonly prefix: string;
  readonly isKnown: boolean;
  readonly isGlob: boolean;
  readonly splits: boolean;
}

function literalPart(word: SyntaxWord): WordPart {
  return { type: 'Literal', pos: word.pos, end: word.end, value: word.value, text: word.text };
}

function join(parts: readonly WordPart[]): Joined {
  let prefix = '';
  let isKnown = true;
  let isGlob = false;
  let splits = false;
  for (const part of parts) {
    const known = valueOf(part);
    if (isKnown && known !== undefined) prefix += known;
    isKnown &&= known !== undefined;
    isGlob ||= part.type === 'Glob' || (part.type === 'Literal' && /[*?[]/.test(bareText(part)));
    splits ||= splitsWords(part);
  }
  isGlob &&= prefix !== '[';
  return { prefix, isKnown, isGlob, splits: splits || (isGlob && !isKnown) };
}

/** The text of a part; undefined where only the shell could tell, or where two shells differ. */
function valueOf(part: WordPart | DoubleQuotedChild): string | undefined {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'Glob') return part.value;
  if (part.type !== 'DoubleQuoted') return undefined;
  let value = '';
  for (const child of part.parts) {
    const known = valueOf(child);
    if (known === undefined) return undefined;
    value += known;
  }
  return value;
}

function splitsWords(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.some(isListExpansion);
  return !['Literal', 'SingleQuoted', 'Glob', 'AnsiCQuoted', 'LocaleString'].includes(part.type);
}

/** `"$@"` and `"${a[@]}"` become as many words as there are. */
function isListExpansion(part: DoubleQuotedChild): boolean {
  return /^\$\{?[@!]|\[@\]|@/.test(part.text) && part.type !== 'Literal' && part.type !== 'CommandExpansion';
}

function beforeGlob(word: SyntaxWord): string {
  let prefix = '';
  for (const part of word.parts ?? [literalPart(word)]) {
    const at = part.type === 'Literal' ? bareText(part).search(/[*?[]/) : -1;
    if (part.type === 'Glob' || at !== -1)
      return at > 0 && !part.text.includes('\\') ? prefix + part.text.slice(0, at) : prefix;
    prefix += valueOf(part) ?? '';
  }
  return prefix;
}
