/** `coder` shows the first part of a long diff. */

const MAX_LINES = 80;
const MAX_BYTES = 8_000;
const MARK = '... (diff truncated)';

/** The fields of a reply that carry a diff. */
export function cutDiff(diff: string): { diff: string; diff_truncated?: true } {
  const lines = diff.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let kept = lines.slice(0, MAX_LINES).join('');
  if (Buffer.byteLength(kept) > MAX_BYTES)
    kept = Buffer.from(kept)
      .subarray(0, MAX_BYTES)
      .toString()
      .replace(/\ufffd+$/, '');
  return kept.length === diff.length
    ? { diff }
    : { diff: `${kept.replace(/\n$/, '')}\n${MARK}`, diff_truncated: true };
}
