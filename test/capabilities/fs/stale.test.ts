/** The stale guard: a session does not overwrite what it has not seen. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approver, Runtime, RuntimeOptions } from '../../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

const STALE = {
  ok: false,
  error:
    '"a.txt" has changed since it was last read in this session. Nothing was written. Read it again, then write what should be there now.',
  code: 'E_CONFLICT',
};
const CHANGED = {
  ok: false,
  error: expect.stringContaining('changed') as string,
  code: 'E_CONFLICT',
};

async function guarded(workspace: TempWorkspace, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  return workspace.runtime({ mode: 'auto', ...options });
}

const textOf = ({ root }: TempWorkspace, path = 'a.txt'): string => readFileSync(join(root, path), 'utf8');

async function write(runtime: Runtime, content: string, options: object = {}): Promise<unknown> {
  return (await runtime.call('write', { path: 'a.txt', content }, options)).reply;
}

describe('a file that changed since the session read it', () => {
  it('is not overwritten, until it is read again', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await guarded(workspace);
    await runtime.call('read', { path: 'a.txt' });
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
    expect(textOf(workspace)).toBe('theirs\n');
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
    await runtime.call('read', { path: 'a.txt' });
    expect(await write(runtime, 'mine\n')).toMatchObject({ ok: true, operation: 'updated' });
    expect(textOf(workspace)).toBe('mine\n');
  });

  it.each(['d/a.txt', 'd'])('is not deleted by %s, until it is read again', async (path) => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'one\n', 'd/b.txt': 'two\n' });
    const runtime = await guarded(workspace);
    for (const read of ['d/a.txt', 'd/b.txt']) await runtime.call('read', { path: read });
    workspace.write('d/a.txt', 'theirs\n');
    rmSync(join(workspace.root, 'd/b.txt'));
    expect((await runtime.call('delete', { path })).reply).toEqual({
      ...STALE,
      error:
        '"d/a.txt" has changed since it was last read in this session. Nothing was deleted. Read it again, then delete it if it should still go.',
    });
    expect(textOf(workspace, 'd/a.txt')).toBe('theirs\n');
    await runtime.call('read', { path: 'd/a.txt' });
    expect((await runtime.call('delete', { path })).reply).toMatchObject({ ok: true });
  });

  it.each([
    ['read_files', { paths: ['b.txt', 'a.txt'] }],
    ['read', { path: 'a.txt', offset: -1 }],
    ['read', { path: 'link' }],
  ])('counts as read by %s with %j', async (tool, args) => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n', 'b.txt': '' });
    symlinkSync('a.txt', join(workspace.root, 'link'));
    const runtime = await guarded(workspace);
    await runtime.call(tool, args);
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
  });

  it('is found changed where it went, came or was replaced', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const file = join(workspace.root, 'a.txt');
    const runtime = await guarded(workspace);
    await runtime.call('read', { path: 'a.txt' });
    rmSync(file);
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
    await runtime.call('read', { path: 'a.txt' });
    writeFileSync(file, 'theirs\n');
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
    await runtime.call('read', { path: 'a.txt' });
    rmSync(file);
    writeFileSync(file, 'theirs again\n');
    expect(await write(runtime, 'mine\n')).toEqual(STALE);
  });

  it('is not what a session has never read, or only listed, found or asked about', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await guarded(workspace);
    await runtime.call('list', {});
    await runtime.call('stat', { path: 'a.txt' });
    await runtime.call('grep', { pattern: 'one' });
    await runtime.approvalRequest('write', { path: 'a.txt', content: 'x' });
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'mine\n')).toMatchObject({ ok: true });
  });

  it('is one session’s affair', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await guarded(workspace);
    const [reader, other] = [await runtime.openSession(), await runtime.openSession()];
    await runtime.call('read', { path: 'a.txt' }, { session: reader });
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'mine\n', { session: other })).toMatchObject({ ok: true });
    expect(await write(runtime, 'late\n', { session: reader })).toEqual(STALE);
    expect(textOf(workspace)).toBe('mine\n');
  });

  it('still may be added to', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await workspace.runtime({ dialect: 'tenas', approve: async () => ({ answer: 'once' }) });
    await runtime.call('file-read', { path: 'a.txt' });
    workspace.write('a.txt', 'theirs\n');
    const { reply } = await runtime.call('file-write', { path: 'a.txt', content: 'mine\n', mode: 'append' });
    expect(reply).toMatchObject({ ok: true });
    expect(textOf(workspace)).toBe('theirs\nmine\n');
  });

  it('may be overwritten where the settings say so', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const folder = workspace.locations.config;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.jsonc'), '{ "edits": { "refuseStale": false } }', { mode: 0o600 });
    const runtime = await guarded(workspace, { readConfig: true });
    await runtime.call('read', { path: 'a.txt' });
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'mine\n')).toMatchObject({ ok: true });
    expect(textOf(workspace)).toBe('mine\n');
  });
});

describe('what a session wrote itself', () => {
  it('counts as seen', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await guarded(workspace);
    await runtime.call('read', { path: 'a.txt' });
    for (const content of ['two\n', 'three\n', 'three\n', 'four\n'])
      expect(await write(runtime, content)).toMatchObject({ ok: true });
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'five\n')).toEqual(STALE);
  });

  it('is found changed though it was never read', async () => {
    await using workspace = tempWorkspace();
    const runtime = await guarded(workspace);
    await write(runtime, 'one\n');
    workspace.write('a.txt', 'theirs\n');
    expect(await write(runtime, 'two\n')).toEqual(STALE);
  });

  it('is found changed by another session, and by undo', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await guarded(workspace);
    await write(runtime, 'two\n');
    await runtime.undo();
    expect(await write(runtime, 'three\n')).toEqual(STALE);
    await runtime.call('read', { path: 'a.txt' });
    await write(runtime, 'other\n', { session: await runtime.openSession() });
    expect(await write(runtime, 'three\n')).toEqual(STALE);
  });
});

describe('a file that another program changes between the question and the answer', () => {
  /** Says yes, and meanwhile something happens to the file. */
  const meanwhile =
    (happens: () => void): Approver =>
    async () => {
      happens();
      return { answer: 'once' };
    };

  it.each<[string, string | undefined, (file: string) => void, string | undefined]>([
    ['changed', 'one\n', (file) => writeFileSync(file, 'theirs\n'), 'theirs\n'],
    ['made', undefined, (file) => writeFileSync(file, 'theirs\n'), 'theirs\n'],
    ['emptied', 'one\n', (file) => writeFileSync(file, ''), ''],
  ])('is left alone where it was %s', async (_, before, happens, after) => {
    await using workspace = tempWorkspace(before === undefined ? {} : { 'a.txt': before });
    const approve = meanwhile(() => happens(join(workspace.root, 'a.txt')));
    const runtime = await workspace.runtime({ approve });
    expect(await write(runtime, 'mine\n')).toEqual(CHANGED);
    expect(textOf(workspace)).toBe(after);
  });

  it('is not made again where it was deleted', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await workspace.runtime({
      approve: meanwhile(() => rmSync(join(workspace.root, 'a.txt'))),
    });
    expect(await write(runtime, 'mine\n')).toEqual(CHANGED);
    expect(() => textOf(workspace)).toThrow(/ENOENT/);
  });

  it('is left alone by what is added, too', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const approve = meanwhile(() => workspace.write('a.txt', 'theirs\n'));
    const runtime = await workspace.runtime({ dialect: 'tenas', approve });
    const { reply } = await runtime.call('file-write', { path: 'a.txt', content: 'mine\n', mode: 'append' });
    expect(reply).toMatchObject({ ok: false, error: { code: 'E_CONFLICT' } });
    expect(textOf(workspace)).toBe('theirs\n');
  });

  it('is left alone even where stale files may be overwritten: a person saw another diff', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const folder = workspace.locations.config;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.jsonc'), '{ "edits": { "refuseStale": false } }', { mode: 0o600 });
    const approve = meanwhile(() => workspace.write('a.txt', 'theirs\n'));
    const runtime = await workspace.runtime({ approve, readConfig: true });
    expect(await write(runtime, 'mine\n')).toEqual(CHANGED);
    expect(textOf(workspace)).toBe('theirs\n');
  });
});
