/** What did not fit into a reply comes back whole, page by page, in its own session and no other. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { handrail } from '../../src/dialects/handrail/index.ts';
import {
  defineDialect,
  defineOperation,
  defineTool,
  type Dialect,
  type Runtime,
  type Session,
} from '../../src/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const REPLY_BYTES = 1_000;

interface Pages {
  readonly part: unknown[] | string;
  readonly has_more: boolean;
}

/** Handrail's own tools with small replies, and one tool that gives back what the test holds. */
function giving(held: { whole: unknown[] | string }): Dialect {
  const whole = z.union([z.array(z.unknown()), z.string()]);
  const operation = defineOperation({
    name: 'giving.give',
    summary: 'Gives what the test holds.',
    input: z.strictObject({}),
    output: z.strictObject({ whole }),
    permissions: [],
    effect: 'read',
    access: () => [],
    run: async () => ({ whole: held.whole }),
  });
  const give = defineTool({
    name: 'give',
    version: '1.0.0',
    description: 'Give.',
    args: z.strictObject({}),
    returns: z.object({ whole }),
    operation,
    toInput: () => ({}),
    render: (output, { truncation }) => ({ ...output, truncation }),
  });
  return defineDialect({ name: 'giving', extends: handrail, replyBytes: REPLY_BYTES, tools: [give] });
}

async function readOn(
  runtime: Runtime,
  id: string,
  limit: number,
  session?: Session,
): Promise<(unknown[] | string)[]> {
  const parts: (unknown[] | string)[] = [];
  for (let offset = 0, hasMore = true; hasMore; offset += parts.at(-1)!.length) {
    const args = { output_id: id, offset, limit };
    const { reply, result } = await runtime.call(
      'read_output',
      args,
      session === undefined ? {} : { session },
    );
    expect(result.error).toBeNull();
    expect(Buffer.byteLength(JSON.stringify(result.payload))).toBeLessThanOrEqual(REPLY_BYTES);
    const { part, has_more } = reply as Pages;
    expect(part.length).toBeGreaterThan(0);
    parts.push(part);
    hasMore = has_more;
  }
  return parts;
}

const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\n', '\0'), maxLength: 30 });
const large = fc.oneof(
  fc.array(fc.oneof(word, fc.nat(), fc.record({ name: word, size: fc.nat() })), {
    minLength: 200,
    maxLength: 400,
  }),
  fc.array(word, { minLength: 120, maxLength: 300 }).map((words) => words.join(' ').padEnd(1_200, 'x')),
);

describe('read_output', () => {
  it('pages back to the identical whole, in pages of any size', async () => {
    await using workspace = tempWorkspace();
    const held: { whole: unknown[] | string } = { whole: '' };
    const runtime = await workspace.runtime({ dialects: [giving(held)], dialect: 'giving' });
    await fc.assert(
      fc.asyncProperty(large, fc.integer({ min: 50, max: 5_000 }), async (whole, limit) => {
        held.whole = whole;
        const { reply } = await runtime.call('give', {});
        const { whole: shown, truncation } = reply as {
          whole: unknown[] | string;
          truncation: { outputId: string; total: number; shown: number };
        };
        expect({ shown, total: truncation.total }).toEqual({
          shown: whole.slice(0, truncation.shown),
          total: whole.length,
        });
        const parts = await readOn(runtime, truncation.outputId, limit);
        expect(typeof whole === 'string' ? parts.join('') : parts.flat(1)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it('gives the page that was asked for', async () => {
    await using workspace = tempWorkspace();
    const whole = Array.from({ length: 500 }, (_, index) => index);
    const runtime = await workspace.runtime({ dialects: [giving({ whole })], dialect: 'giving' });
    const { reply } = await runtime.call('give', {});
    const { outputId } = (reply as { truncation: { outputId: string } }).truncation;
    const page = async (args: object): Promise<unknown> =>
      (await runtime.call('read_output', { output_id: outputId, ...args })).reply;
    expect(await page({ offset: 490, limit: 5 })).toEqual({
      ok: true,
      part: [490, 491, 492, 493, 494],
      offset: 490,
      total: 500,
      has_more: true,
    });
    expect(await page({ offset: 495, limit: 5 })).toEqual({
      ok: true,
      part: [495, 496, 497, 498, 499],
      offset: 495,
      total: 500,
      has_more: false,
    });
    expect(await page({ offset: 500 })).toEqual({
      ok: true,
      part: [],
      offset: 500,
      total: 500,
      has_more: false,
    });
    for (const args of [{ offset: -1 }, { offset: 0, limit: 0 }, { offset: 0, limit: 5_001 }, {}]) {
      expect(await page(args)).toMatchObject({ ok: false, code: 'E_INVALID_ARGS' });
    }
  });

  it('knows no output of another session, and none that never was', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({
      dialects: [giving({ whole: 'x'.repeat(5_000) })],
      dialect: 'giving',
    });
    const owner = await runtime.openSession();
    const { reply } = await runtime.call('give', {}, { session: owner });
    const { outputId } = (reply as { truncation: { outputId: string } }).truncation;
    const other = await runtime.call('read_output', { output_id: outputId, offset: 0 });
    expect(other.reply).toEqual({
      ok: false,
      error: `No output "${outputId}" is kept for this session. Output is kept for a day; make the call again.`,
      code: 'E_NOT_FOUND',
    });
    const unknown = await runtime.call(
      'read_output',
      { output_id: "' or 1=1 --", offset: 0 },
      { session: owner },
    );
    expect(unknown.result.error?.code).toBe('E_NOT_FOUND');
    expect((await readOn(runtime, outputId, 5_000, owner)).join('')).toBe('x'.repeat(5_000));
  });

  it('reads on in a list that did not fit', async () => {
    await using workspace = tempWorkspace();
    const names = Array.from(
      { length: 1_500 },
      (_, index) => `${String(index).padStart(4, '0')}-${'x'.repeat(90)}`,
    );
    for (const name of names) workspace.write(`d/${name}`, '');
    const runtime = await workspace.runtime();
    const { reply } = await runtime.call('list', { path: 'd' });
    const list = reply as { items: { name: string }[]; truncated: true; total: number; output_id: string };
    expect(list).toMatchObject({ ok: true, truncated: true, total: 1_500 });
    expect(list.items.length).toBeLessThan(1_500);
    const rest = await runtime.call('read_output', {
      output_id: list.output_id,
      offset: list.items.length,
      limit: 5_000,
    });
    const { part, has_more } = rest.reply as { part: { name: string }[]; has_more: boolean };
    expect([...list.items, ...part].map(({ name }) => name)).toEqual(names);
    expect(has_more).toBe(false);
  });
});
