/** The file tools of `tenas`: whole files, one level of a directory, writes and deletions that are always asked about. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { speak } from '../fixtures/speak.ts';

const LIMIT = 256 * 1024;

function failed(code: string, message: RegExp): unknown {
  return { ok: false, error: { code, message: expect.stringMatching(message) as string } };
}

describe('tenas file-read', () => {
  it('gives a file of exactly 256 KB whole, however JSON writes it, and asks nobody', async () => {
    const content = '\u0001'.repeat(LIMIT);
    await using tenas = await speak('tenas', { 'a.txt': content });
    expect(await tenas.reply('file-read', { path: 'a.txt' })).toEqual({
      ok: true,
      data: { path: 'a.txt', bytes: LIMIT, content },
    });
    expect(tenas.asked).toEqual([]);
  });

  it('counts bytes, not characters', async () => {
    await using tenas = await speak('tenas', { 'a.txt': '€😀\r\n' });
    expect(await tenas.reply('file-read', { path: 'a.txt' })).toEqual({
      ok: true,
      data: { path: 'a.txt', bytes: 9, content: '€😀\r\n' },
    });
  });

  it('refuses one byte more', async () => {
    await using tenas = await speak('tenas', { 'a.txt': 'x'.repeat(LIMIT + 1) });
    expect(await tenas.reply('file-read', { path: 'a.txt' })).toEqual(
      failed('E_TOO_LARGE', /^"a\.txt" has 262145 bytes, more than the 262144 that can be read at once\.$/),
    );
  });

  it('says what is there instead of a text file', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': '' });
    tenas.workspace.write('b.bin', 'a\0b');
    expect(await tenas.reply('file-read', { path: 'd' })).toEqual(
      failed('E_NOT_FILE', /^"d" is a directory/),
    );
    expect(await tenas.reply('file-read', { path: 'b.bin' })).toEqual(failed('E_ENCODING', /NUL bytes/));
    expect(await tenas.reply('file-read', { path: 'gone' })).toEqual(
      failed('E_NOT_FOUND', /^There is no "gone"\.$/),
    );
  });

  it('takes an absolute path inside the project, and gives it relative', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': 'one' });
    const path = join(tenas.workspace.root, 'd/a.txt');
    expect(await tenas.reply('file-read', { path })).toMatchObject({ ok: true, data: { path: 'd/a.txt' } });
  });
});

describe('tenas file-list', () => {
  it.each([{}, { path: '' }, { path: '.' }])('lists one level of the root for %j, sorted', async (args) => {
    await using tenas = await speak('tenas', { 'b/c.txt': '', 'a.txt': '', '.hidden/x': '' });
    symlinkSync('b', join(tenas.workspace.root, 'link'));
    expect(await tenas.reply('file-list', args)).toEqual({
      ok: true,
      data: {
        path: '.',
        entries: [
          { name: '.hidden', path: '.hidden', type: 'dir' },
          { name: 'a.txt', path: 'a.txt', type: 'file' },
          { name: 'b', path: 'b', type: 'dir' },
          { name: 'link', path: 'link', type: 'dir' },
        ],
      },
    });
    expect(tenas.asked).toEqual([]);
  });

  it('gives paths that the other tools take', async () => {
    await using tenas = await speak('tenas', { 'd/e/a.txt': 'one' });
    const { data } = (await tenas.reply('file-list', { path: 'd/e' })) as {
      data: { entries: { path: string }[] };
    };
    const [entry] = data.entries;
    expect(await tenas.reply('file-read', { path: entry!.path })).toMatchObject({ data: { content: 'one' } });
  });

  it('refuses a file', async () => {
    await using tenas = await speak('tenas', { 'a.txt': '' });
    expect(await tenas.reply('file-list', { path: 'a.txt' })).toEqual(failed('E_NOT_DIR', /"a\.txt"/));
  });

  it('bounds what it gives, and says how many there are', async () => {
    const names = Array.from({ length: 9_000 }, (_, index) => `${index}${'x'.repeat(100)}`);
    await using tenas = await speak('tenas', Object.fromEntries(names.map((name) => [name, ''])));
    const reply = (await tenas.reply('file-list', {})) as { data: { entries: unknown[]; truncated?: true } };
    expect(reply.data).toMatchObject({ truncated: true, total: 9_000 });
    expect(JSON.stringify(reply).length).toBeLessThan(2 * 1024 * 1024);
    expect(reply.data.entries.length).toBeGreaterThan(5_000);
  });
});

describe('tenas file-write', () => {
  it('overwrites by default, makes directories, and gives the size of the file', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': 'one\n' });
    expect(await tenas.reply('file-write', { path: 'd/a.txt', content: '€' })).toEqual({
      ok: true,
      data: { path: 'd/a.txt', bytes: 3, mode: 'overwrite' },
    });
    expect(await tenas.reply('file-write', { path: 'n/e/w.txt', content: 'new' })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(join(tenas.workspace.root, 'd/a.txt'), 'utf8')).toBe('€');
    expect(readFileSync(join(tenas.workspace.root, 'n/e/w.txt'), 'utf8')).toBe('new');
  });

  it('appends, also to what is not there yet', async () => {
    await using tenas = await speak('tenas');
    const append = (content: string): Promise<unknown> =>
      tenas.reply('file-write', { path: 'd/log', content, mode: 'append' });
    expect(await append('one\n')).toEqual({ ok: true, data: { path: 'd/log', bytes: 4, mode: 'append' } });
    expect(await append('two\n')).toEqual({ ok: true, data: { path: 'd/log', bytes: 8, mode: 'append' } });
    expect(readFileSync(join(tenas.workspace.root, 'd/log'), 'utf8')).toBe('one\ntwo\n');
  });

  it('knows no other mode', async () => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('file-write', { path: 'a', content: '', mode: 'prepend' })).toEqual(
      failed('E_INVALID_ARGS', /"mode"/),
    );
    expect(tenas.asked).toEqual([]);
  });
});

describe('tenas file-delete', () => {
  it('deletes a file', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': '' });
    expect(await tenas.reply('file-delete', { path: 'd/a.txt' })).toEqual({
      ok: true,
      data: { path: 'd/a.txt' },
    });
    expect(existsSync(join(tenas.workspace.root, 'd/a.txt'))).toBe(false);
  });

  it('refuses a directory before it asks anybody', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': '' });
    mkdirSync(join(tenas.workspace.root, 'empty'));
    for (const path of ['d', 'empty'])
      expect(await tenas.reply('file-delete', { path })).toEqual(
        failed('E_NOT_FILE', /is a directory, not a file\.$/),
      );
    expect(tenas.asked).toEqual([]);
    expect(existsSync(join(tenas.workspace.root, 'd/a.txt'))).toBe(true);
  });

  it('deletes a link and not what it leads to', async () => {
    await using tenas = await speak('tenas', { 'd/a.txt': 'kept' });
    symlinkSync('d', join(tenas.workspace.root, 'link'));
    expect(await tenas.reply('file-delete', { path: 'link' })).toMatchObject({ ok: true });
    expect(readFileSync(join(tenas.workspace.root, 'd/a.txt'), 'utf8')).toBe('kept');
  });
});

const CHANGES: readonly [tool: string, args: object][] = [
  ['file-write', { path: 'a.txt', content: 'two' }],
  ['file-write', { path: 'a.txt', content: 'two', mode: 'append' }],
  ['file-delete', { path: 'a.txt' }],
];
const OPEN = { action: 'allow' as const, permission: '*' as const };

describe.each(CHANGES)('tenas %s with %j', (tool, args) => {
  it('is asked about in every mode and whatever rules allow: a floor', async () => {
    for (const options of [
      {},
      { mode: 'auto' as const },
      { mode: 'reversible' as const },
      { rules: [OPEN] },
    ]) {
      await using tenas = await speak('tenas', { 'a.txt': 'one' }, options);
      expect(await tenas.reply(tool, args)).toMatchObject({ ok: true });
      expect(tenas.asked.map(({ tool, scope, alwaysRule }) => ({ tool, scope, alwaysRule }))).toEqual([
        { tool, scope: 'session', alwaysRule: undefined },
      ]);
    }
  });

  it('is not asked about again where a person said yes for the session, for that path', async () => {
    const approve = approver('session');
    await using tenas = await speak('tenas', { 'a.txt': 'one', 'b.txt': 'two' }, { approve });
    await tenas.reply(tool, args);
    tenas.workspace.write('a.txt', 'one');
    await tenas.reply('file-read', { path: 'a.txt' });
    await tenas.reply(tool, args);
    expect(approve.asked).toHaveLength(1);
    await tenas.reply(tool, { ...args, path: 'b.txt' });
    expect(approve.asked).toHaveLength(2);
  });

  it('is refused where nobody can be asked, and nothing changes', async () => {
    await using tenas = await speak('tenas', { 'a.txt': 'one' }, { approve: undefined });
    expect(await tenas.reply(tool, args)).toEqual(failed('E_DENIED', /./));
    expect(readFileSync(join(tenas.workspace.root, 'a.txt'), 'utf8')).toBe('one');
  });
});

describe('tenas', () => {
  it.each(['file-read', 'file-list', 'file-search', 'file-write', 'file-delete'])(
    'lets %s touch nothing outside the project',
    async (tool) => {
      await using tenas = await speak('tenas', { 'a.txt': '' });
      symlinkSync(tenas.workspace.outside, join(tenas.workspace.root, 'leaving'));
      const rest =
        tool === 'file-write' ? { content: '' } : tool === 'file-search' ? { query: 'secret' } : {};
      for (const path of ['..', '../out/s.txt', '/etc', 'leaving/s.txt'])
        expect(await tenas.reply(tool, { path, ...rest })).toEqual(failed('E_OUTSIDE_WORKSPACE', /outside/));
      expect(tenas.asked).toEqual([]);
    },
  );

  it('says of each tool what risk it is', async () => {
    await using tenas = await speak('tenas');
    const risks = tenas.runtime
      .definitions()
      .map(({ name, risk, needsApproval }) => [name, risk, needsApproval]);
    expect(risks).toEqual(
      expect.arrayContaining([
        ['file-read', 'read', false],
        ['file-list', 'read', false],
        ['file-search', 'read', false],
        ['file-write', 'write', true],
        ['file-delete', 'destructive', true],
      ]),
    );
  });
});
