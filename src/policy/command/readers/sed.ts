/** `sed`: only reads with a script whose every command was understood, and none of which writes or runs anything. */
import type { UsedFile } from '../findings.ts';
import { optionList, readArguments, type OptionList } from '../options.ts';
import type { Knowledge } from '../program-knowledge.ts';
import { isLiteral, type ShellWord } from '../words.ts';

const OPTIONS =
  '-n -E -r -s -u -z -e= -l= -i? -f=< -b --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox --expression= --line-length= --in-place? --file=< --binary';

let list: OptionList | undefined;

/** What a `sed` reads or changes. */
export function readSed(args: readonly ShellWord[]): Knowledge {
  list ??= optionList(OPTIONS);
  const { options, operands, isUnderstood } = readArguments(args, list);
  const given = (...names: string[]): ShellWord[] =>
    options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  const expressions = given('-e', '--expression');
  const hasFile = given('-f', '--file').length > 0;
  const hasScript = expressions.length > 0 || hasFile;
  const scripts = hasScript ? expressions : operands.slice(0, 1);
  const files = hasScript ? operands : operands.slice(1);
  const isInPlace = options.some(({ name }) => name === '-i' || name === '--in-place');
  const isHarmless =
    isUnderstood &&
    !isInPlace &&
    !hasFile &&
    scripts.length > 0 &&
    scripts.every((script) => isLiteral(script)) &&
    isHarmlessScript(scripts.map(({ value }) => value).join('\n'));
  const used: UsedFile[] = files
    .filter(({ value }) => value !== '-')
    .map((word) => ({ use: isInPlace ? 'write' : 'read', word, isTree: false }));
  return { onlyReads: isHarmless ? 'always' : false, files: isUnderstood || isInPlace ? used : [] };
}

/** Whether every command of a script is one that only prints, edits or ends. */
export function isHarmlessScript(script: string): boolean {
  let rest = script;
  while (rest !== '') {
    const next = afterCommand(rest);
    if (next === undefined) return false;
    rest = next;
  }
  return true;
}

const ADDRESS = new RegExp(String.raw`^(?:\d+(?:~\d+)?|\$|/${pattern('/')}/[IM]*)`);
const END = /^[ \t]*(?:[;\n]|$|(?=\}))/;

/** The script behind its first command; undefined where that is not a harmless one. */
function afterCommand(script: string): string | undefined {
  let rest = script.replace(/^[\s;]+/, '');
  if (rest === '') return '';
  const first = ADDRESS.exec(rest);
  if (first !== null) {
    rest = rest.slice(first[0].length).replace(/^ +/, '');
    const second = /^,[ ]*(?:[+~]\d+|)/.exec(rest);
    if (second !== null) {
      rest = rest.slice(second[0].length);
      const address = ADDRESS.exec(rest);
      if (address === null && !/\d$/.test(second[0])) return undefined;
      rest = rest.slice(address?.[0].length ?? 0);
    }
  }
  rest = rest.replace(/^[ ]*!?[ ]*/, '');
  if (/^[{}]/.test(rest)) return rest.slice(1);
  const plain = /^(?:[=dDgGhHnNpPxz]|[qQlL][ ]*\d*|[:btT][ ]*\w*)/.exec(rest);
  const command = plain ?? substitution(rest);
  if (command === null) return undefined;
  rest = rest.slice(command[0].length);
  const end = END.exec(rest);
  return end === null ? undefined : rest.slice(end[0].length);
}

/** `s` and `y` with the usual separators; flags `e` and `w` would run and write. */
function substitution(script: string): RegExpExecArray | null {
  const separator = script[1];
  if (separator === undefined || !/[/|,#:@!%_+~]/.test(separator)) return null;
  const mark = separator.replace(/[|+]/, '\\$&');
  const text = String.raw`(?:[^\\\n${mark}]|\\[^])*`;
  const flags = script.startsWith('s') ? '[gpiIM0-9]*' : '';
  return new RegExp(`^[sy]${mark}${pattern(mark)}${mark}${text}${mark}${flags}`).exec(script);
}

/** A pattern up to its mark. Brackets are only taken where every `sed` agrees on their end: without the mark, `\` or `]`. */
function pattern(mark: string): string {
  return String.raw`(?:[^\\\n[${mark}]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^\][\\\n${mark}])+\])*`;
}
