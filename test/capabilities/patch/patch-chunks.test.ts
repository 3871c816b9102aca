/** Properties of chunks: any of them together are a diff that does what they do one by one, and says rightly where. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/capabilities/fs/unified-diff.ts';
import { applyHunks } from '../../../src/capabilities/patch/apply-hunks.ts';
import { parsePatch } from '../../../src/capabilities/patch/parse-patch.ts';
import { chunksOf, diffOfChunks, type PatchChunk } from '../../../src/capabilities/patch/patch-chunks.ts';

/** Texts of few different lines, so that places repeat; with every kind of ending. */
const line = fc.constantFrom('a', 'b', 'c', '', '  a', '-- a', '++ b', '@@ c', '\\ d', 'a\r');
const text = fc
  .record({
    bom: fc.constantFrom('', '', '', '\ufeff'),
    lines: fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 60 }),
    last: fc.constantFrom('', '', 'end'),
  })
  .map(({ bom, lines, last }) => bom + lines.map((parts) => parts.join('')).join('') + last);

/** A text, what became of it in several places, and which of the chunks are taken. */
const reviewed = fc.record({
  before: text,
  edits: fc.array(
    fc.record({ at: fc.nat(80), remove: fc.nat(2), insert: fc.array(line, { maxLength: 3 }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
  taken: fc.infiniteStream(fc.boolean()),
});

function edited(before: string, edits: readonly { at: number; remove: number; insert: string[] }[]): string {
  return edits.reduce((text, { at, remove, insert }) => {
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const start = Math.min(at, lines.length);
    const added = insert.map((one) => `${one}\n`);
    return [...lines.slice(0, start), ...added, ...lines.slice(start + remove)].join('');
  }, before);
}

function chunks(before: string, after: string): PatchChunk[] {
  const [file] = parsePatch(unifiedDiff('f', before, after).diff);
  const applied = applyHunks('f', before, file!.hunks, { alreadyApplied: 'failure' });
  const bytes = Buffer.from(before);
  const read = { text: before, bytes, isExecutable: false };
  return chunksOf({ operation: 'update', path: 'f', before: read, ...applied, change: undefined });
}

function apply(before: string, diff: string): string {
  if (diff === '') return before;
  const [file] = parsePatch(diff);
  return applyHunks('f', before, file!.hunks, { alreadyApplied: 'failure' }).text;
}

describe('diffOfChunks', () => {
  it('does with all chunks what the patch does', () => {
    fc.assert(
      fc.property(reviewed, ({ before, edits }) => {
        const after = edited(before, edits);
        fc.pre(before !== after);
        expect(apply(before, diffOfChunks(chunks(before, after)))).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does with some of them what they do one by one, and its headers agree', () => {
    fc.assert(
      fc.property(reviewed, ({ before, edits, taken }) => {
        const after = edited(before, edits);
        fc.pre(before !== after);
        const some = chunks(before, after).filter(() => taken.next().value);
        // From the last to the first, so that the places of those before it stay what they are.
        const oneByOne = some
          .toReversed()
          .reduce((text, chunk) => apply(text, diffOfChunks([chunk])), before);
        const together = diffOfChunks(some);
        expect(apply(before, together)).toBe(oneByOne);
        const hunks = together === '' ? [] : parsePatch(together)[0]!.hunks;
        // A place is only known where the numbers agree through the whole file.
        expect(hunks.map(({ line: place }) => place !== undefined)).toEqual(some.map(() => true));
      }),
      { numRuns: 1_000 },
    );
  });
});
