/** Reading and listing contained files, told with real files, links, pipes, sockets and devices. */
import { chmodSync, readdirSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Files, OpenFile } from '../../../src/host/ports.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { specialFiles } from './fixtures/special-files.ts';
import { useFiles } from './fixtures/use-files-in-a-child.ts';
import { endings, filesOf, link, readText } from './fixtures/workspace-files.ts';

describe('files.open', () => {
  it('reads at any position and gives nothing behind the end', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': '0123456789', empty: '' });
    const files = filesOf(workspace);
    await using file = await files.open('d/a.txt');
    expect(file.stat).toMatchObject({ kind: 'file', size: 10 });
    expect(await textAt(file, 0, 100)).toBe('0123456789');
    expect(await textAt(file, 3, 4)).toBe('3456');
    expect(await textAt(file, 9, 4)).toBe('9');
    expect(await textAt(file, 10, 4)).toBe('');
    expect(await textAt(file, 1_000_000, 4)).toBe('');
    await using empty = await files.open('empty');
    expect(await textAt(empty, 0, 4)).toBe('');
  });

  it('goes on reading the file it opened when the name gets another one', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old' });
    const files = filesOf(workspace);
    await using file = await files.open('a.txt');
    await files.write('a.txt', Buffer.from('new'), { callId: 'call_1' });
    expect(await textAt(file, 0, 10)).toBe('old');
  });

  it('reads far into a file of many gigabytes', async () => {
    await using workspace = tempWorkspace({ 'sparse.bin': '' });
    const size = 5 * 1024 ** 3;
    truncateSync(join(workspace.root, 'sparse.bin'), size);
    await using file = await filesOf(workspace).open('sparse.bin');
    expect(file.stat.size).toBe(size);
    expect([...(await file.read(size - 2, 10))]).toEqual([0, 0]);
  });

  it('fails for what is missing, a directory, the root, or behind a file', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'd/b.txt': 'b' });
    const files = filesOf(workspace);
    const expected = {
      missing: 'E_NOT_FOUND',
      'no/a': 'E_NOT_FOUND',
      d: 'E_NOT_FILE',
      '.': 'E_NOT_FILE',
      'a.txt/b': 'E_NOT_DIR',
    };
    expect(await endings(Object.keys(expected), (path) => files.open(path))).toEqual(expected);
  });

  it('follows no link, neither at the end nor on the way', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a', 'd/b.txt': 'b' });
    link(workspace, {
      'to-file': 'a.txt',
      'to-directory': 'd',
      out: workspace.outside,
      secret: join(workspace.outside, 's.txt'),
    });
    const files = filesOf(workspace);
    const expected = {
      'to-file': 'E_CONFLICT',
      secret: 'E_CONFLICT',
      'to-directory/b.txt': 'E_NOT_DIR',
      'out/s.txt': 'E_NOT_DIR',
    };
    expect(await endings(Object.keys(expected), (path) => files.open(path))).toEqual(expected);
    await expect(files.list('to-directory')).rejects.toMatchObject({ code: 'E_NOT_DIR' });
    await expect(files.stat('out/s.txt')).rejects.toMatchObject({ code: 'E_NOT_DIR' });
    await expect(files.count('out/s.txt')).rejects.toMatchObject({ code: 'E_NOT_DIR' });
  });

  it('refuses a pipe, a socket and a device at once instead of waiting for them', async ({ skip }) => {
    await using workspace = tempWorkspace();
    await using special = await specialFiles(workspace);
    const answers = await useFiles(
      workspace,
      special.paths.map((path) => ['open', path]),
    );
    expect(answers).toEqual(
      special.paths.map((path) => ({
        code: 'E_NOT_FILE',
        message: `${JSON.stringify(path)} is not a regular file but a pipe, a socket or a device.`,
      })),
    );
    skip(special.whyNoDevice !== undefined, special.whyNoDevice);
  });
});

describe('files.stat', () => {
  it('tells kind, size, mode and time, of a link itself', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'abc' });
    chmodSync(join(workspace.root, 'a.txt'), 0o750);
    utimesSync(join(workspace.root, 'a.txt'), 1_000, 2_000);
    link(workspace, { 'to-file': 'a.txt' });
    const files = filesOf(workspace);
    expect(await files.stat('a.txt')).toEqual({
      kind: 'file',
      size: 3,
      mode: 0o750,
      modifiedMs: 2_000_000,
      version: expect.stringMatching(/^\d+:3:\d+/) as string,
    });
    expect(await files.stat('to-file')).toMatchObject({ kind: 'link', size: 5 });
    expect(await files.stat('.')).toMatchObject({ kind: 'directory' });
    await expect(files.stat('missing')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

describe('files.list', () => {
  it('tells links from what they lead to, and says `missing` where they dangle, loop or leave', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'abc', 'd/e/b.txt': 'b' });
    link(workspace, {
      'd/to-file': 'a.txt',
      'd/to-directory': 'e',
      'd/dangling': 'nowhere',
      'd/loop': 'loop',
      'd/out': workspace.outside,
      'd/chain': 'to-directory',
    });
    expect(await listed(filesOf(workspace), 'd')).toEqual({
      'a.txt': 'file',
      e: 'directory',
      'to-file': 'link to file',
      'to-directory': 'link to directory',
      dangling: 'link to missing',
      loop: 'link to missing',
      out: 'link to missing',
      chain: 'link to directory',
    });
  });

  it('shows pipes, sockets and devices as something else, and never opens them', async ({ skip }) => {
    await using workspace = tempWorkspace({ 'a.txt': 'abc' });
    await using special = await specialFiles(workspace);
    link(workspace, { 'to-fifo': 'fifo' });
    expect(
      await useFiles(workspace, [
        ['list', '.'],
        ['stat', 'fifo'],
        ['resolve', 'to-fifo'],
      ]),
    ).toEqual([['a.txt', 'to-fifo', ...special.paths].sort(), 'other', { path: 'fifo', kind: 'other' }]);
    expect(await listed(filesOf(workspace), '.')).toEqual({
      'a.txt': 'file',
      'to-fifo': 'link to other',
      ...Object.fromEntries(special.paths.map((path) => [path, 'other'])),
    });
    skip(special.whyNoDevice !== undefined, special.whyNoDevice);
  });

  it('lists 5,000 entries, each once', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `entry-${index}`);
    await using workspace = tempWorkspace(Object.fromEntries(names.map((name) => [`d/${name}`, 'x'])));
    const entries = await filesOf(workspace).list('d');
    expect(entries.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(new Set(entries.map(({ kind, size }) => `${kind} ${size}`))).toEqual(new Set(['file 1']));
  });

  it('lists odd names as they are', async () => {
    const names = [' leading', 'new\nline', 'quote"s', '-rf', '日本', 'a\\b', '\u0007'];
    await using workspace = tempWorkspace(Object.fromEntries(names.map((name) => [name, ''])));
    expect((await filesOf(workspace).list('.')).map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('fails for a file and for what is missing', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a' });
    const files = filesOf(workspace);
    await expect(files.list('a.txt')).rejects.toMatchObject({ code: 'E_NOT_DIR' });
    await expect(files.list('missing')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

describe('localFiles', () => {
  it('keeps no handle open, whether work succeeds or fails', async () => {
    await using workspace = tempWorkspace({ 'd/e/a.txt': 'a', 'ro.txt': 'r' });
    chmodSync(join(workspace.root, 'ro.txt'), 0o444);
    link(workspace, { loop: 'loop', 'd/out': workspace.outside, 'd/back': '../d/e' });
    const files = filesOf(workspace);
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 100; round++) {
      const work: Promise<unknown>[] = ['loop', 'd/out', 'd/back/a.txt', 'd/e/no/such'].map((path) =>
        files.resolve(path, { followLast: true }),
      );
      work.push(
        readText(files, 'd/e/a.txt'),
        readText(files, 'd'),
        readText(files, 'd/out/s.txt'),
        files.list('d'),
        files.list('d/e/a.txt'),
      );
      for (const path of ['n/e/w.txt', 'ro.txt', 'd', 'd/e/a.txt/b']) {
        work.push(files.write(path, Buffer.from('x'), { callId: 'call_1' }));
      }
      work.push(
        files.remove('n', { mayRemove: (path) => path !== 'n/e' }),
        files.count('d'),
        files.sweep('d/e/a.txt', 'call_1'),
      );
      await Promise.allSettled(work);
    }
    expect(readdirSync('/proc/self/fd').length - before).toBeLessThan(10);
  });
});

async function textAt(file: OpenFile, position: number, length: number): Promise<string> {
  return Buffer.from(await file.read(position, length)).toString();
}

async function listed(files: Files, path: string): Promise<Record<string, string>> {
  const entries = await files.list(path);
  return Object.fromEntries(
    entries.map(({ name, kind, target }) => [name, target === undefined ? kind : `${kind} to ${target}`]),
  );
}
