/** Output that did not fit, kept for paging: each session has its own, for a day. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localIds } from '../../src/host/local/ids.ts';
import { localStateDirectory } from '../../src/host/local/state-directory.ts';
import { type KeptOutputs, keptOutputs } from '../../src/store/outputs.ts';
import { openStore } from '../../src/store/store.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOT_KEPT = { name: 'Failure', code: 'E_NOT_FOUND' };

describe('keptOutputs', () => {
  it('gives pages of a list and of a text, and nothing behind the end', async () => {
    await using workspace = tempWorkspace();
    await using outputs = openOutputs(workspace);
    const list = await outputs.keep('ses_1', [{ a: 1 }, { a: 2 }, { a: 3 }]);
    const text = await outputs.keep('ses_1', 'one\ntwo\n');
    const pages = outputs.pagesOf('ses_1');
    expect(await pages.page(list, 1, 1)).toEqual({ part: [{ a: 2 }], total: 3 });
    expect(await pages.page(list, 0, 100)).toEqual({
      part: [{ a: 1 }, { a: 2 }, { a: 3 }],
      total: 3,
    });
    expect(await pages.page(list, 3, 1)).toEqual({ part: [], total: 3 });
    expect(await pages.page(text, 2, 4)).toEqual({ part: 'e\ntw', total: 8 });
    expect(await pages.page(text, 8, 4)).toEqual({ part: '', total: 8 });
  });

  it('belongs to its session alone, and to no id that was made up', async () => {
    await using workspace = tempWorkspace();
    await using outputs = openOutputs(workspace);
    const id = await outputs.keep('ses_1', 'private to session one');
    await outputs.keep('ses_2', 'private to session two');
    for (const [session, wanted] of [
      ['ses_2', id],
      ['', id],
      ['ses_', id],
      ['%', id],
      ['ses_1', '%'],
      ['ses_1', ''],
      ['ses_1', 'out_1'],
    ] as const) {
      await expect(outputs.pagesOf(session).page(wanted, 0, 100)).rejects.toMatchObject(NOT_KEPT);
    }
    expect(await outputs.pagesOf('ses_1').page(id, 0, 100)).toEqual({
      part: 'private to session one',
      total: 22,
    });
  });

  it('outlives a restart, and is gone after a day', async () => {
    await using workspace = tempWorkspace();
    await using before = openOutputs(workspace, 0);
    const id = await before.keep('ses_1', 'text');
    await using nextDay = openOutputs(workspace, DAY_MS);
    await nextDay.keep('ses_2', 'another');
    expect(await nextDay.pagesOf('ses_1').page(id, 0, 10)).toEqual({ part: 'text', total: 4 });
    await using later = openOutputs(workspace, DAY_MS + 1);
    await later.keep('ses_2', 'another');
    await expect(later.pagesOf('ses_1').page(id, 0, 10)).rejects.toMatchObject(NOT_KEPT);
  });
});

describe('KeptOutputs.spool', () => {
  it('keeps a small output in the store, and drops one that is not wanted', async () => {
    await using workspace = tempWorkspace();
    await using outputs = openOutputs(workspace);
    const kept = outputs.spool('ses_1');
    kept.write(Buffer.from('all of '));
    kept.write(Buffer.from('it'));
    const { id, isWhole } = await kept.keep();
    expect(isWhole).toBe(true);
    expect(await outputs.pagesOf('ses_1').page(id, 0, 100)).toMatchObject({ part: 'all of it' });
    const dropped = outputs.spool('ses_1');
    dropped.write(Buffer.alloc(MEBIBYTE));
    await dropped.drop();
    expect(files(workspace)).toEqual([]);
  });

  it('keeps a large one in a file, with pages that start and end between characters', async () => {
    await using workspace = tempWorkspace();
    await using outputs = openOutputs(workspace);
    const spool = outputs.spool('ses_1');
    const whole = Buffer.from('äöü€😀\n'.repeat(100_000));
    for (let at = 0; at < whole.length; at += 999) spool.write(whole.subarray(at, at + 999));
    const { id } = await spool.keep();
    expect(files(workspace)).toEqual([id]);
    const pages = outputs.pagesOf('ses_1');
    let read = '';
    for (let at = 0, total = 1; at < total;) {
      const page = await pages.page(id, at, 12_345);
      read += page.part as string;
      [at, total] = [page.next!, page.total];
    }
    expect(read === whole.toString()).toBe(true);
  });

  it('is forgotten with its file after a day', async () => {
    await using workspace = tempWorkspace();
    await using before = openOutputs(workspace, 0);
    const spool = before.spool('ses_1');
    spool.write(Buffer.alloc(MEBIBYTE));
    await spool.keep();
    await using later = openOutputs(workspace, DAY_MS + 1);
    await later.keep('ses_2', 'another');
    expect(files(workspace)).toEqual([]);
  });
});

const MEBIBYTE = 1024 * 1024;

function files({ outside }: TempWorkspace): string[] {
  return localStateDirectory(join(outside, 'state')).list('outputs');
}

function openOutputs({ outside }: TempWorkspace, now = 1_000_000): KeptOutputs & AsyncDisposable {
  const store = openStore(join(outside, 'store'));
  const clock = { now: () => now, monotonic: () => now };
  const outputs = keptOutputs({
    database: store.database,
    workspace: '/ws',
    state: localStateDirectory(join(outside, 'state')),
    clock,
    ids: localIds(clock),
  });
  return { ...outputs, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
