/** Names of files as patches write them: with `a/` and `b/` in front, in quotes with octal bytes, followed by a time. */
import { Failure } from '../../failure.ts';
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

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name in quotes, as C writes them, and what stands behind it. */
export function unquote(written: string, line: number): { readonly name: string; readonly rest: string } {
  const bytes: number[] = [];
  let at = 1;
  while (at < written.length && written[at] !== '"') {
    if (written[at] !== '\\') {
      const character = String.fromCodePoint(written.codePointAt(at)!);
      bytes.push(...Buffer.from(character));
      at += character.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(written.slice(at + 1, at + 4));
    const escaped = octal === null ? ESCAPES[written[at + 1] ?? ''] : Number.parseInt(octal[0], 8);
    if (escaped === undefined) throw wrongPatch(line, 'a name in quotes has an escape that is not known');
    bytes.push(escaped);
    at += octal === null ? 2 : 4;
  }
  if (written[at] !== '"') throw wrongPatch(line, 'a name in quotes does not end');
  try {
    return { name: strict.decode(Uint8Array.from(bytes)), rest: written.slice(at + 1).trim() };
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
