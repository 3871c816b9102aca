/** The file tools of `clude`: ToolCallResults, relative paths, a deletion that is always confirmed. */
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';
import { type Answered, failed, succeeded } from './fixtures/results.ts';

describe('clude list_dir', () => {
  it('lists one level, sorted, with sizes, and asks nobody', async () => {
    await using clude = await speak('clude', { 'd/b.txt': 'four', 'd/.a': '', 'd/e/f.txt': '' });
    expect(await clude.reply('list_dir', { path: 'd' })).toEqual(
      succeeded({
        path: 'd',
        items: [
          { name: '.a', is_dir: false, size_bytes: 0 },
          { name: 'b.txt', is_dir: false, size_bytes: 4 },
          { name: 'e', is_dir: true, size_bytes: statSync(join(clude.workspace.root, 'd/e')).size },
        ],
      }),
    );
    expect(clude.asked).toEqual([]);
  });

  it.each([
    [['*.log'], ['a.txt', 'b.md', 'dist', 'node_modules']],
    [
      ['*.{log,md}', 'dist'],
      ['a.txt', 'node_modules'],
    ],
    [
      ['**/node_modules/**', 'node_modules'],
      ['a.txt', 'b.md', 'dist', 'x.log'],
    ],
    [['[a-c]*'], ['dist', 'node_modules', 'x.log']],
    [[], ['a.txt', 'b.md', 'dist', 'node_modules', 'x.log']],
  ])('leaves out what fits one of %j', async (globs, names) => {
    await using clude = await speak('clude', {
      'a.txt': '',
      'b.md': '',
      'x.log': '',
      'dist/c.js': '',
      'node_modules/d.js': '',
    });
    const payload = (
      (await clude.reply('list_dir', { path: '.', ignore_globs: globs })) as Answered<{
        items: { name: string }[];
      }>
    ).payload;
    expect(payload.items.map(({ name }) => name)).toEqual(names);
  });

  it('needs a path, and a directory there', async () => {
    await using clude = await speak('clude', { 'a.txt': '' });
    expect(await clude.reply('list_dir', {})).toEqual(failed('E_INVALID_ARGS', /"path"/));
    expect(await clude.reply('list_dir', { path: 'a.txt' })).toEqual(failed('E_NOT_DIR', /"a\.txt"/));
    expect(await clude.reply('list_dir', { path: 'gone' })).toEqual(failed('E_NOT_FOUND', /"gone"/));
  });
});

describe('clude read_file', () => {
  it('gives 200 lines by default and says that more follow', async () => {
    const text = numbered(201);
    await using clude = await speak('clude', { 'a.txt': `${text}\n` });
    const shown = text.split('\n').slice(0, 200).join('\n');
    expect(await clude.reply('read_file', { path: 'a.txt' })).toEqual(
      succeeded({
        path: 'a.txt',
        text: shown,
        total_size: text.length + 1,
        read_size: shown.length,
        truncated: true,
      }),
    );
    expect(clude.asked).toEqual([]);
  });

  it('counts lines from 1 and sizes in bytes', async () => {
    await using clude = await speak('clude', { 'a.txt': 'one\n€\nthree' });
    expect(await clude.reply('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toEqual(
      succeeded({ path: 'a.txt', text: '€', total_size: 13, read_size: 3, truncated: true }),
    );
    expect(await clude.reply('read_file', { path: 'a.txt', offset: 3 })).toEqual(
      succeeded({ path: 'a.txt', text: 'three', total_size: 13, read_size: 5, truncated: false }),
    );
    expect(await clude.reply('read_file', { path: 'a.txt', offset: 4 })).toEqual(
      succeeded({ path: 'a.txt', text: '', total_size: 13, read_size: 0, truncated: false }),
    );
  });

  it('gives a million bytes at most', async () => {
    await using clude = await speak('clude', { 'a.txt': `${'x'.repeat(9_999)}\n`.repeat(101) });
    const payload = (
      (await clude.reply('read_file', { path: 'a.txt', limit: 100_000 })) as Answered<{ text: string }>
    ).payload;
    expect({ ...payload, text: payload.text.length }).toEqual({
      path: 'a.txt',
      text: 999_999,
      total_size: 1_010_000,
      read_size: 999_999,
      truncated: true,
    });
  });

  it('warns where a line was cut', async () => {
    await using clude = await speak('clude', { 'a.txt': `${'x'.repeat(10_001)}\n${'y'.repeat(10_000)}\n` });
    expect(((await clude.reply('read_file', { path: 'a.txt' })) as Answered<unknown>).payload).toMatchObject({
      warning: '1 long line was cut.',
      truncated: false,
    });
  });

  it('gives the same twice: it may be retried', async () => {
    await using clude = await speak('clude', { 'a.txt': 'one' });
    const [first, second] = [
      await clude.reply('read_file', { path: 'a.txt' }),
      await clude.reply('read_file', { path: 'a.txt' }),
    ];
    expect((second as Answered<unknown>).payload).toEqual((first as Answered<unknown>).payload);
  });

  it('says why something is not a text file', async () => {
    await using clude = await speak('clude', { 'd/a.txt': '' });
    clude.workspace.write('b.bin', 'a\0b');
    expect(await clude.reply('read_file', { path: 'd' })).toEqual(failed('E_NOT_FILE', /directory/));
    expect(await clude.reply('read_file', { path: 'b.bin' })).toEqual(failed('E_ENCODING', /NUL bytes/));
    expect(await clude.reply('read_file', { path: 'gone' })).toEqual(failed('E_NOT_FOUND', /"gone"/));
  });

  it.each([{ offset: 0 }, { offset: -1 }, { limit: 0 }, { offset: '1' }, { lines: 3 }])(
    'refuses %j',
    async (args) => {
      await using clude = await speak('clude', { 'a.txt': '' });
      const name = new RegExp(`"${Object.keys(args)[0]}"`);
      expect(await clude.reply('read_file', { path: 'a.txt', ...args })).toEqual(
        failed('E_INVALID_ARGS', name),
      );
    },
  );
});

describe('clude delete_file', () => {
  it('deletes a file once it is confirmed, and can be undone', async () => {
    await using clude = await speak('clude', { 'd/a.txt': 'one' });
    expect(await clude.reply('delete_file', { path: 'd/a.txt' })).toEqual(
      succeeded({ path: 'd/a.txt', deleted: true }, ['d/a.txt']),
    );
    const file = join(clude.workspace.root, 'd/a.txt');
    expect([existsSync(file), clude.asked.length]).toEqual([false, 1]);
    expect(clude.asked[0]!.preview).toEqual({ kind: 'text', text: 'Deletes d/a.txt: 1 file.' });
    await clude.runtime.undo();
    expect(readFileSync(file, 'utf8')).toBe('one');
  });

  it.each([
    {},
    { mode: 'auto' as const },
    { mode: 'reversible' as const },
    { rules: [{ action: 'allow' as const, permission: '*' as const }] },
  ])('is confirmed whatever the policy says: %j', async (options) => {
    await using clude = await speak('clude', { 'a.txt': 'one' }, options);
    await clude.reply('delete_file', { path: 'a.txt' });
    expect(clude.asked.map(({ scope, alwaysRule }) => ({ scope, alwaysRule }))).toEqual([
      { scope: 'session', alwaysRule: undefined },
    ]);
  });

  it('leaves the file where a person says no, or nobody is there', async () => {
    for (const approve of [async () => ({ answer: 'deny' as const, reason: 'Keep it.' }), undefined]) {
      await using clude = await speak('clude', { 'a.txt': 'one' }, { approve });
      expect(await clude.reply('delete_file', { path: 'a.txt' })).toEqual(failed('E_DENIED', /./));
      expect(existsSync(join(clude.workspace.root, 'a.txt'))).toBe(true);
    }
  });

  it('refuses a directory, and asks nobody about it', async () => {
    await using clude = await speak('clude', { 'd/a.txt': '' });
    expect(await clude.reply('delete_file', { path: 'd' })).toEqual(failed('E_NOT_FILE', /directory/));
    expect(await clude.reply('delete_file', { path: 'gone' })).toEqual(failed('E_NOT_FOUND', /"gone"/));
    expect(clude.asked).toEqual([]);
  });
});

describe('clude', () => {
  it.each(['list_dir', 'read_file', 'delete_file', 'grep', 'glob_file_search'])(
    'lets %s touch nothing outside the workspace',
    async (tool) => {
      await using clude = await speak('clude', { 'a.txt': '' });
      symlinkSync(clude.workspace.outside, join(clude.workspace.root, 'leaving'));
      const argsFor = (path: string): object => {
        if (tool === 'glob_file_search') return { glob_pattern: '*', target_directory: path };
        return tool === 'grep' ? { pattern: 'secret', path } : { path };
      };
      for (const path of ['..', '../out/s.txt', 'leaving/s.txt'])
        expect(await clude.reply(tool, argsFor(path))).toEqual(failed('E_OUTSIDE_WORKSPACE', /outside/));
      const absolute = join(clude.workspace.root, 'a.txt');
      expect(await clude.reply(tool, argsFor(absolute))).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('is absolute') as string },
      });
      expect(clude.asked).toEqual([]);
    },
  );

  it('declares of each tool what it needs and does', async () => {
    await using clude = await speak('clude');
    const declared = clude.runtime
      .definitions()
      .map((tool) => [tool.name, tool.required_permissions, tool.risk]);
    expect(declared).toEqual(
      expect.arrayContaining([
        ['list_dir', ['fs.read'], 'read'],
        ['glob_file_search', ['fs.read'], 'read'],
        ['read_file', ['fs.read'], 'read'],
        ['grep', ['fs.read'], 'read'],
        ['delete_file', ['fs.delete'], 'destructive'],
      ]),
    );
  });

  it('refuses a version that is not there, clearly', async () => {
    await using clude = await speak('clude');
    expect(await clude.reply('read_file@2.0.0', { path: 'a' })).toEqual(failed('E_VERSION', /1\.0\.0/));
    expect(await clude.reply('read_files', { path: 'a' })).toEqual(failed('E_NO_TOOL', /read_files/));
  });
});
