/** The search tools of `handrail`: `coder`'s with more ways to narrow a search. */
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';

const FILES = { 'a.ts': 'One\ntwo\n', 'd/b.ts': 'one\ntwo\n', 'd/c.md': 'a.b\none\n' };

describe('handrail glob', () => {
  it('takes the pattern as relative to path', async () => {
    await using handrail = await speak('handrail', FILES);
    expect(await handrail.reply('glob', { pattern: '*.{ts,md}', path: 'd' })).toEqual({
      ok: true,
      matches: ['d/b.ts', 'd/c.md'],
    });
    expect(await handrail.reply('glob', { pattern: 'd/*.ts', path: '' })).toEqual({
      ok: true,
      matches: ['d/b.ts'],
    });
    expect(handrail.asked).toEqual([]);
  });
});

describe('handrail grep', () => {
  it.each([
    [{ pattern: 'one' }, ['d/b.ts:1', 'd/c.md:2']],
    [{ pattern: 'ONE', ignore_case: true }, ['a.ts:1', 'd/b.ts:1', 'd/c.md:2']],
    [{ pattern: 'a.b' }, ['d/c.md:1']],
    [{ pattern: '.', literal: true }, ['d/c.md:1']],
    [{ pattern: 'one', glob: '*.md' }, ['d/c.md:2']],
    [{ pattern: 'one', path: 'd/b.ts' }, ['d/b.ts:1']],
    [{ pattern: 'one\\ntwo', multiline: true }, ['d/b.ts:1', 'd/b.ts:2']],
    [{ pattern: 'two', path: 'a.ts', context: 0 }, ['a.ts:2']],
    [{ pattern: 'one', offset: 1 }, ['d/c.md:2']],
    [{ pattern: 'one', offset: 0, max_matches: 1 }, ['d/b.ts:1']],
  ])('takes %j', async (args, found) => {
    await using handrail = await speak('handrail', FILES);
    const { matches } = (await handrail.reply('grep', args)) as { matches: { path: string; line: number }[] };
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(found);
    expect(handrail.asked).toEqual([]);
  });

  it('marks lines that only surround a match', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'hit\nafter\nfar\n' });
    expect(await handrail.reply('grep', { pattern: 'hit', context: 1 })).toEqual({
      ok: true,
      count: 1,
      matches: [
        { path: 'a.txt', line: 1, text: 'hit' },
        { path: 'a.txt', line: 2, text: 'after', context: true },
      ],
    });
  });

  it.each([{ context: 51 }, { context: -1 }, { offset: -1 }, { pattern: '' }, { max_matches: 1.5 }])(
    'refuses %j',
    async (args) => {
      await using handrail = await speak('handrail', FILES);
      expect(await handrail.reply('grep', { pattern: 'one', ...args })).toMatchObject({
        ok: false,
        error: expect.stringMatching(new RegExp(`^args: .*"${Object.keys(args)[0]}"`)) as string,
      });
    },
  );

  it('keeps what did not fit, for read_output', async () => {
    await using handrail = await speak('handrail', { 'a.txt': numbered(9_000, 'x'.repeat(60)) });
    const reply = (await handrail.reply('grep', { pattern: 'x', max_matches: 10_000 })) as {
      matches: unknown[];
      output_id: string;
    };
    expect({ ...reply, matches: undefined }).toEqual({
      ok: true,
      count: 9_000,
      matches: undefined,
      truncated: true,
      total: 9_000,
      output_id: reply.output_id,
    });
    const page = { output_id: reply.output_id, offset: 8_999 };
    expect(await handrail.reply('read_output', page)).toMatchObject({
      part: [{ path: 'a.txt', line: 9_000, text: `${'x'.repeat(60)} 9000` }],
      has_more: false,
    });
  });
});
