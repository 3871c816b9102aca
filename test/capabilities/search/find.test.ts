/** `search.find`: files by a text in their name or content, the nearest first. */
import { describe, expect, it } from 'vitest';
import { searching } from './fixtures/searching.ts';

describe('search.find', () => {
  it('goes level by level, and within one by name', async () => {
    await using search = await searching({
      'z.txt': 'needle',
      'a/needle.txt': '',
      'a/b/c/needle': '',
      'b/a.txt': 'a needle',
      'a/b/z': 'needle',
      'other.txt': 'none',
    });
    expect(await search.find({ query: 'needle' })).toEqual({
      path: '.',
      query: 'needle',
      results: ['z.txt', 'a/needle.txt', 'b/a.txt', 'a/b/z', 'a/b/c/needle'],
      hasMore: false,
    });
  });

  it('names a file once that fits by name and content', async () => {
    await using search = await searching({ needle: 'needle\nneedle\n' });
    expect((await search.find({ query: 'needle' })).results).toEqual(['needle']);
  });

  it('looks at the name of the file and not at those of its directories', async () => {
    await using search = await searching({ 'needle/a.txt': '' });
    expect((await search.find({ query: 'needle' })).results).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['Needle', []],
    ['.*', ['a.txt']],
    ['(', ['a.txt']],
    ['--x', ['b.txt']],
    ['one\ntwo', ['c.txt']],
    ['two\none', []],
    [' ', ['b.txt']],
    ['é', ['d.txt']],
  ])('takes %j for a plain text', async (query, results) => {
    await using search = await searching({
      'a.txt': '.*(needle',
      'b.txt': 'a --x',
      'c.txt': 'one\ntwo\n',
      'd.txt': 'é',
    });
    expect((await search.find({ query })).results).toEqual(results);
  });

  it('stays within its depth', async () => {
    const at = (levels: number): string => `${'d/'.repeat(levels - 1)}needle`;
    await using search = await searching({ [at(1)]: '', [at(2)]: '', [at(3)]: '', 'd/d/x.txt': 'needle' });
    expect((await search.find({ query: 'needle', maxDepth: 2 })).results).toEqual([at(1), at(2)]);
    expect((await search.find({ query: 'needle', maxDepth: 1, path: 'd/d' })).results).toEqual([
      at(3),
      'd/d/x.txt',
    ]);
  });

  it('skips names, .git and what .gitignore names', async () => {
    await using search = await searching({
      '.gitignore': 'built\n',
      'built/needle': 'needle',
      '.git/needle': 'needle',
      'skipped/needle': 'needle',
      'd/skipped/needle': 'needle',
      'd/needle': '',
    });
    expect((await search.find({ query: 'needle', skip: ['skipped'] })).results).toEqual(['d/needle']);
  });

  it('gives the nearest ones, and says that there are more', async () => {
    await using search = await searching({
      'a/b/c/needle': '',
      'a/b/needle': '',
      'a/needle': 'needle',
      x: 'needle',
    });
    expect(await search.find({ query: 'needle', limit: 2 })).toMatchObject({
      results: ['x', 'a/needle'],
      hasMore: true,
    });
    expect(await search.find({ query: 'needle', limit: 4 })).toMatchObject({ hasMore: false });
  });

  it('looks into no large file, and into no binary one', async () => {
    await using search = await searching({
      'a.txt': `needle${'x'.repeat(95)}`,
      'b.txt': 'needle',
      'c.bin': 'needle\0',
    });
    expect((await search.find({ query: 'needle', maxFileBytes: 100 })).results).toEqual(['b.txt']);
  });

  it('never tells what is in places that are asked about, and no name of closed ones', async () => {
    await using search = await searching({ '.env': 'needle', '.ssh/needle': '', 'd/.env.needle': '' });
    expect((await search.find({ query: 'needle' })).results).toEqual(['d/.env.needle']);
  });

  it('refuses a directory that is not there, and one that leads out', async () => {
    await using search = await searching({ 'a.txt': '' });
    expect((await search.find({ query: 'x', path: 'gone' })).code).toBe('E_NOT_FOUND');
    expect((await search.find({ query: 'x', path: 'a.txt' })).code).toBe('E_NOT_DIR');
  });
});
