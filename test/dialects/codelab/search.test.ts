/** Finding things in `codelab`: `list_files` and `search_in_project`. */
import { mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered, speak, type Speaker } from '../fixtures/speak.ts';
import { type Answered, failed, succeeded } from './fixtures/results.ts';

const TREE = {
  'b.dart': 'four',
  'a.txt': '',
  '.hidden/x.dart': '',
  'lib/c.dart': '',
  'lib/src/d.dart': '',
  'node_modules/m.dart': '',
  '.git/config': '',
};

async function pathsOf(codelab: Speaker, args: object): Promise<string[]> {
  const { items } = ((await codelab.reply('list_files', args)) as Answered<{ items: { path: string }[] }>)
    .result;
  return items.map(({ path }) => path);
}

describe('codelab list_files', () => {
  it('lists one level with types, sizes and times, and asks nobody', async () => {
    await using codelab = await speak('codelab', { 'd/a.txt': 'four', 'd/e/b.txt': '' });
    symlinkSync('e', join(codelab.workspace.root, 'd/link'));
    utimesSync(join(codelab.workspace.root, 'd/a.txt'), 1_000, 2_000);
    const made = (path: string): object => {
      const { size, mtimeMs } = statSync(join(codelab.workspace.root, path));
      return { size, modified: new Date(mtimeMs).toISOString() };
    };
    expect(await codelab.reply('list_files', { path: 'd' })).toEqual(
      succeeded({
        items: [
          { name: 'a.txt', path: 'd/a.txt', type: 'file', size: 4, modified: '1970-01-01T00:33:20.000Z' },
          { name: 'e', path: 'd/e', type: 'directory', ...made('d/e') },
          {
            name: 'link',
            path: 'd/link',
            type: 'directory',
            size: 1,
            modified: expect.any(String) as string,
          },
        ],
        total_count: 3,
      }),
    );
    expect(codelab.asked).toEqual([]);
  });

  it.each([
    [{}, ['a.txt', 'b.dart', 'lib', 'node_modules']],
    [{ path: '' }, ['a.txt', 'b.dart', 'lib', 'node_modules']],
    [{ include_hidden: true }, ['.git', '.hidden', 'a.txt', 'b.dart', 'lib', 'node_modules']],
    [{ pattern: '*.dart' }, ['b.dart']],
    [{ path: 'lib' }, ['lib/c.dart', 'lib/src']],
    [{ recursive: true }, ['a.txt', 'b.dart', 'lib', 'lib/c.dart', 'lib/src', 'lib/src/d.dart']],
    [{ recursive: true, pattern: '*.dart' }, ['b.dart', 'lib/c.dart', 'lib/src/d.dart']],
    [{ recursive: true, pattern: 'lib/*.dart' }, ['lib/c.dart']],
    [{ recursive: true, pattern: '**/src' }, ['lib/src']],
    [{ recursive: true, path: 'lib', pattern: 'src/*' }, ['lib/src/d.dart']],
    [{ recursive: true, include_hidden: true, pattern: 'x.*' }, ['.hidden/x.dart']],
    [{ recursive: true, include_hidden: true, pattern: '{config,m.dart}' }, []],
  ])('lists for %j', async (args, paths) => {
    await using codelab = await speak('codelab', TREE);
    expect(await pathsOf(codelab, args)).toEqual(paths);
  });

  it('goes level by level, ends at 10,000 items and says so', async () => {
    await using codelab = await speak('codelab', { 'a/b/deep.txt': '', 'z.txt': '' });
    for (let index = 0; index < 9_999; index++) mkdirSync(join(codelab.workspace.root, `a/${index}`));
    const result = (
      (await codelab.reply('list_files', { recursive: true })) as Answered<{ items: { path: string }[] }>
    ).result;
    expect({ ...result, items: result.items.length }).toEqual({
      items: 10_000,
      total_count: 10_000,
      truncated: true,
    });
    expect(result.items.slice(0, 3).map(({ path }) => path)).toEqual(['a', 'z.txt', 'a/0']);
    expect(result.items.some(({ path }) => path === 'a/b/deep.txt')).toBe(false);
  });

  it('does not walk through links', async () => {
    await using codelab = await speak('codelab', { 'd/a.txt': '' });
    symlinkSync('..', join(codelab.workspace.root, 'd/up'));
    symlinkSync(codelab.workspace.outside, join(codelab.workspace.root, 'leaving'));
    expect(await pathsOf(codelab, { recursive: true })).toEqual(['d', 'leaving', 'd/a.txt', 'd/up']);
  });

  it('says what is wrong with a path', async () => {
    await using codelab = await speak('codelab', { 'a.txt': '' });
    expect(await codelab.reply('list_files', { path: 'gone' })).toEqual(failed('FILE_NOT_FOUND'));
    expect(await codelab.reply('list_files', { path: 'a.txt' })).toEqual(failed('INVALID_PATH'));
  });
});

describe('codelab search_in_project', () => {
  it('finds a plain text whatever its case, and asks nobody', async () => {
    await using codelab = await speak('codelab', { 'a.dart': 'void Main()\n', 'd/b.dart': 'x = main();' });
    expect(await codelab.reply('search_in_project', { query: 'main()' })).toEqual(
      succeeded({
        matches: [
          { path: 'a.dart', line: 1, text: 'void Main()' },
          { path: 'd/b.dart', line: 1, text: 'x = main();' },
        ],
        total: 2,
        truncated: false,
      }),
    );
    expect(codelab.asked).toEqual([]);
  });

  it.each([
    [{ query: 'main', case_sensitive: true }, ['d/b.dart']],
    [{ query: 'M.in', case_sensitive: true }, []],
    [{ query: 'M.in', case_sensitive: true, regex: true }, ['a.dart']],
    [{ query: 'main', path: 'd' }, ['d/b.dart', 'd/c.md']],
    [{ query: 'main', path: 'd/b.dart' }, ['d/b.dart']],
    [{ query: 'main', file_pattern: '*.md' }, ['d/c.md']],
    [{ query: 'main', file_pattern: 'd/*.dart' }, ['d/b.dart']],
  ])('takes %j', async (args, paths) => {
    await using codelab = await speak('codelab', { 'a.dart': 'Main', 'd/b.dart': 'main', 'd/c.md': 'MAIN' });
    const { matches } = (
      (await codelab.reply('search_in_project', args)) as Answered<{ matches: { path: string }[] }>
    ).result;
    expect(matches.map(({ path }) => path)).toEqual(paths);
  });

  it('gives 100 results by default, 1,000 at most, and says that there are more', async () => {
    await using codelab = await speak('codelab', { 'a.txt': numbered(1_001, 'hit') });
    const count = async (args: object): Promise<unknown> => {
      const { matches, ...rest } = (
        (await codelab.reply('search_in_project', { query: 'hit', ...args })) as Answered<{
          matches: unknown[];
        }>
      ).result;
      return { matches: matches.length, ...rest };
    };
    expect(await count({})).toEqual({ matches: 100, total: 100, truncated: true });
    expect(await count({ max_results: 1_000 })).toEqual({ matches: 1_000, total: 1_000, truncated: true });
    expect(await count({ query: 'hit 1001' })).toEqual({ matches: 1, total: 1, truncated: false });
    for (const max of [0, 1_001])
      expect(await codelab.reply('search_in_project', { query: 'hit', max_results: max })).toEqual(
        failed('INVALID_ARGUMENTS', /"max_results"/),
      );
  });

  it.each([
    [{}, /"query"/],
    [{ query: '' }, /"query"/],
    [{ query: '(', regex: true }, /unclosed group/],
    [{ query: 'x', file_pattern: '' }, /empty/],
  ])('refuses %j', async (args, why) => {
    await using codelab = await speak('codelab', { 'a.txt': 'x' });
    expect(await codelab.reply('search_in_project', args)).toEqual(failed('INVALID_ARGUMENTS', why));
  });

  it('leaves out .git, binary files and what .gitignore names', async () => {
    await using codelab = await speak('codelab', {
      '.gitignore': 'built\n',
      'built/a.txt': 'hit',
      '.git/b.txt': 'hit',
      'c.txt': 'hit',
    });
    codelab.workspace.write('d.bin', 'hit\0');
    expect(
      ((await codelab.reply('search_in_project', { query: 'hit' })) as Answered<unknown>).result,
    ).toEqual({
      matches: [{ path: 'c.txt', line: 1, text: 'hit' }],
      total: 1,
      truncated: false,
    });
  });
});
