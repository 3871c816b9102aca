/** The file tools of `codelab`: whole files of up to 1 MB, directories, and its error codes. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { speak } from '../fixtures/speak.ts';
import { failed, succeeded } from './fixtures/results.ts';

const LIMIT = 1024 * 1024;

describe('codelab read_file', () => {
  it.each([
    [{}, 'one\r\ntwo\nthree\n', 3],
    [{ start_line: 2 }, 'two\nthree\n', 2],
    [{ end_line: 2 }, 'one\r\ntwo\n', 2],
    [{ start_line: 2, end_line: 2 }, 'two\n', 1],
    [{ start_line: 1, end_line: 99 }, 'one\r\ntwo\nthree\n', 3],
    [{ start_line: 4 }, '', 0],
    [{ start_line: 3, end_line: 2 }, '', 0],
    [{ encoding: 'utf-8' }, 'one\r\ntwo\nthree\n', 3],
  ])('gives for %j the lines as they are', async (args, content, lines) => {
    await using codelab = await speak('codelab', { 'a.txt': 'one\r\ntwo\nthree\n' });
    expect(await codelab.reply('read_file', { path: 'a.txt', ...args })).toEqual(
      succeeded({ content, encoding: 'utf-8', lines_read: lines }),
    );
    expect(codelab.asked).toEqual([]);
  });

  it.each([{ start_line: 0 }, { end_line: -1 }, { start_line: 1.5 }, { encoding: 'latin1' }])(
    'refuses %j',
    async (args) => {
      await using codelab = await speak('codelab', { 'a.txt': '' });
      expect(await codelab.reply('read_file', { path: 'a.txt', ...args })).toEqual(
        failed('INVALID_ARGUMENTS', new RegExp(`"${Object.keys(args)[0]}"`)),
      );
    },
  );

  it('reads files of up to 1 MB, also where only a part is wanted', async () => {
    await using codelab = await speak('codelab', {
      'a.txt': 'x'.repeat(LIMIT),
      'b.txt': `one\n${'x'.repeat(LIMIT)}`,
    });
    expect(await codelab.reply('read_file', { path: 'a.txt' })).toMatchObject({ result: { lines_read: 1 } });
    expect(await codelab.reply('read_file', { path: 'b.txt', end_line: 1 })).toMatchObject({
      error: { code: 'FILE_TOO_LARGE', details: { file_size: LIMIT + 4, max_size: LIMIT } },
    });
  });

  it('says ENCODING_ERROR of what is no UTF-8, and FILE_NOT_FOUND of nothing', async () => {
    await using codelab = await speak('codelab');
    codelab.workspace.write('a.bin', Buffer.from([0x61, 0xff]));
    codelab.workspace.write('b.bin', 'a\0');
    for (const path of ['a.bin', 'b.bin'])
      expect(await codelab.reply('read_file', { path })).toEqual(failed('ENCODING_ERROR'));
    expect(await codelab.reply('read_file', { path: 'gone.txt' })).toEqual(failed('FILE_NOT_FOUND'));
  });
});

describe('codelab write_file', () => {
  it('creates directories, overwrites, and makes no backup copy', async () => {
    await using codelab = await speak('codelab', { 'd/a.txt': 'one' });
    expect(await codelab.reply('write_file', { path: 'd/a.txt', content: '€' })).toEqual(
      succeeded({ success: true, bytes_written: 3 }),
    );
    expect(await codelab.reply('write_file', { path: 'n/e/w.txt', content: '' })).toEqual(
      succeeded({ success: true, bytes_written: 0 }),
    );
    expect((readdirSync(codelab.workspace.root, { recursive: true }) as string[]).sort()).toEqual([
      'd',
      'd/a.txt',
      'n',
      'n/e',
      'n/e/w.txt',
    ]);
  });

  it('takes 1 MB and not a byte more', async () => {
    await using codelab = await speak('codelab');
    expect(await codelab.reply('write_file', { path: 'a', content: 'x'.repeat(LIMIT) })).toEqual(
      succeeded({ success: true, bytes_written: LIMIT }),
    );
    expect(await codelab.reply('write_file', { path: 'b', content: 'x'.repeat(LIMIT + 1) })).toEqual(
      failed('FILE_TOO_LARGE'),
    );
    expect(existsSync(join(codelab.workspace.root, 'b'))).toBe(false);
  });

  it.each([{ backup: true }, { create_dirs: true }])('knows no %j', async (args) => {
    await using codelab = await speak('codelab');
    expect(await codelab.reply('write_file', { path: 'a', content: '', ...args })).toEqual(
      failed('INVALID_ARGUMENTS', new RegExp(`"${Object.keys(args)[0]}"`)),
    );
  });
});

describe('codelab create_directory', () => {
  it('makes parents, says whether it made anything, and can be undone', async () => {
    await using codelab = await speak('codelab');
    const path = 'a/b/c';
    expect(await codelab.reply('create_directory', { path })).toEqual(
      succeeded({ success: true, created: true, already_exists: false }),
    );
    expect(await codelab.reply('create_directory', { path, recursive: true })).toEqual(
      succeeded({ success: true, created: false, already_exists: true }),
    );
    expect(statSync(join(codelab.workspace.root, path)).isDirectory()).toBe(true);
    await codelab.runtime.undo();
    expect(existsSync(join(codelab.workspace.root, path))).toBe(false);
  });

  it('does not take a file for a directory', async () => {
    await using codelab = await speak('codelab', { 'a.txt': 'x' });
    for (const path of ['a.txt', 'a.txt/b'])
      expect(await codelab.reply('create_directory', { path })).toMatchObject({
        error: { code: expect.any(String) as string },
      });
    expect(readFileSync(join(codelab.workspace.root, 'a.txt'), 'utf8')).toBe('x');
  });
});

describe('codelab delete_file', () => {
  it('deletes files and directories, and the question says how many files that are', async () => {
    await using codelab = await speak('codelab', { 'a.txt': '', 'd/b.txt': '', 'd/e/c.txt': '' });
    mkdirSync(join(codelab.workspace.root, 'd/empty'));
    expect(await codelab.reply('delete_file', { path: 'a.txt' })).toEqual(
      succeeded({ success: true, files_deleted: 1 }),
    );
    expect(await codelab.reply('delete_file', { path: 'd' })).toEqual(
      succeeded({ success: true, files_deleted: 2 }),
    );
    expect(codelab.asked.map(({ preview }) => preview?.text)).toEqual([
      'Deletes a.txt: 1 file.',
      'Deletes d: 2 files.',
    ]);
    expect(readdirSync(codelab.workspace.root)).toEqual([]);
  });

  it('says FILE_NOT_FOUND of nothing, and never deletes the workspace', async () => {
    await using codelab = await speak('codelab', { 'a.txt': '' });
    expect(await codelab.reply('delete_file', { path: 'gone' })).toEqual(failed('FILE_NOT_FOUND'));
    expect(await codelab.reply('delete_file', { path: '.' })).toEqual(failed('INVALID_PATH'));
    expect(readdirSync(codelab.workspace.root)).toEqual(['a.txt']);
  });
});

describe('codelab move_file', () => {
  it('moves files and directories into directories that it makes', async () => {
    await using codelab = await speak('codelab', { 'a.txt': 'one', 'd/b.txt': 'two' });
    expect(await codelab.reply('move_file', { from: 'a.txt', to: 'n/a.txt' })).toEqual(
      succeeded({ success: true, from: 'a.txt', to: 'n/a.txt' }),
    );
    await codelab.reply('move_file', { from: 'd', to: 'n/d' });
    expect(readFileSync(join(codelab.workspace.root, 'n/d/b.txt'), 'utf8')).toBe('two');
    expect(codelab.asked).toHaveLength(2);
  });

  it('replaces nothing', async () => {
    await using codelab = await speak('codelab', { 'a.txt': 'one', 'b.txt': 'two' });
    expect(await codelab.reply('move_file', { from: 'a.txt', to: 'b.txt' })).toMatchObject({
      error: { message: expect.stringContaining('"b.txt" is there already') as string },
    });
    expect(readFileSync(join(codelab.workspace.root, 'b.txt'), 'utf8')).toBe('two');
  });
});

const TOOLS: readonly [tool: string, argsFor: (path: string) => object][] = [
  ['read_file', (path) => ({ path })],
  ['write_file', (path) => ({ path, content: '' })],
  ['list_files', (path) => ({ path })],
  ['search_in_project', (path) => ({ query: 'x', path })],
  ['create_directory', (path) => ({ path })],
  ['delete_file', (path) => ({ path })],
  ['move_file', (from) => ({ from, to: 'moved' })],
  ['move_file', (to) => ({ from: 'a.txt', to })],
];

describe.each(TOOLS)('codelab %s', (tool, argsFor) => {
  it('answers paths that are none of its own with the codes for them, and asks nobody', async () => {
    await using codelab = await speak('codelab', { 'a.txt': '' });
    symlinkSync(codelab.workspace.outside, join(codelab.workspace.root, 'leaving'));
    const codes: readonly [string, string][] = [
      ['../a.txt', 'PATH_OUTSIDE_WORKSPACE'],
      ['d/../a.txt', 'PATH_OUTSIDE_WORKSPACE'],
      ['leaving/s.txt', 'PATH_OUTSIDE_WORKSPACE'],
      [join(codelab.workspace.root, 'a.txt'), 'INVALID_PATH'],
      ['/etc/passwd', 'INVALID_PATH'],
      ['a\0b', 'INVALID_PATH'],
      [`${'d/'.repeat(127)}ab`, 'INVALID_PATH'],
    ];
    for (const [path, code] of codes) expect(await codelab.reply(tool, argsFor(path))).toEqual(failed(code));
    expect(codelab.asked).toEqual([]);
  });
});

const CHANGES: readonly [tool: string, args: object][] = [
  ['write_file', { path: 'a.txt', content: 'two' }],
  ['create_directory', { path: 'd' }],
  ['delete_file', { path: 'a.txt' }],
  ['move_file', { from: 'a.txt', to: 'b.txt' }],
];

describe.each(CHANGES)('codelab %s in the policy', (tool, args) => {
  it('asks in mode ask, and not where a mode or a rule allows it', async () => {
    const open = { action: 'allow' as const, permission: '*' as const };
    for (const [options, asked] of [
      [{}, 1],
      [{ mode: 'auto' as const }, 0],
      [{ rules: [open] }, 0],
    ] as const) {
      await using codelab = await speak('codelab', { 'a.txt': 'one' }, options);
      expect(await codelab.reply(tool, args)).toMatchObject({ result: { success: true } });
      expect(codelab.asked).toHaveLength(asked);
    }
  });

  it('is PERMISSION_DENIED where a rule or a person says no, or the mode is read-only', async () => {
    const closed = { action: 'deny' as const, permission: '*' as const };
    const no = async (): Promise<{ answer: 'deny' }> => ({ answer: 'deny' });
    for (const options of [
      { rules: [closed] },
      { approve: no },
      { mode: 'read-only' as const },
      { approve: undefined },
    ]) {
      await using codelab = await speak('codelab', { 'a.txt': 'one' }, options);
      expect(await codelab.reply(tool, args)).toEqual(failed('PERMISSION_DENIED'));
      expect(readdirSync(codelab.workspace.root)).toEqual(['a.txt']);
    }
  });
});

describe('codelab', () => {
  it('tells what nobody forbade from what somebody did', async () => {
    await using codelab = await speak('codelab', { 'a.txt': 'one', 'b.txt': 'two' });
    expect(await codelab.reply('move_file', { from: 'a.txt', to: 'b.txt' })).toEqual(failed('CONFLICT'));
    chmodSync(join(codelab.workspace.root, 'b.txt'), 0o444);
    expect(await codelab.reply('write_file', { path: 'b.txt', content: 'x' })).toEqual(failed('IO_ERROR'));
  });

  it('asks about a call that says so itself, and asks no less for one that denies it', async () => {
    await using codelab = await speak('codelab', { 'a.txt': 'one' });
    const call = (name: string, args: object, asks: boolean): Promise<unknown> =>
      codelab.runtime.execute({ tool_call_id: 'c1', name, args, requires_approval: asks });
    await call('read_file', { path: 'a.txt' }, true);
    expect(codelab.asked).toHaveLength(1);
    await call('write_file', { path: 'a.txt', content: 'two' }, false);
    expect(codelab.asked).toHaveLength(2);
  });

  it('has in each version what its plan lists', async () => {
    await using codelab = await speak('codelab');
    const plan = {
      '1.0': 'write_file',
      '1.1': 'search_in_project',
      '1.2': 'delete_file',
      '2.0': 'move_file',
    };
    const versions = Object.keys(plan);
    for (const [at, version] of versions.entries()) {
      const tools = codelab.runtime.definitions(undefined, `codelab@${version}`);
      const names = new Set(tools.map(({ name }) => name));
      const known = Object.values(plan).map((tool) => names.has(tool));
      expect(known).toEqual(versions.map((_, index) => index <= at));
    }
    expect(await codelab.reply('file_read', {})).toEqual(failed('TOOL_NOT_FOUND'));
  });
});
