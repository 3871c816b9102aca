/** Parts of a text that was cut anywhere, as whole characters. */

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the first whole character starts, and where the last one ends. */
export function wholeCharacters(bytes: Uint8Array): { readonly start: number; readonly end: number } {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && isContinuation(bytes[last])) last--;
  const lead = bytes[last] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return { start, end: last + length > bytes.length ? Math.max(last, start) : bytes.length };
}
