/** Matches that a search must not lose, and places it must not mix up. */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNotAsNobody } from '../../host/local/fixtures/use-files-in-a-child.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { searchAsNobody } from './fixtures/search-in-a-child.ts';
import { searching } from './fixtures/searching.ts';

describe('search.grep', () => {
  it.each([100, 300, 500, 1_000])(
    'finds lines of every length where %i characters are shown',
    async (shown) => {
      const lengths = [1, 2, 4].map((times) => shown * times);
      const near = [...lengths, 2_046].flatMap((length) => [length - 1, length, length + 1, length + 2]);
      const all = [...new Set([...near, shown * 4 + 500, 10_000])].sort((one, other) => one - other);
      const text = all.map((length) => `hit ${length} `.padEnd(length, 'x')).join('\n');
      await using search = await searching({ 'a.txt': text });
      const { lines } = await search.grep({ pattern: 'hit', maxLineCharacters: shown });
      expect(lines.map(({ line }) => all[line - 1])).toEqual(all);
    },
  );

  it('finds every line behind a mark of byte order, the start of the first one too', async () => {
    await using search = await searching({ 'a.txt': '\ufeffhit one\nno\nhit two\n' });
    const { lines } = await search.grep({ pattern: '^hit', context: 1 });
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [1, 'hit one'],
      [2, 'no'],
      [3, 'hit two'],
    ]);
  });

  it('finds no text in UTF-16, of which nobody could say the bytes', async () => {
    const text = Buffer.from('\ufeffhit\n', 'utf16le');
    await using search = await searching({ 'a.txt': text, 'b.txt': 'hit\n' });
    expect(await search.places({ pattern: 'hit' })).toEqual(['b.txt:1']);
  });

  it('cuts no character in two', async () => {
    await using search = await searching({ 'a.txt': `x${'😀'.repeat(1_000)}` });
    const { lines } = await search.grep({ pattern: 'x', maxLineCharacters: 500 });
    expect(lines.map(({ text }) => text.isWellFormed())).toEqual([true]);
  });

  it('finds in files whose names hold a newline, and blames no other file for it', async () => {
    await using search = await searching({ 'a\nb.txt': 'hit\n', 'b.txt': 'hit\n', 'd\n/c.txt': 'hit' });
    expect(await search.places({ pattern: 'hit' })).toEqual(['a\nb.txt:1', 'b.txt:1', 'd\n/c.txt:1']);
  });

  it('shows the lines before a match, also before the first one', async () => {
    await using search = await searching({ 'a.txt': '1\n2\nhit 3\n4\n5\n' });
    const { lines } = await search.grep({ pattern: 'hit', context: 1 });
    expect(lines.map(({ line, isContext }) => (isContext ? -line : line))).toEqual([-2, 3, -4]);
  });

  it('shows with a page the lines around its own matches, and none of the next one', async () => {
    await using search = await searching({ 'a.txt': '1\nhit 2\n3\n4\nhit 5\n6\n7\nhit 8\n9\n' });
    const shown = async (offset: number): Promise<number[]> => {
      const { lines } = await search.grep({ pattern: 'hit', context: 1, offset, maxMatches: 1 });
      return lines.map(({ line, isContext }) => (isContext ? -line : line));
    };
    expect([await shown(0), await shown(1), await shown(2)]).toEqual([
      [-1, 2, -3],
      [-4, 5, -6],
      [-7, 8, -9],
    ]);
  });

  it('counts a match that spans lines once, and cuts none in two', async () => {
    await using search = await searching({ 'a.txt': 'one\ntwo\nthree\n' });
    const found = await search.grep({ pattern: 'one.two', isMultiline: true, maxMatches: 1 });
    expect([found.count, found.lines.map(({ line }) => line), found.hasMore]).toEqual([1, [1, 2], false]);
  });

  it('finds the end and the start of lines, whatever ends them', async () => {
    await using search = await searching({ 'crlf.txt': 'a hit\r\nhit b\r\n', 'lf.txt': 'hit\n' });
    expect(await search.places({ pattern: 'hit$' })).toEqual(['crlf.txt:1', 'lf.txt:1']);
    expect(await search.places({ pattern: '^hit' })).toEqual(['crlf.txt:2', 'lf.txt:1']);
  });

  it.each(['a\0b', '\0'])('refuses %j, which no text holds', async (text) => {
    await using search = await searching({ 'a.txt': 'hit' });
    expect((await search.grep({ pattern: text })).code).toBe('E_INVALID_ARGS');
    expect((await search.grep({ pattern: text, isLiteral: true })).code).toBe('E_INVALID_ARGS');
    expect((await search.find({ query: text })).code).toBe('E_INVALID_ARGS');
  });

  it('takes a filter with a colon for a name', async () => {
    await using search = await searching({ 'a:b': 'hit', 'c.md': 'hit', 'include:md': 'hit' });
    expect(await search.places({ pattern: 'hit', only: ['a:*'] })).toEqual(['a:b:1']);
    expect(await search.places({ pattern: 'hit', only: ['include:md'] })).toEqual(['include:md:1']);
  });

  it('goes on where a directory that can not be read has a newline in its name', async ({ skip }) => {
    const whyNot = whyNotAsNobody();
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'hit' });
    for (const folder of [dirname(workspace.root), workspace.root]) chmodSync(folder, 0o755);
    mkdirSync(join(workspace.root, 'new\nline'), { mode: 0o700 });
    expect(await searchAsNobody(workspace, 'hit')).toMatchObject({ places: ['a.txt:1'], unreadable: 1 });
  });

  it('counts every place that can not be read', async ({ skip }) => {
    const whyNot = whyNotAsNobody();
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a.txt': 'hit' });
    for (const folder of [dirname(workspace.root), workspace.root]) chmodSync(folder, 0o755);
    for (let index = 0; index < 3_000; index++)
      mkdirSync(join(workspace.root, `${'closed'.repeat(10)}-${index}`), { mode: 0o700 });
    expect(await searchAsNobody(workspace, 'hit')).toMatchObject({ places: ['a.txt:1'], unreadable: 3_000 });
  });
});

describe('search.glob', () => {
  it('takes a backslash for what it escapes, at the start too', async () => {
    await using search = await searching({ '[slug].tsx': '', '*': '' });
    expect((await search.glob({ pattern: '\\[slug\\].tsx' })).matches).toEqual(['[slug].tsx']);
    expect((await search.glob({ pattern: '\\*' })).matches).toEqual(['*']);
  });

  it('finds for `*/**` only what lies in a directory', async () => {
    await using search = await searching({ 'a.txt': '', 'd/b.txt': '', 'd/e/c.txt': '' });
    expect((await search.glob({ pattern: '*/**' })).matches).toEqual(['d/b.txt', 'd/e/c.txt']);
  });

  it('says so where the directory it is to search in is not there', async () => {
    await using search = await searching({ 'a.txt': '' });
    expect((await search.glob({ pattern: '*', path: 'gone' })).code).toBe('E_NOT_FOUND');
    expect((await search.glob({ pattern: '*', path: 'a.txt' })).code).toBe('E_NOT_DIR');
  });
});
