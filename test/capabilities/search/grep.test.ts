/** `search.grep`: which lines fit, and how much of them is given. */
import { describe, expect, it } from 'vitest';
import { type Grep, searching } from './fixtures/searching.ts';

const TEXT = ['alpha', 'Beta', 'gamma.delta', 'alpha beta', '', 'ünïcode É', '$price (1)'].join('\n');

describe('search.grep', () => {
  it.each<[Grep, number[]]>([
    [{ pattern: 'alpha' }, [1, 4]],
    [{ pattern: '^alpha$' }, [1]],
    [{ pattern: 'a.*b' }, [4]],
    [{ pattern: '^$' }, [5]],
    [{ pattern: '\\bbeta\\b' }, [4]],
    [{ pattern: 'gamma\\.delta|Beta' }, [2, 3]],
    [{ pattern: '\\p{Lu}' }, [2, 6]],
    [{ pattern: '^.nïcode' }, [6]],
    [{ pattern: '(?i)BETA' }, [2, 4]],
    [{ pattern: 'BETA', ignoreCase: true }, [2, 4]],
    [{ pattern: 'é', ignoreCase: true }, [6]],
    [{ pattern: 'BETA' }, []],
    [{ pattern: '.', isLiteral: true }, [3]],
    [{ pattern: '$price (1)', isLiteral: true }, [7]],
    [{ pattern: '$PRICE (', isLiteral: true, ignoreCase: true }, [7]],
    [{ pattern: '(', isLiteral: true }, [7]],
    [{ pattern: '\\p', isLiteral: true }, []],
    [{ pattern: '-alpha' }, []],
    [{ pattern: '--files' }, []],
    [{ pattern: 'a{2,3}' }, []],
  ])('finds by %j', async (input, lines) => {
    await using search = await searching({ 'a.txt': TEXT });
    expect(await search.places(input)).toEqual(lines.map((line) => `a.txt:${line}`));
  });

  it('gives the whole answer', async () => {
    await using search = await searching({ 'd/a.txt': 'one\nhit\n', 'b.txt': 'hit' });
    expect(await search.grep({ pattern: 'hit' })).toEqual({
      path: '.',
      lines: [
        { path: 'b.txt', line: 1, text: 'hit', isContext: false },
        { path: 'd/a.txt', line: 2, text: 'hit', isContext: false },
      ],
      count: 2,
      hasMore: false,
      unreadable: 0,
    });
  });

  it.each([
    ['(', /unclosed group/],
    ['[z-a]', /invalid character class range/],
    ['a**{', /./],
    ['\\', /./],
    ['a(?=b)', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /backreferences/],
    ['(((a{1000}){1000}){1000})', /size limit/],
    ['a\\nb', /"\\n" is not allowed/],
  ])('says what is wrong with %s', async (pattern, why) => {
    await using search = await searching({ 'a.txt': 'ab' });
    const { code, error } = await search.grep({ pattern });
    expect({ code, error }).toEqual({ code: 'E_INVALID_ARGS', error: expect.stringMatching(why) as string });
  });

  it('lets a match span lines where that is wanted', async () => {
    await using search = await searching({ 'a.txt': 'open {\n  inner\n}\nopen {}\n' });
    expect(await search.places({ pattern: 'open \\{.*?\\}', isMultiline: true })).toEqual([
      'a.txt:1',
      'a.txt:2',
      'a.txt:3',
      'a.txt:4',
    ]);
    expect(await search.places({ pattern: 'open \\{.*?\\}' })).toEqual(['a.txt:4']);
    expect(await search.places({ pattern: 'inner\n}', isMultiline: true, isLiteral: true })).toEqual([
      'a.txt:2',
      'a.txt:3',
    ]);
  });

  it('looks into one file, or below a directory', async () => {
    await using search = await searching({
      'a.txt': 'hit',
      'd/b.txt': 'hit',
      'd/e/c.txt': 'hit',
      'de/f': 'hit',
    });
    expect(await search.places({ pattern: 'hit', path: 'd/b.txt' })).toEqual(['d/b.txt:1']);
    expect(await search.places({ pattern: 'hit', path: 'd' })).toEqual(['d/b.txt:1', 'd/e/c.txt:1']);
    expect((await search.grep({ pattern: 'hit', path: 'gone' })).code).toBe('E_NOT_FOUND');
  });

  it('stops behind so many matches in a file, and so many in all', async () => {
    const files = { 'a.txt': 'hit\n'.repeat(5), 'b.txt': 'hit\n'.repeat(5), 'c.txt': 'hit' };
    await using search = await searching(files);
    expect(await search.places({ pattern: 'hit', maxPerFile: 2 })).toEqual([
      'a.txt:1',
      'a.txt:2',
      'b.txt:1',
      'b.txt:2',
      'c.txt:1',
    ]);
    const capped = await search.grep({ pattern: 'hit', maxPerFile: 2, maxMatches: 4 });
    expect([capped.lines.length, capped.count, capped.hasMore]).toEqual([4, 4, true]);
    const exact = await search.grep({ pattern: 'hit', maxMatches: 11 });
    expect([exact.lines.length, exact.count, exact.hasMore]).toEqual([11, 11, false]);
  });

  it('shows lines around a match once, and none of them counts', async () => {
    await using search = await searching({ 'a.txt': 'hit 1\n2\n3\nhit 4\n5\n6\n7\n8\nhit 9' });
    const { lines, count } = await search.grep({ pattern: 'hit', context: 2 });
    expect(count).toBe(3);
    expect(lines.map(({ line, isContext }) => (isContext ? -line : line))).toEqual([
      1, -2, -3, 4, -5, -6, -7, -8, 9,
    ]);
  });

  it('cuts long lines, between characters, and finds them by what is far behind the cut', async () => {
    const far = `${'😀'.repeat(10_000)}needle`;
    await using search = await searching({ 'a.txt': `${far}\nneedle ${'x'.repeat(3_000)}\n` });
    const { lines } = await search.grep({ pattern: 'needle', maxLineCharacters: 600 });
    expect(lines.map(({ text }) => text)).toEqual([
      `${'😀'.repeat(300)} [line cut here]`,
      `needle ${'x'.repeat(593)} [line cut here]`,
    ]);
  });

  it('ends when its caller no longer wants it', async () => {
    await using search = await searching({ 'a.txt': 'hit' });
    const stopped = await search.grep({ pattern: 'hit' }, AbortSignal.abort());
    expect(stopped.code).toBe('E_CANCELLED');
  });

  it.each(['(a+)+$', '(a|aa)+$', '(a|ab)+c', '(.*a){11}$', '([a-z]+)*[A-Z]', 'a{1,1000}c'])(
    'is done with 10 MB of a and %s: no pattern takes longer than its text',
    async (pattern) => {
      await using search = await searching({ 'a.txt': `${'a'.repeat(10_000_000)}b` });
      expect(await search.grep({ pattern })).toMatchObject({ lines: [], hasMore: false });
    },
  );
});
