/** Programs that only read whatever they are told by the options listed here. */
import type { UsedFile } from '../findings.ts';
import { optionList, readArguments, type Arguments, type OptionList } from '../options.ts';
import type { Knowledge } from '../program-knowledge.ts';
import { isOneWord, literalWord, type ShellWord } from '../words.ts';
import { FILE_TOOLS } from './file-tools.ts';
import { SYSTEM_TOOLS } from './system-tools.ts';
import { TEXT_TOOLS } from './text-tools.ts';

/** A program, the options with which it only reads, and what its operands are. */
export interface ListedReader {
  readonly options: string;
  /** `pattern`: the first operand is a pattern, the others are files. */
  readonly operands: 'files' | 'pattern' | 'text' | 'formats' | 'none';
  /** No option it has changes anything, listed or not: a word that may be an option does no harm. */
  readonly isTolerant?: true;
  readonly maxOperands?: number;
  /** What it reads without operands. */
  readonly withoutOperands?: 'directory' | 'tree';
  /** Its operands are whole trees: always, or with one of these options. */
  readonly trees?: true | readonly string[];
  /** Options that bring the pattern, so that all operands are files. */
  readonly patternOptions?: readonly string[];
}

const lists = new Map<string, OptionList>();

/** What is known about a listed program; undefined where it is not listed, or not with these options. */
export function readListed(name: string, args: readonly ShellWord[]): Knowledge | undefined {
  const reader = readerOf(name);
  if (reader === undefined) return undefined;
  const list = lists.get(name) ?? optionList(reader.options);
  lists.set(name, list);
  const found = readArguments(args, list, { isTolerant: reader.isTolerant === true });
  const { operands, isUnderstood } = found;
  if (!isUnderstood || !fits(reader, operands)) return undefined;
  return { onlyReads: 'always', files: [...optionFiles(found), ...operandFiles(reader, found)] };
}

function readerOf(name: string): ListedReader | undefined {
  const table = [TEXT_TOOLS, FILE_TOOLS, SYSTEM_TOOLS].find((table) => Object.hasOwn(table, name));
  return table?.[name];
}

function fits(
  { operands: role, maxOperands = Infinity }: ListedReader,
  operands: readonly ShellWord[],
): boolean {
  if (operands.length > maxOperands || (maxOperands !== Infinity && !operands.every(isOneWord))) return false;
  if (role === 'formats') return operands.every(({ prefix }) => prefix.startsWith('+'));
  return role !== 'none' || operands.length === 0;
}

function optionFiles({ options }: Arguments): UsedFile[] {
  return options
    .filter(({ role, value }) => role === 'read' && value?.value !== '-')
    .map(({ value }) => ({ use: 'read', word: value!, isTree: false }));
}

function operandFiles(reader: ListedReader, { options, operands }: Arguments): UsedFile[] {
  const given = (names: readonly string[] = []): boolean => options.some(({ name }) => names.includes(name));
  const { operands: role, trees = [], withoutOperands } = reader;
  if (role === 'text' || role === 'formats' || role === 'none') return [];
  const hasPattern = role === 'pattern' && !given(reader.patternOptions);
  // A pattern that may become several words is followed by files nobody can tell.
  const isSplit = hasPattern && operands[0] !== undefined && !isOneWord(operands[0]);
  const files = hasPattern && !isSplit ? operands.slice(1) : operands;
  const isTree = trees === true || given(trees);
  if (files.length > 0) {
    const named = files.filter(({ value }) => value !== '-');
    return named.map((word) => ({ use: 'read', word, isTree }));
  }
  const reads = isTree ? 'tree' : withoutOperands;
  return reads === undefined ? [] : [{ use: 'read', word: literalWord('.'), isTree: reads === 'tree' }];
}
