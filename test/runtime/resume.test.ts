/** Calls that come again after a lost connection: the same answer, and nothing runs twice. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { tool_call_id: 'c1', name: 'write', args: { path: 'a.txt', content: 'one' } };
const CONFLICT = {
  ok: false,
  error: 'The call id "c1" was used for another call in this session. Give every call an id of its own.',
  code: 'E_CONFLICT',
};

describe('execute with resume', () => {
  it('gives the recorded answer again and runs nothing', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    const first = await runtime.execute(WRITE, { resume: true });
    writeFileSync(join(workspace.root, 'a.txt'), 'changed since');
    expect(await runtime.execute(structuredClone(WRITE), { resume: true })).toEqual(first);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('changed since');
    expect(approve.asked.length).toBe(1);
  });

  it('lets a repetition wait for a call that still runs', async () => {
    await using workspace = tempWorkspace();
    const answer = Promise.withResolvers<{ answer: 'once' }>();
    const asked: unknown[] = [];
    const runtime = await workspace.runtime({
      approve: (request) => {
        asked.push(request);
        return answer.promise;
      },
    });
    const calls = [runtime.execute(WRITE, { resume: true }), runtime.execute(WRITE, { resume: true })];
    answer.resolve({ answer: 'once' });
    const [first, second] = await Promise.all(calls);
    expect(second).toEqual(first);
    expect(asked.length).toBe(1);
  });

  it.each([
    ['arguments', { args: { path: 'a.txt', content: 'two' } }],
    ['tool', { name: 'read', args: { path: 'a.txt' } }],
    ['version', { version: '1.0.0' }],
    ['permissions', { requested_permissions: ['fs.read', 'fs.write'] }],
  ])('takes the same id with another %s for a conflict, audited and without effect', async (_, change) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    await runtime.execute(WRITE, { resume: true });
    const other = await runtime.execute({ ...WRITE, ...change }, { resume: true });
    expect({ reply: other.reply, outcome: other.outcome }).toEqual({ reply: CONFLICT, outcome: 'failed' });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one');
    await runtime.flush();
    const folder = join(workspace.locations.state, 'audit');
    const audit = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(audit.join('')).toContain('"code":"E_CONFLICT"');
    expect((await runtime.execute(WRITE, { resume: true })).outcome).toBe('ok');
  });

  it('repeats a denial and a failure too', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('deny');
    const runtime = await workspace.runtime({ approve });
    const denied = await runtime.execute(WRITE, { resume: true });
    const failed = await runtime.execute({ ...WRITE, tool_call_id: 'c2', args: {} }, { resume: true });
    expect(await runtime.execute(WRITE, { resume: true })).toEqual(denied);
    expect(await runtime.execute({ ...WRITE, tool_call_id: 'c2', args: {} }, { resume: true })).toEqual(
      failed,
    );
    expect([denied.outcome, failed.outcome, approve.asked.length]).toEqual(['denied', 'failed', 1]);
  });

  it('keeps the ids of sessions apart', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    for (const session of [await runtime.openSession(), await runtime.openSession()]) {
      expect((await runtime.execute(WRITE, { resume: true, session })).outcome).toBe('ok');
    }
    expect(approve.asked.length).toBe(2);
  });

  it('remembers over a restart, in a session of the same id', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const before = await workspace.runtime({ approve });
    const first = await before.execute(WRITE, {
      resume: true,
      session: await before.openSession({ id: 'ses_kept' }),
    });
    await before.flush();
    const after = await workspace.runtime({ approve });
    const session = await after.openSession({ id: 'ses_kept' });
    const other = { ...WRITE, args: { path: 'a.txt', content: 'two' } };
    expect((await after.execute(other, { resume: true, session })).reply).toEqual(CONFLICT);
    expect(await after.execute(WRITE, { resume: true, session })).toEqual(first);
    expect(approve.asked.length).toBe(1);
  });

  it('does not write an answer with a secret down, and then says so instead of running again', async () => {
    await using workspace = tempWorkspace({ 'a.txt': `remote ghp_${'a1B2'.repeat(9)}\n` });
    const read = { tool_call_id: 'c1', name: 'read', args: { path: 'a.txt' } };
    const before = await workspace.runtime();
    const session = await before.openSession({ id: 'ses_kept' });
    const first = await before.execute(read, { resume: true, session });
    expect(await before.execute(read, { resume: true, session })).toEqual(first);
    const after = await workspace.runtime();
    const again = await after.execute(read, {
      resume: true,
      session: await after.openSession({ id: 'ses_kept' }),
    });
    expect(again.reply).toEqual({
      ok: false,
      error:
        'The call "c1" has run, but its answer is no longer held. It is not run a second time. Look at what it did, and use a new id to call again.',
      code: 'E_CONFLICT',
    });
  });

  it.each([
    ['nested too deeply', (): unknown => deeplyNested()],
    ['cyclic', (): unknown => cyclic()],
    ['no JSON', (): unknown => 1n],
  ])('refuses arguments that are %s without throwing', async (_, make) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const request = { tool_call_id: 'c1', name: 'read', args: { path: make() } };
    const { outcome, result } = await runtime.execute(request, { resume: true });
    expect({ outcome, code: result.error?.code }).toEqual({ outcome: 'failed', code: 'E_INVALID_ARGS' });
  });
});

function deeplyNested(): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < 100_000; level++) value = [value];
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

describe('execute without resume', () => {
  it('runs a repeated id again, since some models repeat theirs', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    await runtime.execute(WRITE);
    const second = await runtime.execute({ ...WRITE, args: { path: 'a.txt', content: 'two' } });
    expect(second.outcome).toBe('ok');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('two');
    expect(approve.asked.length).toBe(2);
  });
});
