/** Questions as rows: bound to one call of one session in one workspace, answered once, used once, closed in time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../src/host/local/clock.ts';
import { localProcessTable } from '../../src/host/local/process-table.ts';
import type { ApprovalRequest } from '../../src/index.ts';
import { type ApprovalRows, approvalRows } from '../../src/store/approvals.ts';
import { beApprover, isAnyoneThere } from '../../src/store/approvers.ts';
import { type Database, openStore } from '../../src/store/store.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WORKSPACE = '/projects/one';
const SESSION = 'ses_1';
const HASH = 'a'.repeat(64);
const NOW = 1_000_000;
const LATER = NOW + 300_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const REQUEST: ApprovalRequest = {
  id: 'apr_1',
  hash: HASH,
  callId: 'call_1',
  session: SESSION,
  dialect: 'handrail',
  tool: 'write',
  version: '1.0.0',
  operation: 'fs.write',
  args: { path: 'a.txt', content: 'x' },
  accesses: [{ permission: 'fs.write', resource: 'a.txt', resolved: 'a.txt' }],
  reason: 'It needs an approval.',
  rule: 'dialect:handrail#2',
  scope: 'workspace',
};

describe('approvalRows', () => {
  it('keeps a question whole until it is answered', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    expect(await rows.open(REQUEST, WORKSPACE, LATER)).toBe('apr_1');
    const row = {
      id: 'apr_1',
      hash: HASH,
      workspace: WORKSPACE,
      session: SESSION,
      owner: 'asking',
      request: JSON.stringify(REQUEST),
      state: 'pending',
      answer: null,
      created_at: NOW,
      expires_at: LATER,
    };
    expect(await rows.pending()).toEqual([row]);
    expect(await rows.find('apr_1')).toEqual(row);
    expect(await rows.find('apr_2')).toBeUndefined();
  });

  it('opens a question of its own for each call, also where two are the same', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_2');
    await rows.answer('apr_2', { answer: 'deny' });
    await rows.answer('apr_1', { answer: 'once' });
    expect([await rows.take('apr_1'), await rows.take('apr_2')]).toEqual([
      { answer: 'once' },
      { answer: 'deny' },
    ]);
  });

  it('gives an answer once, and keeps nothing of it or of what was shown', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.take('apr_1')).toBeUndefined();
    await rows.answer('apr_1', { answer: 'edit', args: { content: 'private' } });
    for (const id of ['apr_2', '', '%']) expect(await rows.take(id)).toBeUndefined();
    expect(await rows.take('apr_1')).toEqual({ answer: 'edit', args: { content: 'private' } });
    expect(await rows.take('apr_1')).toBeUndefined();
    expect(await rows.find('apr_1')).toMatchObject({ state: 'used', request: '{}', answer: null });
  });

  it('gives an answer to one of two who take it', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.answer('apr_1', { answer: 'once' });
    const taken = await Promise.all([rows.take('apr_1'), rows.take('apr_1')]);
    expect(taken.filter((answer) => answer !== undefined)).toEqual([{ answer: 'once' }]);
  });

  it('takes the first answer and refuses every other', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await using others = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.answer('apr_1', { answer: 'deny', reason: 'Not today.' })).toBe(true);
    expect(await others.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await rows.pending()).toEqual([]);
    expect(await others.take('apr_1')).toEqual({ answer: 'deny', reason: 'Not today.' });
    expect(await others.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await rows.take('apr_1')).toBeUndefined();
  });

  it('refuses answers to a question that was never asked', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    for (const id of ['apr_2', '', '%', 'APR_1'])
      expect(await rows.answer(id, { answer: 'once' })).toBe(false);
    expect(await rows.pending()).toHaveLength(1);
  });

  it('closes a question at its time: not open, not to be answered, its answer not to be taken', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER);
    await rows.answer('apr_2', { answer: 'edit', args: { content: 'private' } });
    await using lastMoment = openRows(workspace, { now: LATER - 1 });
    expect(await lastMoment.pending()).toHaveLength(1);
    await using tooLate = openRows(workspace, { now: LATER });
    expect(await tooLate.pending()).toEqual([]);
    expect(await tooLate.find('apr_1')).toMatchObject({ state: 'expired' });
    expect(await tooLate.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await tooLate.take('apr_2')).toBeUndefined();
    await tooLate.open({ ...REQUEST, id: 'apr_3' }, WORKSPACE, LATER + 1);
    for (const id of ['apr_1', 'apr_2'])
      expect(await rows.find(id)).toMatchObject({ state: 'expired', request: '{}', answer: null });
  });

  it('expires a question that nobody waits for, also where it was answered meanwhile', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER);
    await rows.answer('apr_2', { answer: 'once' });
    for (const id of ['apr_1', 'apr_2']) {
      await rows.expire(id);
      expect(await rows.find(id)).toMatchObject({ state: 'expired', request: '{}', answer: null });
      expect(await rows.answer(id, { answer: 'once' })).toBe(false);
      expect(await rows.take(id)).toBeUndefined();
    }
  });

  it('lists the open questions of all workspaces or of one, oldest first', async () => {
    await using workspace = tempWorkspace();
    await using later = openRows(workspace, { now: NOW + 1 });
    await later.open({ ...REQUEST, id: 'apr_a' }, '/projects/two', LATER);
    await using rows = openRows(workspace);
    await rows.open({ ...REQUEST, id: 'apr_b' }, WORKSPACE, LATER);
    expect((await rows.pending()).map(({ id }) => id)).toEqual(['apr_b', 'apr_a']);
    expect((await rows.pending('/projects/two')).map(({ id }) => id)).toEqual(['apr_a']);
  });

  it('forgets questions of a month ago when another is asked', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await using month = openRows(workspace, { now: NOW + 30 * DAY_MS });
    await month.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, NOW + 31 * DAY_MS);
    expect(await month.find('apr_1')).toMatchObject({ id: 'apr_1' });
    await using later = openRows(workspace, { now: NOW + 30 * DAY_MS + 1 });
    await later.open({ ...REQUEST, id: 'apr_3', session: 'ses_3' }, WORKSPACE, NOW + 31 * DAY_MS);
    expect(await later.find('apr_1')).toBeUndefined();
    expect(await later.find('apr_2')).toMatchObject({ id: 'apr_2' });
  });
});

describe('approvalRows after the process that asked died', () => {
  it('goes on with the open question of the same call, under the same id, with what there is to see now', async () => {
    await using workspace = tempWorkspace();
    await using dead = openRows(workspace, { self: 'dead' });
    await dead.open(REQUEST, WORKSPACE, LATER);
    await using rows = openRows(workspace);
    const again = { ...REQUEST, id: 'apr_2', callId: 'call_2' };
    expect(await rows.open(again, WORKSPACE, LATER + 1)).toBe('apr_1');
    expect(await rows.pending()).toMatchObject([
      { owner: 'asking', request: JSON.stringify({ ...again, id: 'apr_1' }), expires_at: LATER + 1 },
    ]);
    expect(await rows.open({ ...REQUEST, id: 'apr_3' }, WORKSPACE, LATER)).toBe('apr_3');
  });

  it('gives the answer that came meanwhile to the same call, once', async () => {
    await using workspace = tempWorkspace();
    await using dead = openRows(workspace, { self: 'dead' });
    await dead.open(REQUEST, WORKSPACE, LATER);
    await using rows = openRows(workspace);
    expect(await rows.takeLeft(REQUEST, WORKSPACE)).toBeUndefined();
    await rows.answer('apr_1', { answer: 'session', by: 'terminal' });
    expect(await rows.takeLeft(REQUEST, WORKSPACE)).toEqual({ answer: 'session', by: 'terminal' });
    expect(await rows.takeLeft(REQUEST, WORKSPACE)).toBeUndefined();
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_2');
  });

  it.each([
    ['hash', { ...REQUEST, id: 'apr_3', hash: 'b'.repeat(64) }, WORKSPACE],
    ['hash that is a pattern', { ...REQUEST, id: 'apr_3', hash: '%' }, WORKSPACE],
    ['session', { ...REQUEST, id: 'apr_3', session: 'ses_2' }, WORKSPACE],
    ['workspace', { ...REQUEST, id: 'apr_3' }, '/projects'],
  ])('leaves question and answer where they are for another %s', async (_, other, place) => {
    await using workspace = tempWorkspace();
    await using dead = openRows(workspace, { self: 'dead' });
    await dead.open(REQUEST, WORKSPACE, LATER);
    await dead.answer('apr_1', { answer: 'once' });
    await dead.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER);
    await using rows = openRows(workspace);
    expect(await rows.takeLeft(other, place)).toBeUndefined();
    expect(await rows.open(other, place, LATER)).toBe('apr_3');
  });

  it('leaves the question and the answer of a call that still waits where they are', async () => {
    await using workspace = tempWorkspace();
    await using waiting = openRows(workspace, { self: 'waiting' });
    await waiting.open(REQUEST, WORKSPACE, LATER);
    await using rows = openRows(workspace);
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_2');
    await rows.answer('apr_1', { answer: 'once' });
    expect(await rows.takeLeft(REQUEST, WORKSPACE)).toBeUndefined();
    expect(await waiting.take('apr_1')).toEqual({ answer: 'once' });
  });
});

describe('approvalRows after the call left its question', () => {
  it('goes on with it, and does not close it for the one who left', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.leave('apr_1')).toBe(true);
    await rows.expire('apr_1');
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_1');
    expect(await rows.pending()).toMatchObject([{ id: 'apr_1', owner: 'asking' }]);
  });

  it('can not be left once it is answered', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.answer('apr_1', { answer: 'once' });
    expect(await rows.leave('apr_1')).toBe(false);
    expect(await rows.take('apr_1')).toEqual({ answer: 'once' });
  });
});

describe('isAnyoneThere', () => {
  it('is true while an approver is there, and not before or after', async () => {
    await using workspace = tempWorkspace();
    await using store = openStore(storeOf(workspace));
    const processes = localProcessTable();
    expect(await isAnyoneThere(store.database, processes)).toBe(false);
    {
      await using _first = await beApprover(store.database, localClock, processes, 'terminal');
      expect(await isAnyoneThere(store.database, processes)).toBe(true);
    }
    expect(await isAnyoneThere(store.database, processes)).toBe(false);
  });

  it('does not count an approver whose process was killed', async () => {
    await using workspace = tempWorkspace();
    await using store = openStore(storeOf(workspace));
    const program = join(import.meta.dirname, 'fixtures/be-approver.ts');
    const child = spawn(process.execPath, [program, storeOf(workspace)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(child, 'exit');
    await once(child.stdout, 'data');
    const seen = await isAnyoneThere(store.database, localProcessTable());
    child.kill('SIGKILL');
    await gone;
    expect({ seen, rows: await ownersIn(store.database) }).toEqual({ seen: true, rows: 1 });
    expect(await isAnyoneThere(store.database, localProcessTable())).toBe(false);
  });
});

function storeOf({ outside }: TempWorkspace): string {
  return join(outside, 'store.sqlite');
}

/** The questions as a process sees them at a moment; all but `dead` are alive. */
function openRows(
  workspace: TempWorkspace,
  { now = NOW, self = 'asking' } = {},
): ApprovalRows & AsyncDisposable {
  const store = openStore(storeOf(workspace));
  const processes = {
    self,
    isAlive: (owner: string) => owner !== 'dead',
    identityOf: () => undefined,
    pidOf: () => 1,
  };
  return {
    ...approvalRows(store.database, { now: () => now, monotonic: () => 0 }, processes),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function ownersIn(database: Database): Promise<number> {
  return (await database.selectFrom('approvers').select('owner').execute()).length;
}
