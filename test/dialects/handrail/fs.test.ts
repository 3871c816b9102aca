/** The file tools that `handrail` adds to `coder`'s: larger pages, several files, media, stat, mkdir. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';

describe('handrail read', () => {
  it('gives 2,000 lines at most', async () => {
    await using handrail = await speak('handrail', { 'a.txt': numbered(2_001, 'l') });
    for (const args of [{}, { limit: 5_000 }])
      expect(await handrail.reply('read', { path: 'a.txt', ...args })).toMatchObject({
        start_line: 1,
        end_line: 2_000,
        has_more: true,
      });
    expect(await handrail.reply('read', { path: 'a.txt', offset: -5_000 })).toMatchObject({
      start_line: 2,
      end_line: 2_001,
      has_more: true,
    });
  });

  it('gives 50 KB at most, in whole lines', async () => {
    await using handrail = await speak('handrail', { 'a.txt': `${'x'.repeat(1_023)}\n`.repeat(60) });
    expect(await handrail.reply('read', { path: 'a.txt' })).toMatchObject({ end_line: 50, has_more: true });
    expect(await handrail.reply('read', { path: 'a.txt', offset: 51 })).toMatchObject({
      start_line: 51,
      end_line: 60,
      has_more: false,
    });
  });
});

describe('handrail read_files', () => {
  it('reads what it can, in the order asked for, and says why it could not read the rest', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'one\r\ntwo', 'd/b.txt': '' });
    handrail.workspace.write('c.bin', 'a\0');
    const paths = ['d/b.txt', 'gone', 'a.txt', 'd', 'c.bin', 'a.txt'];
    expect(await handrail.reply('read_files', { paths })).toEqual({
      ok: true,
      files: [
        { path: 'd/b.txt', content: '', has_more: false },
        { path: 'gone', content: '', has_more: false, error: 'There is no "gone".' },
        { path: 'a.txt', content: 'one\ntwo', has_more: false },
        { path: 'd', content: '', has_more: false, error: '"d" is a directory.' },
        {
          path: 'c.bin',
          content: '',
          has_more: false,
          error: expect.stringContaining('NUL bytes') as string,
        },
        { path: 'a.txt', content: 'one\ntwo', has_more: false },
      ],
    });
    expect(handrail.asked).toEqual([]);
  });

  it('shares 50 KB among them and says where there is more', async () => {
    const large = `${'x'.repeat(1_023)}\n`.repeat(60);
    await using handrail = await speak('handrail', { 'a.txt': large, 'b.txt': large, 'c.txt': 'small' });
    const { files } = (await handrail.reply('read_files', { paths: ['a.txt', 'b.txt', 'c.txt'] })) as {
      files: { content: string; has_more: boolean }[];
    };
    expect(files.map(({ content, has_more }) => [content.length, has_more])).toEqual([
      [16 * 1_024 - 1, true],
      [16 * 1_024 - 1, true],
      [5, false],
    ]);
  });

  it('takes 50 files and no more, and at least one', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'x' });
    const read = (count: number): Promise<unknown> =>
      handrail.reply('read_files', { paths: Array.from({ length: count }, () => 'a.txt') });
    expect(((await read(50)) as { files: unknown[] }).files).toHaveLength(50);
    for (const count of [0, 51])
      expect(await read(count)).toMatchObject({ ok: false, code: 'E_INVALID_ARGS' });
  });

  it('is one call to the policy: a place that is closed closes it, one that is asked about asks', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'x', '.env': 'KEY=1', '.ssh/id': 'x' });
    expect(await handrail.reply('read_files', { paths: ['a.txt', '../out/s.txt'] })).toMatchObject({
      code: 'E_OUTSIDE_WORKSPACE',
    });
    expect(await handrail.reply('read_files', { paths: ['a.txt', '.ssh/id'] })).toMatchObject({
      denied: true,
      code: 'E_POLICY_DENIED',
    });
    expect(handrail.asked).toEqual([]);
    expect(await handrail.reply('read_files', { paths: ['a.txt', '.env'] })).toMatchObject({
      files: [{ content: 'x' }, { content: 'KEY=1' }],
    });
    expect(handrail.asked).toHaveLength(1);
  });
});

describe('handrail view', () => {
  it('gives 5 MB of data whole', async () => {
    const content = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(5 * 1024 * 1024 - 5, 0xff)]);
    await using handrail = await speak('handrail');
    handrail.workspace.write('a', content);
    handrail.workspace.write('b', Buffer.concat([content, Buffer.alloc(1)]));
    expect(await handrail.reply('view', { path: 'a' })).toEqual({
      ok: true,
      path: join(handrail.workspace.root, 'a'),
      media_type: 'application/pdf',
      size_bytes: content.length,
      data: content.toString('base64'),
    });
    expect(await handrail.reply('view', { path: 'b' })).toMatchObject({ ok: false, code: 'E_TOO_LARGE' });
    expect(handrail.asked).toEqual([]);
  });

  it('is not for texts, whatever they are called', async () => {
    await using handrail = await speak('handrail', { 'a.png': 'text', 'empty.png': '' });
    for (const path of ['a.png', 'empty.png'])
      expect(await handrail.reply('view', { path })).toEqual({
        ok: false,
        error: `"${path}" is not an image, sound, video or PDF file. Text files are read with the tool that reads lines.`,
        code: 'E_UNSUPPORTED',
      });
  });
});

describe('handrail stat', () => {
  it('tells kind, size, mode and time', async () => {
    await using handrail = await speak('handrail', { 'd/a.txt': '€' });
    const file = join(handrail.workspace.root, 'd/a.txt');
    chmodSync(file, 0o640);
    utimesSync(file, 1, 2);
    symlinkSync('a.txt', join(handrail.workspace.root, 'd/link'));
    const expected = {
      ok: true,
      path: file,
      kind: 'file',
      size_bytes: 3,
      mode: '640',
      modified: '1970-01-01T00:00:02.000Z',
    };
    expect(await handrail.reply('stat', { path: 'd/a.txt' })).toEqual(expected);
    expect(await handrail.reply('stat', { path: 'd/link' })).toMatchObject({ kind: 'file', size_bytes: 3 });
    expect(await handrail.reply('stat', { path: 'd' })).toMatchObject({ kind: 'directory' });
    expect(await handrail.reply('stat', { path: 'gone' })).toMatchObject({ code: 'E_NOT_FOUND' });
    expect(handrail.asked).toEqual([]);
  });
});

describe('handrail mkdir', () => {
  it('makes a directory with its parents once, asks before, and can be undone', async () => {
    await using handrail = await speak('handrail', { 'a.txt': '' });
    const path = join(handrail.workspace.root, 'd/e/f');
    expect(await handrail.reply('mkdir', { path: 'd/e/f' })).toEqual({ ok: true, path, created: true });
    expect(await handrail.reply('mkdir', { path: 'd/e/f' })).toEqual({ ok: true, path, created: false });
    expect(handrail.asked.map(({ preview }) => preview?.text)).toEqual([
      'Makes the directory d/e/f.',
      'd/e/f is there already.',
    ]);
    expect(statSync(path).isDirectory()).toBe(true);
    await handrail.runtime.undo();
    expect(readdirSync(handrail.workspace.root)).toEqual(['a.txt']);
  });

  it('refuses a place where something else is, names that Windows keeps for itself, and `.git`', async () => {
    await using handrail = await speak('handrail', { 'a.txt': 'x' });
    mkdirSync(join(handrail.workspace.root, 'd'));
    symlinkSync('d', join(handrail.workspace.root, 'link'));
    expect(await handrail.reply('mkdir', { path: 'a.txt' })).toMatchObject({ ok: false, code: 'E_CONFLICT' });
    expect(await handrail.reply('mkdir', { path: 'a.txt/b' })).toMatchObject({
      ok: false,
      code: 'E_NOT_DIR',
    });
    expect(await handrail.reply('mkdir', { path: 'd/nul/x' })).toMatchObject({
      ok: false,
      code: 'E_INVALID_PATH',
    });
    expect(await handrail.reply('mkdir', { path: '.git' })).toMatchObject({
      ok: false,
      code: 'E_POLICY_DENIED',
    });
    expect(await handrail.reply('mkdir', { path: 'link/new' })).toMatchObject({ ok: true });
    expect(existsSync(join(handrail.workspace.root, 'd/new'))).toBe(true);
  });
});
