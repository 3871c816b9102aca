/** The search tools of `clude`. */
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';
import { type Answered, failed, succeeded } from './fixtures/results.ts';

const NOISE = ['node_modules', '__pycache__', '.venv', '.clude', '.git'];

describe('clude glob_file_search', () => {
  it('finds files over directories, sorted, and asks nobody', async () => {
    await using clude = await speak('clude', { 'b.py': '', 'd/a.py': '', 'd/e/c.py': '', 'd/e/c.md': '' });
    expect(await clude.reply('glob_file_search', { glob_pattern: '**/*.py' })).toEqual(
      succeeded({ pattern: '**/*.py', matches: ['b.py', 'd/a.py', 'd/e/c.py'] }),
    );
    expect(clude.asked).toEqual([]);
  });

  it('takes the pattern as relative to target_directory', async () => {
    await using clude = await speak('clude', { 'a.py': '', 'd/a.py': '', 'd/e/a.py': '' });
    expect(await clude.reply('glob_file_search', { glob_pattern: '*.py', target_directory: 'd' })).toEqual(
      succeeded({ pattern: '*.py', matches: ['d/a.py'] }),
    );
  });

  it('skips the noise', async () => {
    const files = Object.fromEntries(
      NOISE.flatMap((name) => [
        [`${name}/a.py`, ''],
        [`d/${name}/a.py`, ''],
      ]),
    );
    await using clude = await speak('clude', { ...files, 'd/a.py': '' });
    expect(
      ((await clude.reply('glob_file_search', { glob_pattern: '**/*.py' })) as Answered<unknown>).payload,
    ).toMatchObject({
      matches: ['d/a.py'],
    });
  });

  it.each([
    ['/etc/*', /absolute/],
    ['../*', /`\.\.`/],
    ['', /empty/],
    ['a\0b', /no file name/],
  ])('refuses %j', async (pattern, why) => {
    await using clude = await speak('clude');
    expect(await clude.reply('glob_file_search', { glob_pattern: pattern })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(why) as string },
    });
  });

  it('says so where there are more than it gives', async () => {
    const files = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`d/${index}`, '']));
    await using clude = await speak('clude', files);
    const payload = (
      (await clude.reply('glob_file_search', { glob_pattern: '**' })) as Answered<{ matches: string[] }>
    ).payload;
    expect({ ...payload, matches: payload.matches.length }).toEqual({
      pattern: '**',
      matches: 5_000,
      truncated: true,
      total: 5_001,
    });
  });
});

describe('clude grep', () => {
  it('finds lines by a regular expression, and asks nobody', async () => {
    await using clude = await speak('clude', { 'a.py': 'def one():\n  pass\n', 'd/b.py': 'def two():' });
    expect(await clude.reply('grep', { pattern: 'def \\w+' })).toEqual(
      succeeded({
        engine: 'ripgrep',
        hits: [
          { path: 'a.py', line: 1, preview: 'def one():' },
          { path: 'd/b.py', line: 1, preview: 'def two():' },
        ],
        truncated: false,
      }),
    );
    expect(clude.asked).toEqual([]);
  });

  it.each([
    [{ pattern: 'one' }, ['a.py:1']],
    [{ pattern: 'one', '-i': true }, ['a.py:1', 'd/b.md:1']],
    [{ pattern: 'one', '-i': true, path: 'd' }, ['d/b.md:1']],
    [{ pattern: 'one', '-i': true, path: 'd/b.md' }, ['d/b.md:1']],
    [{ pattern: 'one', '-i': true, glob: '*.md' }, ['d/b.md:1']],
    [{ pattern: 'one', '-i': true, glob: 'd/*' }, ['d/b.md:1']],
    [{ pattern: 'one.two', '-i': true }, []],
    [{ pattern: 'one.two', multiline: true }, ['a.py:1', 'a.py:2']],
    [{ pattern: 'w', head_limit: 1, path: 'a.py' }, ['a.py:2']],
  ])('takes %j', async (args, found) => {
    await using clude = await speak('clude', { 'a.py': 'one\ntwo\n', 'd/b.md': 'ONE\n' });
    const { hits } = (
      (await clude.reply('grep', args)) as Answered<{ hits: { path: string; line: number }[] }>
    ).payload;
    expect(hits.map(({ path, line }) => `${path}:${line}`)).toEqual(found);
  });

  it('stops at head_limit, 200 by default, and says so', async () => {
    await using clude = await speak('clude', { 'a.txt': numbered(201, 'hit') });
    const count = async (args: object): Promise<unknown> => {
      const payload = (
        (await clude.reply('grep', { pattern: 'hit', ...args })) as Answered<{
          hits: unknown[];
          truncated: boolean;
        }>
      ).payload;
      return [payload.hits.length, payload.truncated];
    };
    expect(await count({})).toEqual([200, true]);
    expect(await count({ head_limit: 7 })).toEqual([7, true]);
    expect(await count({ head_limit: 201 })).toEqual([201, false]);
    expect(await clude.reply('grep', { pattern: 'hit', head_limit: 0 })).toEqual(
      failed('E_INVALID_ARGS', /"head_limit"/),
    );
  });

  it('shows 300 characters of a line at most', async () => {
    await using clude = await speak('clude', { 'a.txt': `${'€'.repeat(283)}x\n${'€'.repeat(284)}x` });
    const { hits } = (
      (await clude.reply('grep', { pattern: 'x$' })) as Answered<{ hits: { preview: string }[] }>
    ).payload;
    expect(hits.map(({ preview }) => preview)).toEqual([
      `${'€'.repeat(283)}x`,
      `${'€'.repeat(284)} [line cut here]`,
    ]);
  });

  it('skips the noise and binary files', async () => {
    const files = Object.fromEntries(NOISE.map((name) => [`d/${name}/a.txt`, 'hit']));
    await using clude = await speak('clude', { ...files, 'a.txt': 'hit' });
    clude.workspace.write('b.bin', 'hit\0');
    const { hits } = ((await clude.reply('grep', { pattern: 'hit' })) as Answered<{ hits: unknown[] }>)
      .payload;
    expect(hits).toEqual([{ path: 'a.txt', line: 1, preview: 'hit' }]);
  });

  it.each([
    ['(', /unclosed group/],
    ['a(?=b)', /look-around/],
    ['(a)\\1', /backreferences/],
  ])('tells what is wrong with %s', async (pattern, why) => {
    await using clude = await speak('clude', { 'a.txt': 'ab' });
    expect(await clude.reply('grep', { pattern })).toEqual(failed('E_INVALID_ARGS', why));
  });

  it.each([{}, { pattern: '' }, { pattern: 'x', ignore_case: true }, { pattern: 1 }])(
    'refuses %j',
    async (args) => {
      await using clude = await speak('clude');
      expect(await clude.reply('grep', args)).toEqual(failed('E_INVALID_ARGS', /"(pattern|ignore_case)"/));
    },
  );
});
