/** Hunks: where they belong, although numbers, counts, marks or context are wrong; and where that is not certain. */
import { describe, expect, it } from 'vitest';
import { applyHunks, type ApplyOptions } from '../../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';
import { Failure } from '../../../src/failure.ts';
import { LINES, REFUSED_HUNKS, SLOPPY_HUNKS } from './fixtures/hunks.ts';

const REFUSE: ApplyOptions = { alreadyApplied: 'failure' };

function apply(file: string, hunks: string, options = REFUSE): ReturnType<typeof applyHunks> {
  return applyHunks('f', file, parsePatch(`--- a/f\n+++ b/f\n${hunks}`)[0]!.hunks, options);
}

function failureOf(file: string, hunks: string): Failure {
  try {
    apply(file, hunks);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('The patch was applied.');
}

describe('applyHunks', () => {
  it.each(SLOPPY_HUNKS)('sees what is meant: $title', ({ file, hunks, result, differences = [] }) => {
    const applied = apply(file, hunks);
    expect({
      text: applied.text,
      differences: [...new Set(applied.hunks.flatMap((hunk) => hunk.differences))],
    }).toEqual({
      text: result,
      differences,
    });
  });

  it.each(REFUSED_HUNKS)('refuses $title', ({ file, hunks, says }) => {
    const failure = failureOf(file, hunks);
    expect({ code: failure.code, message: failure.message }).toEqual({
      code: 'E_PATCH',
      message: expect.stringContaining(says),
    });
  });

  it('names the hunk, the file and the line of the patch', () => {
    const { message } = failureOf(LINES, '@@\n one\n-two\n+2\n@@\n six\n-seventh\n+7\n');
    expect(message).toMatch(
      /^Hunk 2 of "f" \(line 7 of the patch\) does not fit\. The closest place is line 6/,
    );
  });

  it('says which line each hunk changed, as the file is now', () => {
    const { hunks } = apply(LINES, '@@\n one\n+1.1\n+1.2\n two\n@@\n six\n-seven\n+7\n');
    expect(hunks.map(({ line }) => line)).toEqual([2, 9]);
  });

  it('takes what is in place already for applied where that is wanted, and says so', () => {
    const file = LINES.replace('two', '2');
    const applied = apply(file, '@@\n one\n-two\n+2\n three\n@@\n six\n-seven\n+7\n', {
      alreadyApplied: 'applied',
    });
    expect(applied.text).toBe(file.replace('seven', '7'));
    expect(applied.hunks.map(({ already }) => already)).toEqual([true, false]);
  });
});
