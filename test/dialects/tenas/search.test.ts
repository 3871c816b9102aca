/** `file-search` of `tenas`: files by a word in their name or content, level by level. */
import { describe, expect, it } from 'vitest';
import { speak } from '../fixtures/speak.ts';

describe('tenas file-search', () => {
  it('finds by name or content, nearest first, and asks nobody', async () => {
    await using tenas = await speak('tenas', {
      'z/y/x/deep.txt': 'a needle',
      'z/needle.md': '',
      'b.txt': 'one\nneedle\n',
      'a.txt': 'no',
      'needles/none.txt': 'only the directory is called so',
    });
    expect(await tenas.reply('file-search', { query: 'needle' })).toEqual({
      ok: true,
      data: { query: 'needle', root: '.', results: ['b.txt', 'z/needle.md', 'z/y/x/deep.txt'] },
    });
    expect(tenas.asked).toEqual([]);
  });

  it('searches below a path and gives paths relative to the project', async () => {
    await using tenas = await speak('tenas', { 'a.txt': 'needle', 'd/e/b.txt': 'needle' });
    expect(await tenas.reply('file-search', { query: 'needle', path: 'd' })).toEqual({
      ok: true,
      data: { query: 'needle', root: 'd', results: ['d/e/b.txt'] },
    });
  });

  it('skips .git, .tenas, node_modules and what .gitignore names, names included', async () => {
    await using tenas = await speak('tenas', {
      '.gitignore': 'built\n*.log\n',
      '.git/needle': 'needle',
      'd/.git/needle': 'needle',
      '.tenas/chat/needle': 'needle',
      'd/.tenas/needle': 'needle',
      'node_modules/needle/index.js': 'needle',
      'd/node_modules/needle.js': 'needle',
      'built/needle': 'needle',
      'needle.log': 'needle',
      '.hidden/needle': '',
    });
    expect(await tenas.reply('file-search', { query: 'needle' })).toMatchObject({
      data: { results: ['.hidden/needle'] },
    });
  });

  it('goes 12 levels deep', async () => {
    const at = (levels: number): string => `${'d/'.repeat(levels - 1)}needle-${levels}`;
    await using tenas = await speak('tenas', {
      [at(11)]: '',
      [at(12)]: '',
      [at(13)]: '',
      [at(14)]: 'needle',
    });
    expect(await tenas.reply('file-search', { query: 'needle' })).toMatchObject({
      data: { results: [at(11), at(12)] },
    });
  });

  it('takes the query for a plain text', async () => {
    await using tenas = await speak('tenas', { 'a.txt': 'x.*[y]', 'b.txt': 'xabc[y]', '-e': '', 'X.*': '' });
    expect(await tenas.reply('file-search', { query: '.*[' })).toMatchObject({
      data: { results: ['a.txt'] },
    });
    expect(await tenas.reply('file-search', { query: '-e' })).toMatchObject({ data: { results: ['-e'] } });
    expect(await tenas.reply('file-search', { query: 'x.*' })).toMatchObject({
      data: { results: ['a.txt'] },
    });
  });

  it('gives limit results, 50 by default and 200 at most, and says that there are more', async () => {
    const files = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`needle-${index}`, '']));
    await using tenas = await speak('tenas', files);
    const count = async (args: object): Promise<unknown> => {
      const { data } = (await tenas.reply('file-search', { query: 'needle', ...args })) as {
        data: { results: string[]; truncated?: true };
      };
      return { results: data.results.length, truncated: data.truncated };
    };
    expect(await count({})).toEqual({ results: 50, truncated: true });
    expect(await count({ limit: 200 })).toEqual({ results: 200, truncated: true });
    expect(await count({ limit: 3 })).toEqual({ results: 3, truncated: true });
    expect(await tenas.reply('file-search', { query: 'needle', limit: 201 })).toMatchObject({
      error: { code: 'E_INVALID_ARGS', message: expect.stringContaining('"limit"') as string },
    });
  });

  it.each([{}, { query: '' }])('needs a query: %j', async (args) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('file-search', args)).toEqual({
      ok: false,
      error: { code: 'E_INVALID_ARGS', message: expect.stringContaining('"query"') as string },
    });
  });

  it('looks into no file with a NUL byte, and into none over 128 KB, but knows their names', async () => {
    await using tenas = await speak('tenas', {
      'large.txt': `needle${'x'.repeat(128 * 1024)}`,
      'needle.txt': '',
    });
    tenas.workspace.write('a.bin', 'needle\0');
    tenas.workspace.write('needle.bin', '\0');
    expect(await tenas.reply('file-search', { query: 'needle' })).toMatchObject({
      data: { results: ['needle.bin', 'needle.txt'] },
    });
  });

  it('shows the name of a file with secrets, and never tells what is in it', async () => {
    await using tenas = await speak('tenas', { '.env': 'TOKEN=needle', '.ssh/needle': 'needle' });
    expect(await tenas.reply('file-search', { query: 'needle' })).toMatchObject({ data: { results: [] } });
    expect(await tenas.reply('file-search', { query: '.env' })).toMatchObject({
      data: { results: ['.env'] },
    });
    expect(tenas.asked).toEqual([]);
  });
});
