/** A name in quotes with escapes, as git and other programs in C write it. */

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

/** The bytes of the name that a text begins with, and what stands behind it; else what is wrong with it. */
export function readQuoted(
  written: string,
): { readonly bytes: Uint8Array; readonly rest: string } | { readonly wrong: 'escape' | 'end' } {
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
    if (escaped === undefined) return { wrong: 'escape' };
    bytes.push(escaped);
    at += octal === null ? 2 : 4;
  }
  if (written[at] !== '"') return { wrong: 'end' };
  return { bytes: Uint8Array.from(bytes), rest: written.slice(at + 1) };
}
