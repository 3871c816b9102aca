/** Calls that come again: one run, one answer, also after a restart, and no secret in the store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../src/journal/redact.ts';
import { type Begin, RecordedCalls } from '../../src/store/recorded-calls.ts';
import { openStore } from '../../src/store/store.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const REQUEST = { tool: 'write', args: { path: 'a.txt', content: 'a' } };
const OTHER = { tool: 'write', args: { path: 'a.txt', content: 'b' } };
const CONFLICT = { name: 'Failure', code: 'E_CONFLICT' };
const DAY_MS = 24 * 60 * 60 * 1000;

describe('RecordedCalls', () => {
  it('runs a call once that comes again while it runs and afterwards', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    const work = runs('the answer');
    const both = Promise.all([
      calls.once('ses_1', 'id', REQUEST, work.run),
      calls.once('ses_1', 'id', REQUEST, work.run),
    ]);
    await work.started;
    const third = calls.once('ses_1', 'id', REQUEST, work.run);
    // Another call goes all the way meanwhile: whatever the store says to the three was said by then.
    await calls.once('ses_1', 'other', REQUEST, done('another'));
    work.finish();
    expect([...(await both), await third, await calls.once('ses_1', 'id', REQUEST, work.run)]).toEqual(
      Array.from({ length: 4 }, () => ({ answer: 'the answer' })),
    );
    expect(work.count()).toBe(1);
  });

  it('takes other arguments under the same id for a conflict, while it runs and afterwards', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    const work = runs('the answer');
    const other = runs('never');
    const first = calls.once('ses_1', 'id', REQUEST, work.run);
    await work.started;
    await expect(calls.once('ses_1', 'id', OTHER, other.run)).rejects.toMatchObject(CONFLICT);
    work.finish();
    expect(await first).toEqual({ answer: 'the answer' });
    await expect(calls.once('ses_1', 'id', OTHER, other.run)).rejects.toMatchObject(CONFLICT);
    expect(await calls.once('ses_1', 'id', REQUEST, work.run)).toEqual({ answer: 'the answer' });
    expect([work.count(), other.count()]).toEqual([1, 0]);
  });

  it('keeps sessions and ids apart', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    const places = [
      ['ses_1', 'id'],
      ['ses_2', 'id'],
      ['ses_1', 'other'],
    ] as const;
    for (const [index, [session, id]] of places.entries()) {
      expect(await calls.once(session, id, { index }, done(`answer ${index}`))).toEqual({
        answer: `answer ${index}`,
      });
    }
  });

  it('keeps the answers of calls that end together, each with its own', async () => {
    await using workspace = tempWorkspace();
    await using before = openCalls(workspace);
    const ids = ['a', 'b', 'with \0 in it', 'ä'];
    await Promise.all(ids.map((id) => before.once('ses_1', id, { id }, done(`answer of ${id}`))));
    await using calls = openCalls(workspace);
    for (const id of ids)
      expect(await calls.once('ses_1', id, { id }, done('never'))).toEqual({ answer: `answer of ${id}` });
  });

  it('knows a call that runs, however many came after it', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    const end = Promise.withResolvers<void>();
    let count = 0;
    const run = async (): Promise<Answer> => {
      count++;
      await end.promise;
      return { answer: 'the answer' };
    };
    const ids = Array.from({ length: 1_001 }, (_, index) => `id ${index}`);
    const all = [...ids, 'id 0'].map((id) => calls.once('ses_1', id, REQUEST, run));
    end.resolve();
    await Promise.all(all);
    expect(count).toBe(ids.length);
  });

  it('gives the recorded answer after a restart, and still a conflict for other arguments', async () => {
    await using workspace = tempWorkspace();
    await using before = openCalls(workspace);
    await before.once('ses_1', 'id', REQUEST, done('the answer'));
    await using calls = openCalls(workspace);
    const again = runs('never');
    await expect(calls.once('ses_1', 'id', OTHER, again.run)).rejects.toMatchObject(CONFLICT);
    // The conflict is no answer: the right arguments still get theirs.
    expect(await calls.once('ses_1', 'id', REQUEST, again.run)).toEqual({ answer: 'the answer' });
    expect(await calls.once('ses_1', 'id', REQUEST, again.run)).toEqual({ answer: 'the answer' });
    expect(again.count()).toBe(0);
  });

  it('gives an answer with a secret as long as it lives, but never writes it down', async () => {
    await using workspace = tempWorkspace();
    const secret = `ghp_${'aB3'.repeat(12)}`;
    await using before = openCalls(workspace);
    expect(await before.once('ses_1', 'id', REQUEST, done(secret))).toEqual({ answer: secret });
    expect(await before.once('ses_1', 'id', REQUEST, done('never'))).toEqual({ answer: secret });
    expect(await before.rows()).toMatchObject([
      { session: 'ses_1', tool_call_id: 'id', answer: null, ended: 1 },
    ]);
    expect(storedBytes(workspace)).not.toContain(secret);
    await using calls = openCalls(workspace);
    const again = runs('never');
    await expect(calls.once('ses_1', 'id', REQUEST, again.run)).rejects.toMatchObject({
      ...CONFLICT,
      message: 'The call "id" has run, but its answer is no longer held.',
    });
    expect(again.count()).toBe(0);
  });

  it('does not write the arguments down, only their hash', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    await calls.once('ses_1', 'id', { args: 'very private arguments' }, done('the answer'));
    expect(storedBytes(workspace)).toContain('the answer');
    expect(storedBytes(workspace)).not.toContain('very private arguments');
  });

  it('runs a call in one of two processes that get it at once', async () => {
    await using workspace = tempWorkspace();
    await using here = openCalls(workspace);
    await using there = openCalls(workspace);
    const work = runs('the answer');
    const first = here.once('ses_1', 'id', REQUEST, work.run);
    await work.started;
    const conflict = { ...CONFLICT, message: 'The call "id" is running elsewhere, or was interrupted.' };
    await expect(there.once('ses_1', 'id', REQUEST, work.run)).rejects.toMatchObject(conflict);
    work.finish();
    await first;
    expect(await there.once('ses_1', 'id', REQUEST, work.run)).toEqual({ answer: 'the answer' });
    expect(work.count()).toBe(1);
  });

  it('runs nothing a second time that a crash interrupted', async () => {
    await using workspace = tempWorkspace();
    await using crashed = openCalls(workspace);
    const lost = runs('lost');
    void crashed.once('ses_1', 'id', REQUEST, lost.run);
    await lost.started;
    await using calls = openCalls(workspace);
    const again = runs('never');
    await expect(calls.once('ses_1', 'id', REQUEST, again.run)).rejects.toMatchObject(CONFLICT);
    expect(again.count()).toBe(0);
  });

  it('runs again what was cut short, or has no answer yet, before it began', async () => {
    await using workspace = tempWorkspace();
    await using crashed = openCalls(workspace);
    void crashed.once('ses_1', 'id', REQUEST, () => new Promise(() => undefined));
    await using calls = openCalls(workspace);
    expect(await calls.once('ses_1', 'id', REQUEST, done('not yet'))).toEqual({ answer: 'not yet' });
    expect(await calls.once('ses_1', 'id', REQUEST, done('the answer'))).toEqual({ answer: 'the answer' });
    expect(await calls.once('ses_1', 'id', REQUEST, done('never'))).toEqual({ answer: 'the answer' });
  });

  it('answers from the store what a thousand later calls pushed out of memory', async () => {
    await using workspace = tempWorkspace();
    await using calls = openCalls(workspace);
    await calls.once('ses_1', 'first', REQUEST, done('the answer'));
    for (let index = 0; index < 1_000; index++)
      await calls.once('ses_1', `later ${index}`, REQUEST, done('later'));
    expect(await calls.once('ses_1', 'first', REQUEST, done('never'))).toEqual({ answer: 'the answer' });
  });

  it('forgets a call after a day', async () => {
    await using workspace = tempWorkspace();
    await using before = openCalls(workspace, 0);
    await before.once('ses_1', 'id', REQUEST, done('the answer'));
    await using nextDay = openCalls(workspace, DAY_MS);
    expect(await nextDay.once('ses_1', 'id', REQUEST, done('never'))).toEqual({ answer: 'the answer' });
    await using later = openCalls(workspace, DAY_MS + 1);
    expect(await later.once('ses_1', 'id', OTHER, done('another'))).toEqual({ answer: 'another' });
  });

  it('forgets it also where it did not look for old ones just then', async () => {
    await using workspace = tempWorkspace();
    await using before = openCalls(workspace, 1);
    await before.once('ses_1', 'id', REQUEST, done('the answer'));
    let now = DAY_MS;
    await using later = openCalls(workspace, () => now);
    await later.once('ses_1', 'looks', REQUEST, done('looked'));
    now += 2;
    const run = async (begin: Begin): Promise<Answer> => {
      await begin();
      return { answer: 'another' };
    };
    expect(await later.once('ses_1', 'id', OTHER, run)).toEqual({ answer: 'another' });
    await using again = openCalls(workspace, now);
    expect(await again.once('ses_1', 'id', OTHER, done('never'))).toEqual({ answer: 'another' });
  });
});

interface Answer {
  readonly answer: string;
}

interface OpenCalls extends AsyncDisposable {
  once: RecordedCalls<Answer>['once'];
  rows(): Promise<unknown[]>;
}

/** The recorded calls of a process over the workspace's store. */
function openCalls({ outside }: TempWorkspace, time: number | (() => number) = 1_000_000): OpenCalls {
  const now = typeof time === 'number' ? () => time : time;
  const store = openStore(join(outside, 'store'));
  const { database } = store;
  const clock = { now, monotonic: now };
  const calls = new RecordedCalls<Answer>({
    database,
    workspace: '/ws',
    clock,
    isHarmless: (text) => redactText(text) === text,
    isFinal: ({ answer }) => answer !== 'not yet',
  });
  return {
    once: (...args) => calls.once(...args),
    rows: () => database.selectFrom('recorded_calls').selectAll().execute(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Work that waits until it is told to finish, and counts how often it was begun. */
function runs(answer: string): {
  run: (begin: Begin) => Promise<Answer>;
  started: Promise<void>;
  finish: () => void;
  count: () => number;
} {
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  let count = 0;
  const run = async (begin: Begin): Promise<Answer> => {
    count++;
    await begin();
    started.resolve();
    await finished.promise;
    return { answer };
  };
  return { run, started: started.promise, finish: finished.resolve, count: () => count };
}

function done(answer: string): () => Promise<Answer> {
  return async () => ({ answer });
}

/** All that the store has on the disk, its journal included. */
function storedBytes({ outside }: TempWorkspace): string {
  const names = readdirSync(outside).filter((name) => name.startsWith('store'));
  return names.map((name) => readFileSync(join(outside, name), 'latin1')).join('');
}
