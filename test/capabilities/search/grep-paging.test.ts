/** Paging through what `search.grep` finds: every match once, in the order of names and lines. */
import { describe, expect, it } from 'vitest';
import { type Searching, searching } from './fixtures/searching.ts';

/** Names whose order is a matter of taste: cases, dots, dashes, digits, depths. */
const NAMES = [
  'a.txt',
  'A.txt',
  'a/b.txt',
  'a-b.txt',
  'a.b/c.txt',
  'a/b/c.txt',
  'é.txt',
  'z',
  '10',
  '9',
  '_',
];

const FILES = Object.fromEntries(
  NAMES.map((name, index) => [
    name,
    Array.from({ length: index + 3 }, (_, line) => (line % 2 === 0 ? `hit ${line}` : 'no')).join('\n'),
  ]),
);

async function page(search: Searching, size: number): Promise<string[]> {
  const places: string[] = [];
  for (let offset = 0, hasMore = true; hasMore; offset += size) {
    const found = await search.grep({ pattern: 'hit', offset, maxMatches: size });
    places.push(...found.lines.map(({ path, line }) => `${path}:${line}`));
    hasMore = found.hasMore;
  }
  return places;
}

describe('search.grep with an offset', () => {
  it.each([1, 2, 3, 7, 1_000])(
    'gives every match exactly once by pages of %i, always in one order',
    async (size) => {
      await using search = await searching(FILES);
      const whole = await search.grep({ pattern: 'hit', offset: 0 });
      const expected = whole.lines.map(({ path, line }) => `${path}:${line}`);
      expect(await page(search, size)).toEqual(expected);
      expect([...expected].sort()).toEqual((await search.places({ pattern: 'hit' })).sort());
    },
  );

  it('keeps the lines of a file together and in order', async () => {
    await using search = await searching(FILES);
    const places = (await page(search, 4)).map((place) => place.split(':') as [string, string]);
    const files = places.map(([path]) => path);
    const runs = files.filter((path, index) => path !== files[index - 1]);
    expect(runs).toHaveLength(new Set(files).size);
    for (const name of NAMES) {
      const lines = places.filter(([path]) => path === name).map(([, line]) => Number(line));
      expect(lines).toEqual([...lines].sort((one, other) => one - other));
    }
  });

  it('gives nothing behind the end', async () => {
    await using search = await searching({ 'a.txt': 'hit\nhit' });
    expect(await search.grep({ pattern: 'hit', offset: 2 })).toEqual({
      path: '.',
      lines: [],
      count: 0,
      hasMore: false,
      unreadable: 0,
    });
    expect(await search.grep({ pattern: 'hit', offset: 99 })).toMatchObject({ lines: [], count: 0 });
  });

  it('says that a page is the last one where it ends with the last match', async () => {
    await using search = await searching({ 'a.txt': 'hit\nhit' });
    expect(await search.grep({ pattern: 'hit', offset: 0, maxMatches: 2 })).toMatchObject({
      count: 2,
      hasMore: false,
    });
    expect(await search.grep({ pattern: 'hit', offset: 0, maxMatches: 1 })).toMatchObject({
      count: 1,
      hasMore: true,
    });
  });
});
