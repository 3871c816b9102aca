/** Bounding: never over the limit, never more cut than needed, and nothing lost. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bound } from '../../src/runtime/bound.ts';

/** Notes which fields were cut. */
function keeper(): { kept: unknown[]; keep: (field: string) => Promise<string> } {
  const kept: unknown[] = [];
  return { kept, keep: async (field) => `out_${kept.push(field)}` };
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const character = fc.constantFrom('a', 'é', '€', '😀', '"', '\\', '\n', '\0', '\u2028', '\ud83d', '\udc00');
const text = fc.string({ unit: character, maxLength: 400 });
const item = fc.oneof(
  fc.record({
    name: fc.string({ unit: character, maxLength: 20 }),
    size: fc.nat(),
    isDirectory: fc.boolean(),
  }),
  fc.string({ unit: character, maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
  fc.array(fc.nat(), { maxLength: 5 }),
);
const whole = fc.oneof(text, fc.array(item, { maxLength: 60 }));
/** Besides the heavy part an output has small ones, which fit into every limit that is tried. */
const small = fc.record({
  path: fc.string({ unit: character, maxLength: 5 }),
  total: fc.nat(),
  more: fc.constant(true),
});
const SMALLEST = 200;

describe('bound', () => {
  it('never gives more bytes than the limit, and cuts from the end of one part only', async () => {
    await fc.assert(
      fc.asyncProperty(
        small,
        whole,
        fc.integer({ min: SMALLEST, max: 3_000 }),
        async (small, heavy, limit) => {
          const output = { ...small, heavy };
          const { kept, keep } = keeper();
          const { data, truncation } = await bound(output, limit, keep);
          expect(bytes(data)).toBeLessThanOrEqual(limit);
          const isCut = bytes(output) > limit;
          const shown = data.heavy.length;
          const expected = {
            field: 'heavy',
            unit: typeof heavy === 'string' ? 'characters' : 'items',
            shown,
            total: heavy.length,
            outputId: 'out_1',
          };
          expect({ data, truncation, kept }).toEqual({
            data: { ...output, heavy: isCut ? heavy.slice(0, shown) : heavy },
            truncation: isCut ? expected : undefined,
            kept: isCut ? ['heavy'] : [],
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('cuts no more than it must', async () => {
    await fc.assert(
      fc.asyncProperty(
        small,
        whole,
        fc.integer({ min: SMALLEST, max: 3_000 }),
        async (small, heavy, limit) => {
          const { data, truncation } = await bound({ ...small, heavy }, limit, keeper().keep);
          fc.pre(truncation !== undefined);
          const more =
            typeof heavy === 'string' ? String.fromCodePoint(heavy.codePointAt(truncation.shown)!).length : 1;
          // The last item needs no comma, which is not counted on: one byte may stay free.
          expect(bytes({ ...data, heavy: heavy.slice(0, truncation.shown + more) })).toBeGreaterThanOrEqual(
            limit,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('fills the limit to the last byte', async () => {
    for (let limit = 50; limit < 80; limit++) {
      const { data } = await bound({ text: 'x'.repeat(100) }, limit, keeper().keep);
      expect(bytes(data)).toBe(limit);
      const list = await bound({ list: Array.from({ length: 100 }, () => 1) }, limit, keeper().keep);
      // A comma is counted behind the last item too, so a byte or two stay free.
      expect([limit - 2, limit - 1, limit]).toContain(bytes(list.data));
    }
  });

  it('never cuts a character in two', async () => {
    const { data } = await bound({ text: '😀'.repeat(100) }, 100, keeper().keep);
    expect(data.text).toBe('😀'.repeat(Math.floor((100 - '{"text":""}'.length) / 4)));
  });

  it('cuts the heaviest of several parts', async () => {
    const output = {
      head: 'x'.repeat(50),
      list: Array.from({ length: 100 }, (_, index) => index),
      tail: 'y'.repeat(60),
    };
    const { data, truncation } = await bound(output, 300, keeper().keep);
    expect(truncation).toMatchObject({ field: 'list', unit: 'items', total: 100 });
    expect(data).toEqual({ ...output, list: output.list.slice(0, truncation?.shown) });
  });

  it('weighs by bytes of JSON, not by length', async () => {
    const { truncation } = await bound(
      { plain: 'x'.repeat(150), escaped: '\0'.repeat(50) },
      400,
      keeper().keep,
    );
    expect(truncation?.field).toBe('escaped');
  });

  it('shows nothing of a part whose first item does not fit', async () => {
    const { kept, keep } = keeper();
    const { data, truncation } = await bound({ list: ['x'.repeat(500), 'y'] }, 100, keep);
    expect({ data, truncation }).toEqual({
      data: { list: [] },
      truncation: { field: 'list', unit: 'items', shown: 0, total: 2, outputId: 'out_1' },
    });
    expect(kept).toEqual(['list']);
  });

  it('takes an output that can not be cut for a bug', async () => {
    await expect(bound({ deep: { text: 'x'.repeat(500) } }, 100, keeper().keep)).rejects.toThrow(
      'no list or text that could be cut',
    );
  });
});
