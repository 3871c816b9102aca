/** Builtins of the shell that change nothing, or nothing that a later command would obey. */
import { directoryOperand } from '../change-directory.ts';
import type { UsedFile } from '../findings.ts';
import { optionList, readArguments } from '../options.ts';
import type { Knowledge } from '../program-knowledge.ts';
import { isHarmlessVariable, isOwnVariable } from '../variables.ts';
import { isLiteral, isOneWord, type ShellWord } from '../words.ts';

type Builtin = (args: readonly ShellWord[]) => readonly UsedFile[] | boolean;

const BUILTINS: Readonly<Record<string, Builtin>> = {
  ':': () => true,
  '[': (args) => args.at(-1)?.value === ']' && readTest(args.slice(0, -1)),
  '[[': () => true,
  break: isNumbers,
  cd: (args) => directoryOperand(args) !== undefined,
  // As a question only; as a wrapper it is unwrapped before.
  command: (args) => args.slice(1).every(isLiteral),
  continue: isNumbers,
  echo: () => true,
  exec: (args) => args.length === 0,
  exit: isNumbers,
  export: (args) =>
    args.length > 0 &&
    args.every((word) => isOneWord(word) && isHarmlessVariable(word.prefix.split('=', 1)[0]!)),
  false: () => true,
  // A first word that may be `-v` would set a variable.
  printf: ([format]) => format !== undefined && isLiteral(format) && !/^-./.test(format.value),
  pushd: (args) => directoryOperand(args) !== undefined && args.length === 1,
  pwd: (args) => args.every(({ value }) => value === '-P' || value === '-L'),
  read: readRead,
  return: isNumbers,
  set: readSet,
  shift: isNumbers,
  test: readTest,
  true: () => true,
  type: (args) => args.every(isLiteral),
  wait: (args) => args.length === 0,
};

/** What is known about a builtin with these words. */
export function findBuiltin(name: string, args: readonly ShellWord[]): Knowledge | undefined {
  const found = Object.hasOwn(BUILTINS, name) ? BUILTINS[name]!(args) : false;
  if (found !== false) return { onlyReads: 'always', files: found === true ? [] : found };
  const unclear = changesMeaning(name);
  return unclear === undefined ? undefined : { onlyReads: false, files: [], unclear };
}

const MEANING = new Set(
  '. source set hash enable shopt declare typeset local readonly export unset bind complete mapfile readarray getopts let'.split(
    ' ',
  ),
);

/** Builtins after which words may mean something else, or that run what a name holds. */
function changesMeaning(name: string): string | undefined {
  if (EVALUATING.has(name)) return 'It may run what stands in the index of a name.';
  return MEANING.has(name) ? 'It changes what later words mean.' : undefined;
}

/** Builtins that run what stands in the index of a name they are given, such as `test -v 'a[$(x)]'`. */
const EVALUATING = new Set(['test', '[', 'printf', 'read', 'wait']);

function isNumbers(args: readonly ShellWord[]): boolean {
  return args.every(({ prefix, splits }) => (prefix === '' ? !splits : /^\d/.test(prefix)));
}

const UNARY = /^-[bcdefgGhkLnOprsStuwxz]$/;
const ON_FILES = /^-[bcdefgGhkLOprsSuwx]$/;
const BINARY = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge)$/;

/** Only the forms whose operator is certain: `-v` would evaluate its operand. */
function readTest(args: readonly ShellWord[]): readonly UsedFile[] | boolean {
  const words = args[0]?.value === '!' ? args.slice(1) : args;
  const [first, second, third] = words;
  if (!words.every(isOneWord)) return false;
  if (words.length < 2) return true;
  if (words.length === 2 && UNARY.test(first!.value ?? ''))
    return ON_FILES.test(first!.value!) ? [{ use: 'read', word: second!, isTree: false }] : true;
  if (words.length === 3 && /^-(?:nt|ot|ef)$/.test(second!.value ?? ''))
    return [first!, third!].map((word) => ({ use: 'read', word, isTree: false }));
  return words.length === 3 && BINARY.test(second!.value ?? '');
}

const READ = optionList('-r -s -d= -n= -N= -p= -t= -u=');

function readRead(args: readonly ShellWord[]): boolean {
  const { operands, isUnderstood } = readArguments(args, READ, { stopsAtOperand: true });
  return isUnderstood && operands.every(({ value }) => value !== undefined && isOwnVariable(value));
}

/** How errors are dealt with may be set; `-a` and `-k` would change what programs see, `--` the operands. */
function readSet(args: readonly ShellWord[]): boolean {
  let at = 0;
  for (; at < args.length; at++) {
    const value = args[at]!.value ?? '';
    if (/^[-+][eufx]*o$/.test(value) && /^(?:pipefail|errexit|nounset)$/.test(args[at + 1]?.value ?? ''))
      at++;
    else if (!/^[-+][eufx]+$/.test(value)) return false;
  }
  return args.length > 0;
}
