/** Questions that wait: answered by whoever comes first, once, also for a process that died meanwhile. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../src/host/local/clock.ts';
import { localProcessTable } from '../../src/host/local/process-table.ts';
import type { ApprovalAnswer, Approver } from '../../src/index.ts';
import { beApprover } from '../../src/store/approvers.ts';
import { openStore } from '../../src/store/store.ts';
import { approver } from '../support/approver.ts';
import { answeredWhileDead, startAsking } from '../support/asking.ts';
import { openQuestions, requestOf } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };
const ASKED = { session: 'ses_same', ...WRITE };
const DENIED = { outcome: 'denied', result: { error: { code: 'E_DENIED' } } };

describe('deskAnswerer', () => {
  it('denies at once where nobody is there, and asks nothing', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using questions = openQuestions(workspace.locations.state);
    const response = await runtime.call('write', WRITE);
    expect(response).toMatchObject(DENIED);
    expect(response.result.error?.message).toContain('Nobody can be asked here.');
    expect(await questions.all()).toEqual([]);
  });

  it('asks by a row that holds what a person needs, and runs on an answer from elsewhere', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const runtime = await workspace.runtime({ wait: true });
    await using questions = openQuestions(workspace.locations.state);
    const session = await runtime.openSession();
    const asking = runtime.call('write', WRITE, { session });
    const [open] = await questions.whenOpen();
    expect(open).toMatchObject({ workspace: workspace.root, session: session.id, state: 'pending' });
    expect(requestOf(open!)).toMatchObject({
      id: open!.id,
      hash: open!.hash,
      session: session.id,
      dialect: 'handrail',
      tool: 'write',
      args: WRITE,
      accesses: [
        { permission: 'fs.read', resource: 'a.txt', resolved: 'a.txt' },
        { permission: 'fs.write', resource: 'a.txt', resolved: 'a.txt' },
      ],
      preview: { kind: 'diff', text: expect.stringContaining('-old\n+new\n') },
    });
    expect(textOf(workspace, 'a.txt')).toBe('old\n');
    expect(await questions.answer(open!.id, { answer: 'once', by: 'elsewhere' })).toBe(true);
    expect(await asking).toMatchObject({ outcome: 'ok' });
    expect(textOf(workspace, 'a.txt')).toBe('new\n');
    expect(await questions.find(open!.id)).toMatchObject({ state: 'used' });
  });

  it('waits where an approver is known to be there', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using store = openStore(join(workspace.locations.state, 'handrail.sqlite'));
    await using _presence = await beApprover(store.database, localClock, localProcessTable(), 'terminal');
    await using questions = openQuestions(workspace.locations.state);
    const asking = runtime.call('write', WRITE);
    const [open] = await questions.whenOpen();
    await questions.answer(open!.id, { answer: 'deny', reason: 'Not now.' });
    expect(await asking).toMatchObject({ result: { error: { message: 'Not now.' } } });
  });

  it.each<[ApprovalAnswer['answer'], ApprovalAnswer, string]>([
    ['deny', { answer: 'once' }, 'denied'],
    ['once', { answer: 'deny' }, 'ok'],
  ])('takes %s from elsewhere that came before its own answer', async (answer, own, outcome) => {
    await using workspace = tempWorkspace();
    const locations = workspace.locations;
    const approve: Approver = async ({ id }) => {
      await using questions = openQuestions(locations.state);
      expect(await questions.answer(id, { answer, by: 'elsewhere' } as ApprovalAnswer)).toBe(true);
      return own;
    };
    const runtime = await workspace.runtime({ approve });
    expect(await runtime.call('write', WRITE)).toMatchObject({ outcome });
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(outcome === 'ok');
  });

  it('asks about each of two identical calls at once, and gives each its own answer', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ wait: true });
    await using questions = openQuestions(workspace.locations.state);
    const calls = [runtime.call('write', WRITE), runtime.call('write', WRITE)];
    const [first, second] = await questions.whenOpen(2);
    expect(second!.hash).toBe(first!.hash);
    await questions.answer(first!.id, { answer: 'deny' });
    await questions.answer(second!.id, { answer: 'once' });
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['denied', 'ok']);
  });

  it('does not give an answer to a cancelled call to the next one that is the same', async () => {
    await using workspace = tempWorkspace();
    const stop = new AbortController();
    const { state } = workspace.locations;
    const approve: Approver = async ({ id }) => {
      await using answering = openQuestions(state);
      await answering.answer(id, { answer: 'once' });
      stop.abort();
      return new Promise(() => undefined);
    };
    const runtime = await workspace.runtime({ approve });
    expect(await runtime.call('write', WRITE, { signal: stop.signal })).toMatchObject({
      outcome: 'cancelled',
    });
    await using questions = openQuestions(state);
    await expect.poll(() => questions.all()).toMatchObject([{ state: 'expired' }]);
  });

  it('lets go of its own approver when the answer comes from elsewhere', async () => {
    await using workspace = tempWorkspace();
    const letGo = Promise.withResolvers<void>();
    const approve: Approver = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          letGo.resolve();
          reject(new Error('no longer wanted'));
        });
      });
    const runtime = await workspace.runtime({ approve });
    await using questions = openQuestions(workspace.locations.state);
    const asking = runtime.call('write', WRITE);
    const [open] = await questions.whenOpen();
    await questions.answer(open!.id, { answer: 'once' });
    expect(await asking).toMatchObject({ outcome: 'ok' });
    await expect(letGo.promise).resolves.toBeUndefined();
  });

  it('closes the question with its own answer, so that nobody else answers it', async () => {
    await using workspace = tempWorkspace();
    const own = approver('once');
    const runtime = await workspace.runtime({ approve: own });
    await using questions = openQuestions(workspace.locations.state);
    expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
    expect(await questions.all()).toMatchObject([{ id: own.asked[0]!.id, state: 'used', request: '{}' }]);
    expect(await questions.answer(own.asked[0]!.id, { answer: 'session' })).toBe(false);
    await runtime.call('write', { ...WRITE, content: 'newer\n' });
    expect(own.asked).toHaveLength(2);
  });

  it('denies what nobody answers in time, and takes no answer afterwards', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(workspace.locations.config);
    writeFileSync(
      join(workspace.locations.config, 'config.jsonc'),
      '{ "approvals": { "timeoutSeconds": 1 } }',
    );
    const runtime = await workspace.runtime({ wait: true, readConfig: true });
    await using questions = openQuestions(workspace.locations.state);
    const asking = runtime.call('write', WRITE);
    const [open] = await questions.whenOpen();
    expect(await asking).toMatchObject({ result: { error: { message: 'Nobody answered in time.' } } });
    await expect.poll(() => questions.pending()).toEqual([]);
    expect(await questions.answer(open!.id, { answer: 'once' })).toBe(false);
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });
});

describe('deskAnswerer after a kill', () => {
  it('gives the answer to the identical call of the next process, once', async () => {
    await using workspace = tempWorkspace();
    const id = await answeredWhileDead(workspace, ASKED);
    await using questions = openQuestions(workspace.locations.state);
    expect(await startAsking(workspace, ASKED).outcome).toBe('ok');
    expect(await questions.all()).toMatchObject([{ id, state: 'used' }]);
    rmSync(join(workspace.root, ASKED.path));
    const third = startAsking(workspace, ASKED);
    const [open] = await questions.whenOpen();
    await third.kill();
    expect(open!.id).not.toBe(id);
    expect(open!.hash).toBe((await questions.find(id))!.hash);
  });

  it.each([
    ['other content', { ...ASKED, content: 'other\n' }],
    ['another path', { ...ASKED, path: 'b.txt' }],
    ['another session', { ...ASKED, session: 'ses_other' }],
  ])('asks anew about %s, and leaves the answer where it is', async (_, write) => {
    await using workspace = tempWorkspace();
    const id = await answeredWhileDead(workspace, ASKED);
    await using questions = openQuestions(workspace.locations.state);
    const other = startAsking(workspace, write);
    const [open] = await questions.whenOpen();
    await other.kill();
    expect(open!.id).not.toBe(id);
    expect(await questions.find(id)).toMatchObject({ state: 'answered' });
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });
});

describe('a question about a path', () => {
  it('is about where a link led when it was asked, and nothing else is written', async () => {
    await using workspace = tempWorkspace({ 'shown.txt': 'shown\n', 'other.txt': 'other\n' });
    symlinkSync('shown.txt', join(workspace.root, 'link'));
    const approve: Approver = async ({ accesses }) => {
      expect(accesses.at(-1)).toEqual({ permission: 'fs.write', resource: 'link', resolved: 'shown.txt' });
      rmSync(join(workspace.root, 'link'));
      symlinkSync('other.txt', join(workspace.root, 'link'));
      return { answer: 'once' };
    };
    const runtime = await workspace.runtime({ approve });
    expect(await runtime.call('write', { path: 'link', content: 'new\n' })).toMatchObject({ outcome: 'ok' });
    expect([textOf(workspace, 'shown.txt'), textOf(workspace, 'other.txt')]).toEqual(['new\n', 'other\n']);
  });

  it.each([
    ['its folder', 'd'],
    ['the file itself', 'd/s.txt'],
  ])('writes nothing where %s became a link to the outside meanwhile', async (_, swapped) => {
    await using workspace = tempWorkspace({ 'd/s.txt': 'inside\n' });
    const before = textOf(workspace, '../out/s.txt');
    const approve: Approver = async () => {
      renameSync(join(workspace.root, swapped), join(workspace.root, 'aside'));
      symlinkSync(join(workspace.outside, swapped.slice(2)), join(workspace.root, swapped));
      return { answer: 'once' };
    };
    const runtime = await workspace.runtime({ approve });
    expect(await runtime.call('write', { path: 'd/s.txt', content: 'new\n' })).toMatchObject({
      outcome: 'failed',
    });
    expect(textOf(workspace, '../out/s.txt')).toBe(before);
  });
});

function textOf({ root }: TempWorkspace, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
