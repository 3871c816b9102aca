import { describe, expect, it } from 'vitest';
import { keptOutput } from '../../../src/host/local/kept-output.ts';

function kept(limit: number, keep: 'head-and-tail' | 'tail', ...chunks: readonly string[]) {
  const output = keptOutput(limit, keep);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return { text: output.bytes().toString(), total: output.total, isTruncated: output.isTruncated };
}

describe('keptOutput', () => {
  it.each(['head-and-tail', 'tail'] as const)('keeps all that fits (%s)', (keep) => {
    expect(kept(6, keep, 'ab', '', 'cdef')).toEqual({ text: 'abcdef', total: 6, isTruncated: false });
  });

  it('keeps the start and the end, and says what is missing', () => {
    const expected = { text: 'abc\n[output truncated]\nhij', total: 10, isTruncated: true };
    expect(kept(6, 'head-and-tail', 'abcdefghij')).toEqual(expected);
    expect(kept(6, 'head-and-tail', ...'abcdefghij'.split(''))).toEqual(expected);
    expect(kept(6, 'head-and-tail', 'abcd', 'efghi', 'j')).toEqual(expected);
  });

  it('keeps the end', () => {
    const expected = { text: '[output truncated]\nefghij', total: 10, isTruncated: true };
    expect(kept(6, 'tail', 'abcdefghij')).toEqual(expected);
    expect(kept(6, 'tail', ...'abcdefghij'.split(''))).toEqual(expected);
  });

  it('cuts no character in two', () => {
    expect(kept(6, 'head-and-tail', 'aäöüäöü').text).toBe('aä\n[output truncated]\nü');
    expect(kept(5, 'tail', 'xxxx😀😀').text).toBe('[output truncated]\n😀');
  });

  it('keeps nothing where nothing may be kept', () => {
    expect(kept(0, 'head-and-tail', 'abc')).toEqual({
      text: '[output truncated]\n',
      total: 3,
      isTruncated: true,
    });
  });
});
