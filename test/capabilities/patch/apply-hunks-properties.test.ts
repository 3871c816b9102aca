/** Properties of the engine: what a diff says is what is done, to the byte, and doubt is never resolved by guessing. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/capabilities/fs/unified-diff.ts';
import { applyHunks } from '../../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';

/** Texts of few different lines, so that places repeat; with every kind of ending, also mixed. */
const line = fc.constantFrom('a', 'b', 'c', '', '  a', '\ta', '-- a', '++ b', '@@ c', '\\ d', ' ', 'a\r');
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n');
const text = fc
  .record({
    bom: fc.constantFrom('', '', '', '\ufeff'),
    lines: fc.array(fc.tuple(line, ending), { maxLength: 40 }),
    last: fc.constantFrom('', '', 'end', 'a'),
  })
  .map(({ bom, lines, last }) => bom + lines.map((parts) => parts.join('')).join('') + last);

/** A text and what became of it: some pieces of lines taken out or put in. */
const pair = fc
  .tuple(text, fc.array(fc.record({ at: fc.nat(60), remove: fc.nat(3), insert: text }), { maxLength: 4 }))
  .map(([before, edits]) => {
    let after = before;
    for (const { at, remove, insert } of edits) {
      const lines = after.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const start = Math.min(at, lines.length);
      after = [...lines.slice(0, start), insert, ...lines.slice(start + remove)].join('');
    }
    return { before, after };
  });

function apply(before: string, diff: string): string {
  const [file] = parsePatch(diff);
  return applyHunks('f', before, file!.hunks, { alreadyApplied: 'failure' }).text;
}

describe('applyHunks', () => {
  it('makes of the old text what the diff was made from', () => {
    fc.assert(
      fc.property(pair, ({ before, after }) => {
        fc.pre(before !== after);
        const { diff } = unifiedDiff('f', before, after);
        expect(apply(before, diff)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes of any text any other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        expect(apply(before, unifiedDiff('f', before, after).diff)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});
