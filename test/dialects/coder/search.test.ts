/** The search tools of `coder`. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';

describe('coder glob', () => {
  it('finds files over directories by **, sorted', async () => {
    await using coder = await speak('coder', { 'b.ts': '', 'd/a.ts': '', 'd/e/c.ts': '', 'd/e/c.md': '' });
    expect(await coder.reply('glob', { pattern: '**/*.ts' })).toEqual({
      ok: true,
      matches: ['b.ts', 'd/a.ts', 'd/e/c.ts'],
    });
    expect(coder.asked).toEqual([]);
  });

  it.each([
    ['/etc/*', 'An absolute glob pattern is not allowed.'],
    ['C:\\x', 'An absolute glob pattern is not allowed.'],
    ['', 'The glob pattern is empty.'],
    ['  ', 'The glob pattern is empty.'],
  ])('refuses %j', async (pattern, message) => {
    await using coder = await speak('coder');
    expect(await coder.reply('glob', { pattern })).toMatchObject({
      ok: false,
      error: expect.stringContaining(message) as string,
    });
  });

  it('needs a pattern', async () => {
    await using coder = await speak('coder');
    expect(await coder.reply('glob', {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^args: .*"pattern"/) as string,
      code: 'E_INVALID_ARGS',
    });
  });

  it('drops what lies outside the workspace', async () => {
    await using coder = await speak('coder', { 'a.txt': '' });
    symlinkSync(coder.workspace.outside, join(coder.workspace.root, 'leaving'));
    symlinkSync(join(coder.workspace.outside, 's.txt'), join(coder.workspace.root, 's.txt'));
    expect(await coder.reply('glob', { pattern: '**/*.txt' })).toEqual({ ok: true, matches: ['a.txt'] });
    expect(await coder.reply('glob', { pattern: 'leaving/*' })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^permission: /) as string,
    });
  });

  it('gives 5,000 paths at most and says how many there are', async () => {
    const files = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`d/${index}`, '']));
    await using coder = await speak('coder', files);
    const reply = (await coder.reply('glob', { pattern: '**' })) as { matches: string[] };
    expect({ ...reply, matches: reply.matches.length }).toEqual({
      ok: true,
      matches: 5_000,
      truncated: true,
      total: 5_001,
    });
  });
});

describe('coder grep', () => {
  it('finds lines by a regular expression in the workspace', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\ntwo 22\n', 'd/b.txt': 'three 3\r\n' });
    expect(await coder.reply('grep', { pattern: '\\d+$' })).toMatchObject({ ok: true });
    expect(await coder.reply('grep', { pattern: '[a-z]+ \\d+' })).toEqual({
      ok: true,
      count: 2,
      matches: [
        { path: 'a.txt', line: 2, text: 'two 22' },
        { path: 'd/b.txt', line: 1, text: 'three 3' },
      ],
    });
    expect(coder.asked).toEqual([]);
  });

  it.each(['d', './d/', 'd/b.txt'])('looks only into %s', async (path) => {
    await using coder = await speak('coder', { 'a.txt': 'hit', 'd/b.txt': 'hit' });
    expect(await coder.reply('grep', { pattern: 'hit', path })).toEqual({
      ok: true,
      count: 1,
      matches: [{ path: 'd/b.txt', line: 1, text: 'hit' }],
    });
  });

  it.each([
    ['200 matches by default', {}, 200],
    ['200 matches where max_matches is 0', { max_matches: 0 }, 200],
    ['max_matches', { max_matches: 3 }, 3],
  ])('stops at %s, and says so', async (_, args, count) => {
    await using coder = await speak('coder', { 'a.txt': numbered(201, 'hit') });
    const reply = (await coder.reply('grep', { pattern: 'hit', ...args })) as { matches: { line: number }[] };
    expect({ ...reply, matches: reply.matches.map(({ line }) => line) }).toEqual({
      ok: true,
      count,
      matches: Array.from({ length: count }, (__, index) => index + 1),
      truncated: true,
    });
  });

  it('does not say so where there are no more', async () => {
    await using coder = await speak('coder', { 'a.txt': numbered(200, 'hit') });
    const reply = (await coder.reply('grep', { pattern: 'hit' })) as object;
    expect(Object.keys(reply)).toEqual(['ok', 'count', 'matches']);
  });

  it('skips binary files: those with a NUL byte among their first 2,048', async () => {
    await using coder = await speak('coder', { 'a.txt': 'hit\n' });
    coder.workspace.write('first.bin', 'hit\n\0');
    coder.workspace.write('last.bin', `${'hit\n'.repeat(511)}hit\0\n`);
    expect(await coder.reply('grep', { pattern: 'hit' })).toEqual({
      ok: true,
      count: 1,
      matches: [{ path: 'a.txt', line: 1, text: 'hit' }],
    });
  });

  it('tells what is wrong with a pattern', async () => {
    await using coder = await speak('coder', { 'a.txt': 'hit' });
    expect(await coder.reply('grep', { pattern: 'a(b' })).toEqual({
      ok: false,
      error: expect.stringMatching(/^args: .*unclosed group/s) as string,
      code: 'E_INVALID_ARGS',
    });
  });

  it('does not leave the workspace', async () => {
    await using coder = await speak('coder', { 'a.txt': 'nothing' });
    symlinkSync(coder.workspace.outside, join(coder.workspace.root, 'leaving'));
    expect(await coder.reply('grep', { pattern: 'secret' })).toEqual({ ok: true, count: 0, matches: [] });
    for (const path of ['..', '/etc', 'leaving'])
      expect(await coder.reply('grep', { pattern: 'root', path })).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^permission: /) as string,
      });
  });
});
