/** The words of a command that no shell will read: plain ones, quoted where they hold blanks. */
import { Failure } from '../../failure.ts';

/** What only a shell could do, by name. */
const SYNTAX: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/[\n\r]/, 'several lines'],
  [/[|]/, 'a pipe'],
  [/[<>]/, 'a redirection'],
  [/[$`]/, 'a substitution'],
  [/[;&]/, 'several commands'],
  [/[()]/, 'a subshell'],
  [/[*?[\]{}~]/, 'a pattern'],
  [/[\\!#]/, 'an escape'],
];

const WORDS = /\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?=\s|$)/gy;

/** Splits a command into words; shell syntax is refused by name, in single quotes it is text. */
export function plainWords(command: string): string[] {
  const open = command.replaceAll(/'[^']*'/g, '');
  const found = SYNTAX.find(([pattern]) => pattern.test(open));
  if (found !== undefined) throw unsupported(found[1]);
  const matches = [...command.trim().matchAll(WORDS)];
  const length = matches.reduce((sum, [text]) => sum + text.length, 0);
  if (length !== command.trim().length) throw unsupported('a quote inside a word');
  if (matches.length === 0) throw new Failure('E_INVALID_ARGS', 'The command is empty.');
  return matches.map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

function unsupported(what: string): Failure {
  return new Failure('E_INVALID_ARGS', `Unsupported shell syntax: ${what}.`, {
    hint: 'One plain command, without a shell.',
  });
}
