/** Names of files as patches write them: with `a/` and `b/` in front, in quotes with octal bytes, followed by a time. */
import { Failure } from '../../failure.ts';
import { readQuoted } from '../quoted-name.ts';
import { wrongPatch } from './file-patch.ts';

/** The name in a `---`, `+++`, `rename` or `diff` line; undefined is `/dev/null`, where there is no file. */
export function readName(written: string, line: number): string | undefined {
  if (!written.isWellFormed()) throw halfCharacter(line);
  const name = written.startsWith('"') ? unquote(written, line).name : untimed(written);
  if (name === '') throw wrongPatch(line, 'the name of a file is missing');
  return name === '/dev/null' ? undefined : name;
}

function halfCharacter(line: number): Failure {
  const message = `Line ${line} of the patch has half a Unicode character in a name, which no file name can.`;
  return new Failure('E_INVALID_PATH', message);
}

/** What stands behind the name is a time: after a tab, or after a blank where it looks like one. */
function untimed(written: string): string {
  const tab = written.indexOf('\t');
  const name = tab === -1 ? written : written.slice(0, tab);
  return name.trimEnd().replace(/ {1,2}\d{4}-\d\d-\d\d[ T][\d:.]{5,20}( [+-]\d{4})?$/, '');
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WRONG = {
  escape: 'a name in quotes has an escape that is not known',
  end: 'a name in quotes does not end',
};

/** A name in quotes, as C writes them, and what stands behind it. */
export function unquote(written: string, line: number): { readonly name: string; readonly rest: string } {
  const read = readQuoted(written);
  if ('wrong' in read) throw wrongPatch(line, WRONG[read.wrong]);
  try {
    return { name: strict.decode(read.bytes), rest: read.rest.trim() };
  } catch {
    throw wrongPatch(line, 'a name in quotes is not UTF-8');
  }
}

/** Both names of a `diff --git` line; undefined where it does not say clearly. */
export function namesOfGitLine(written: string, line: number): { old: string; now: string } | undefined {
  if (written.startsWith('"')) {
    const { name: old, rest } = unquote(written, line);
    return { old, now: readName(rest, line) ?? '' };
  }
  const quoted = written.indexOf(' "');
  if (quoted !== -1)
    return { old: written.slice(0, quoted), now: unquote(written.slice(quoted + 1), line).name };
  // Where nothing else tells, both names are the same but for what is in front.
  for (let at = written.indexOf(' '); at !== -1; at = written.indexOf(' ', at + 1)) {
    const [old, now] = [written.slice(0, at), written.slice(at + 1)];
    if (old.length === now.length && (old === now || withoutFirst(old) === withoutFirst(now)))
      return { old, now };
  }
  return undefined;
}

function withoutFirst(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Letters git puts in front of names, old and new. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['a/', 'b/'],
  ['i/', 'w/'],
  ['c/', 'i/'],
  ['c/', 'w/'],
  ['o/', 'w/'],
];

/** The names without git's letters; they are there where each name has its own. */
export function withoutPrefixes(
  old: string | undefined,
  now: string | undefined,
): { readonly old: string | undefined; readonly now: string | undefined } {
  const pair = PREFIXES.find(
    ([one, other]) =>
      (old === undefined || old.startsWith(one)) && (now === undefined || now.startsWith(other)),
  );
  if (pair === undefined) return { old, now };
  return { old: old?.slice(pair[0].length), now: now?.slice(pair[1].length) };
}
