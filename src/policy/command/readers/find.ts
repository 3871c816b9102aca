/** `find`: its tests only read, its actions may do anything. */
import type { UsedFile } from '../findings.ts';
import type { Knowledge } from '../program-knowledge.ts';
import { isLiteral, isOneWord, literalWord, type ShellWord } from '../words.ts';
import { fill, type Inner } from '../wrappers.ts';

/** How many words follow a test or an action that only reads. */
const PRIMARIES: ReadonlyMap<string, number> = new Map([
  ...'! ( ) , -a -and -daystart -depth -d -empty -executable -false -follow -help -ignore_readdir_race -ls -mount -nogroup -noleaf -noignore_readdir_race -not -nouser -nowarn -o -or -print -print0 -prune -quit -readable -true -version -warn -writable -xdev'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -newermt -newerct -neweram -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype'
    .split(' ')
    .map((name) => [name, 1] as const),
]);

const STARTING = /^-(?:exec|execdir|ok|okdir)$/;
/** Actions that write a file of their own. */
const WRITING = /^-(?:fprintf?|fprint0|fls)$/;
/** Primaries whose word is a file that is looked at. */
const LOOKING = /^-(?:anewer|cnewer|newer|samefile)$/;

/** What a `find` reads, and what it starts. */
export function readFind(args: readonly ShellWord[]): Knowledge {
  const [from, expression] = splitExpression(args);
  const start = from.length === 0 ? [literalWord('.')] : from;
  const files: UsedFile[] = start.map((word) => ({ use: 'read', word, isTree: true }));
  const inner: Inner[] = [];
  let isKnown = true;
  let isCertain = true;
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at]!;
    const primary = isLiteral(word) ? word.value : '';
    if (STARTING.test(primary)) {
      const end = endOfCommand(expression, at + 1);
      const command = expression.slice(at + 1, end);
      inner.push(startedBy(primary, command));
      isCertain &&= command.every(isNoEnd);
      isKnown &&= end < expression.length;
      at = end;
    } else if (WRITING.test(primary) && expression[at + 1] !== undefined) {
      files.push({ use: 'write', word: expression[++at]!, isTree: false });
      isKnown = false;
    } else if (primary === '-delete') {
      files.push(...start.map((word) => ({ use: 'write' as const, word, isTree: true })));
      isKnown = false;
    } else {
      const follow = PRIMARIES.get(primary);
      const operands = expression.slice(at + 1, at + 1 + (follow ?? 0));
      isCertain &&= isLiteral(word) && operands.every(isOneWord);
      isKnown &&= follow !== undefined;
      if (LOOKING.test(primary) && operands[0] !== undefined)
        files.push({ use: 'read', word: operands[0], isTree: false });
      at += follow ?? 0;
    }
  }
  if (!isCertain)
    return { onlyReads: false, files, inner, unclear: 'Only a shell could tell what this `find` does.' };
  return { onlyReads: isKnown ? 'always' : false, files, inner };
}

/** Whether it can't end the command it stands in: behind the end, any action could follow. */
function isNoEnd(word: ShellWord): boolean {
  return isLiteral(word) || (isOneWord(word) && /^[^;+]/.test(word.prefix));
}

function splitExpression(args: readonly ShellWord[]): [readonly ShellWord[], readonly ShellWord[]] {
  let first = 0;
  while (/^-(?:H|L|P|O\d)$/.test(args[first]?.value ?? '')) first++;
  let at = first;
  // A word that may be anything could start the expression.
  while (at < args.length && !/^(?:-|!$|\(|\)|,|$)/.test(args[at]!.prefix) && !args[at]!.splits) at++;
  return [args.slice(first, at), args.slice(at)];
}

function endOfCommand(words: readonly ShellWord[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const { value } = words[at]!;
    if (value === ';' || (value === '+' && words[at - 1]?.value === '{}')) return at;
  }
  return words.length;
}

function startedBy(primary: string, words: readonly ShellWord[]): Inner {
  const filled = words.map((word) => fill(word, '{}'));
  return primary.endsWith('dir') ? { words: filled, directory: 'unknown' } : { words: filled };
}
