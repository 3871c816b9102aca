/** Versions of files: what a write expects to replace, and what it made. */
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileVersion } from '../../../src/host/ports.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { filesOf } from './fixtures/workspace-files.ts';

const call = { callId: 'call_1' };

describe('the version of a file', () => {
  it('is the same for stat, open and the write that made it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one' });
    const files = filesOf(workspace);
    const made = await files.write('a.txt', Buffer.from('two'), call);
    await using file = await files.open('a.txt');
    expect([file.stat.version, (await files.stat('a.txt')).version]).toEqual([made, made]);
  });

  it('is another one after every way to write', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one', 'b.txt': 'two' });
    const files = filesOf(workspace);
    const path = join(workspace.root, 'a.txt');
    const seen = [(await files.stat('a.txt')).version];
    const note = async (): Promise<unknown> => seen.push((await files.stat('a.txt')).version);
    appendFileSync(path, ' more');
    await note();
    writeFileSync(path, '');
    await note();
    renameSync(join(workspace.root, 'b.txt'), path);
    await note();
    seen.push(await files.write('a.txt', Buffer.from('three'), call));
    expect(new Set(seen).size).toBe(5);
  });
});

describe('files.write with an expected version', () => {
  it('replaces just that, or makes a file where there is to be none', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one' });
    const files = filesOf(workspace);
    const first = (await files.stat('a.txt')).version;
    const second = await files.write('a.txt', Buffer.from('two'), { ...call, expected: first });
    await files.write('a.txt', Buffer.from('three'), { ...call, expected: second });
    await files.write('d/new.txt', Buffer.from('new'), { ...call, expected: 'missing' });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('three');
    expect(readFileSync(join(workspace.root, 'd/new.txt'), 'utf8')).toBe('new');
  });

  it.each<[string, FileVersion | 'current', (path: string) => void, string | undefined]>([
    ['was changed', 'current', (path) => writeFileSync(path, 'theirs'), 'theirs'],
    ['is gone', 'current', (path) => rmSync(path), undefined],
    ['is there after all', 'missing', () => undefined, 'one'],
    ['is another one', '1:2:3', () => undefined, 'one'],
  ])(
    'is a conflict where the file %s, and leaves everything as it is',
    async (_, expected, change, after) => {
      await using workspace = tempWorkspace({ 'a.txt': 'one' });
      const files = filesOf(workspace);
      const version = expected === 'current' ? (await files.stat('a.txt')).version : expected;
      change(join(workspace.root, 'a.txt'));
      const writing = files.write('a.txt', Buffer.from('mine'), { ...call, expected: version });
      await expect(writing).rejects.toMatchObject({ code: 'E_CONFLICT' });
      const left = readdirSync(workspace.root).map((name) => [
        name,
        readFileSync(join(workspace.root, name), 'utf8'),
      ]);
      expect(left).toEqual(after === undefined ? [] : [['a.txt', after]]);
    },
  );

  it('leaves no directory that it made for nothing', async () => {
    await using workspace = tempWorkspace();
    const writing = filesOf(workspace).write('d/e/a.txt', Buffer.from('mine'), {
      ...call,
      expected: '1:2:3',
    });
    await expect(writing).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(readdirSync(workspace.root)).toEqual([]);
  });
});
