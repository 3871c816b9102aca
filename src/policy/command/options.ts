/**
 * Options of programs, as data. A list such as `-n -c= --lines= --color? -f=<` names every option that is known:
 * `=` takes a value, `?` takes one only if attached, `=<` takes a file to read, `=>` a file to write, `-#` is a number
 * such as `-20`. What is not in the list, abbreviations too, is not understood.
 */
import { isLiteral, isOneWord, mayBeOption, unknownWord, literalWord, type ShellWord } from './words.ts';

type Value = 'none' | 'text' | 'attached' | 'read' | 'written';

/** Known options by their name with dashes. */
export type OptionList = ReadonlyMap<string, Value>;

export interface GivenOption {
  readonly name: string;
  readonly value: ShellWord | undefined;
  readonly role: Value;
}

export interface Arguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
  /** False where a word is no option that is known here, or could be any. */
  readonly isUnderstood: boolean;
}

export interface ReadingOptions {
  /** Options end at the first operand, as they do for wrappers. */
  readonly stopsAtOperand?: boolean;
  /** No option of the program changes anything, so that a word that may be one is as good as an operand. */
  readonly isTolerant?: boolean;
}

const SUFFIXES: readonly (readonly [string, Value])[] = [
  ['=<', 'read'],
  ['=>', 'written'],
  ['=', 'text'],
  ['?', 'attached'],
];

/** Reads a list of options. */
export function optionList(written: string): OptionList {
  const list = new Map<string, Value>();
  for (const option of written.split(/\s+/)) {
    if (option === '') continue;
    const [suffix, value] = SUFFIXES.find(([end]) => option.endsWith(end)) ?? ['', 'none' as const];
    list.set(option.slice(0, option.length - suffix.length), value);
  }
  return list;
}

/** Takes the arguments of a program apart. */
export function readArguments(
  words: readonly ShellWord[],
  list: OptionList,
  { stopsAtOperand = false, isTolerant = false }: ReadingOptions = {},
): Arguments {
  const options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  let isUnderstood = true;
  let at = 0;
  /** The value in the next word, where the option needs one and has none attached. */
  const next = (): ShellWord => {
    const word = words[++at];
    isUnderstood &&= word !== undefined && isOneWord(word);
    return word ?? unknownWord('');
  };
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (!mayBeOption(word) || word.value === '-' || (word.value === '' && !word.splits)) {
      if (stopsAtOperand) break;
      operands.push(word);
    } else if (word.value === '--') {
      at++;
      break;
    } else if (!word.splits && word.prefix.startsWith('-')) {
      const found = word.prefix.startsWith('--')
        ? longOption(word, list, next)
        : shortOptions(word, list, next);
      isUnderstood &&= found !== undefined;
      options.push(...(found ?? []));
    } else {
      isUnderstood &&= isTolerant;
      if (stopsAtOperand) break;
      operands.push(word);
    }
  }
  return { options, operands: [...operands, ...words.slice(at)], isUnderstood };
}

function longOption(word: ShellWord, list: OptionList, next: () => ShellWord): GivenOption[] | undefined {
  const equals = word.prefix.indexOf('=');
  if (equals === -1 && !isLiteral(word)) return undefined;
  const name = equals === -1 ? word.prefix : word.prefix.slice(0, equals);
  const role = list.get(name);
  if (role === undefined || (role === 'none' && equals !== -1)) return undefined;
  if (equals !== -1) return [{ name, role, value: rest(word, equals + 1) }];
  return [{ name, role, value: role === 'none' || role === 'attached' ? undefined : next() }];
}

/** A cluster such as `-la`, or `-n5`. */
function shortOptions(word: ShellWord, list: OptionList, next: () => ShellWord): GivenOption[] | undefined {
  if (/^-\d+$/.test(word.value ?? '') && list.has('-#'))
    return [{ name: '-#', role: 'none', value: undefined }];
  const whole = list.get(word.value ?? '');
  if (whole !== undefined && word.prefix.length > 2)
    return [{ name: word.prefix, role: whole, value: whole === 'none' ? undefined : next() }];
  const found: GivenOption[] = [];
  for (let at = 1; at < word.prefix.length; at++) {
    const name = `-${word.prefix[at]}`;
    const role = list.get(name);
    if (role === undefined) return undefined;
    if (role === 'none') found.push({ name, role, value: undefined });
    else {
      const isAttached = at + 1 < word.prefix.length || !isLiteral(word);
      const value = isAttached ? rest(word, at + 1) : role === 'attached' ? undefined : next();
      return [...found, { name, role, value }];
    }
  }
  return isLiteral(word) ? found : undefined;
}

function rest(word: ShellWord, from: number): ShellWord {
  return isLiteral(word) ? literalWord(word.value.slice(from)) : unknownWord(word.text);
}
