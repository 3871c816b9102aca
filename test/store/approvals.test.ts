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

  it('goes on with the open question about the same call', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_1');
    expect(await rows.pending()).toHaveLength(1);
  });

  it.each([
    ['hash', { ...REQUEST, id: 'apr_2', hash: 'b'.repeat(64) }, WORKSPACE],
    ['session', { ...REQUEST, id: 'apr_2', session: 'ses_2' }, WORKSPACE],
    ['workspace', { ...REQUEST, id: 'apr_2' }, '/projects/two'],
  ])('opens another question for another %s, and keeps their answers apart', async (_, other, place) => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.open(other, place, LATER)).toBe('apr_2');
    expect(await rows.answer('apr_2', { answer: 'once' })).toBe(true);
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toBeUndefined();
    expect(await rows.take(other.hash, place, other.session)).toEqual({ answer: 'once' });
  });

  it('gives an answer to nothing but the very call, and once', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toBeUndefined();
    await rows.answer('apr_1', { answer: 'session', by: 'terminal' });
    for (const [hash, place, session] of [
      ['b'.repeat(64), WORKSPACE, SESSION],
      [HASH, '/projects', SESSION],
      [HASH, WORKSPACE, 'ses_2'],
      ['%', WORKSPACE, SESSION],
      ['', '', ''],
    ] as const) {
      expect(await rows.take(hash, place, session)).toBeUndefined();
    }
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toEqual({ answer: 'session', by: 'terminal' });
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toBeUndefined();
    expect(await rows.find('apr_1')).toMatchObject({ state: 'used', request: '{}' });
  });

  it('keeps an answer for a restart, and gives it to one of two who take it', async () => {
    await using workspace = tempWorkspace();
    await using asking = openRows(workspace);
    await asking.open(REQUEST, WORKSPACE, LATER);
    await asking.answer('apr_1', { answer: 'edit', args: { path: 'b.txt' } });
    await using first = openRows(workspace);
    await using second = openRows(workspace);
    const taken = await Promise.all([first, second].map((rows) => rows.take(HASH, WORKSPACE, SESSION)));
    expect(taken.filter((answer) => answer !== undefined)).toEqual([
      { answer: 'edit', args: { path: 'b.txt' } },
    ]);
  });

  it('takes the first answer and refuses every other', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await using others = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    expect(await rows.answer('apr_1', { answer: 'deny', reason: 'Not today.' })).toBe(true);
    expect(await others.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await rows.pending()).toEqual([]);
    expect(await others.take(HASH, WORKSPACE, SESSION)).toEqual({ answer: 'deny', reason: 'Not today.' });
    expect(await others.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toBeUndefined();
  });

  it('refuses answers to a question that was never asked', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    for (const id of ['apr_2', '', '%', 'APR_1'])
      expect(await rows.answer(id, { answer: 'once' })).toBe(false);
    expect(await rows.pending()).toHaveLength(1);
  });

  it('asks anew once an answer was used', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.answer('apr_1', { answer: 'once' });
    await rows.take(HASH, WORKSPACE, SESSION);
    expect(await rows.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, LATER)).toBe('apr_2');
    expect(await rows.take(HASH, WORKSPACE, SESSION)).toBeUndefined();
  });

  it('closes a question at its time: not open, not to be answered, its answer not to be taken', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.open({ ...REQUEST, id: 'apr_2', session: 'ses_2' }, WORKSPACE, LATER);
    await rows.answer('apr_2', { answer: 'once' });
    await using lastMoment = openRows(workspace, LATER - 1);
    expect(await lastMoment.pending()).toHaveLength(1);
    await using tooLate = openRows(workspace, LATER);
    expect(await tooLate.pending()).toEqual([]);
    expect(await tooLate.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await tooLate.take(HASH, WORKSPACE, 'ses_2')).toBeUndefined();
    expect(await tooLate.open({ ...REQUEST, id: 'apr_3' }, WORKSPACE, LATER + 1)).toBe('apr_3');
  });

  it('expires an open question, and leaves one that was answered alone', async () => {
    await using workspace = tempWorkspace();
    await using rows = openRows(workspace);
    await rows.open(REQUEST, WORKSPACE, LATER);
    await rows.open({ ...REQUEST, id: 'apr_2', session: 'ses_2' }, WORKSPACE, LATER);
    await rows.answer('apr_2', { answer: 'once' });
    await rows.expire('apr_1');
    await rows.expire('apr_2');
    expect(await rows.find('apr_1')).toMatchObject({ state: 'expired', request: '{}' });
    expect(await rows.answer('apr_1', { answer: 'once' })).toBe(false);
    expect(await rows.take(HASH, WORKSPACE, 'ses_2')).toEqual({ answer: 'once' });
  });

  it('lists the open questions of all workspaces or of one, oldest first', async () => {
    await using workspace = tempWorkspace();
    await using later = openRows(workspace, NOW + 1);
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
    await using month = openRows(workspace, NOW + 30 * DAY_MS);
    await month.open({ ...REQUEST, id: 'apr_2' }, WORKSPACE, NOW + 31 * DAY_MS);
    expect(await month.find('apr_1')).toMatchObject({ id: 'apr_1' });
    await using later = openRows(workspace, NOW + 30 * DAY_MS + 1);
    await later.open({ ...REQUEST, id: 'apr_3', session: 'ses_3' }, WORKSPACE, NOW + 31 * DAY_MS);
    expect(await later.find('apr_1')).toBeUndefined();
    expect(await later.find('apr_2')).toMatchObject({ id: 'apr_2' });
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

/** The questions as they are at a moment. */
function openRows(workspace: TempWorkspace, now = NOW): ApprovalRows & AsyncDisposable {
  const store = openStore(storeOf(workspace));
  return {
    ...approvalRows(store.database, { now: () => now, monotonic: () => 0 }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function ownersIn(database: Database): Promise<number> {
  return (await database.selectFrom('approvers').select('owner').execute()).length;
}
