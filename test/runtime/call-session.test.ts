/** What an answer reaches: this call, or later calls of the same tool and place in the session. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closedRecords } from '../security/evidence.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('an approval', () => {
  it('for once is asked for again', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('once');
    const runtime = await workspace.runtime({ approve });
    await runtime.call('write', { path: 'a.txt', content: '1' });
    await runtime.call('write', { path: 'a.txt', content: '1' });
    expect(approve.asked.length).toBe(2);
    const [first, second] = approve.asked;
    expect(first?.id).not.toBe(second?.id);
  });

  it('for the session covers later calls of the same tool and path, with any content', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    const outcomes = [];
    for (const content of ['1', '2', '3']) {
      outcomes.push((await runtime.call('write', { path: 'a.txt', content })).outcome);
    }
    expect(outcomes).toEqual(['ok', 'ok', 'ok']);
    expect(approve.asked.length).toBe(1);
  });

  it('for the session covers the place, however it is written', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    symlinkSync('a.txt', join(workspace.root, 'link.txt'));
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    for (const path of ['a.txt', './a.txt', join(workspace.root, 'a.txt'), 'link.txt']) {
      expect((await runtime.call('write', { path, content: path })).outcome).toBe('ok');
    }
    expect(approve.asked.length).toBe(1);
  });

  it('for the session covers no other path, no other tool and no other session', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    const session = await runtime.openSession();
    await runtime.call('write', { path: 'a.txt', content: '' }, { session });
    await runtime.call('write', { path: 'b.txt', content: '' }, { session });
    await runtime.call('write', { path: 'a.txt/../a.txt.old', content: '' }, { session });
    await runtime.call('write', { path: 'a.txt', content: '' }, { session: await runtime.openSession() });
    await runtime.call('delete', { path: 'a.txt' }, { session });
    expect(approve.asked.map(({ tool, accesses }) => [tool, accesses.at(-1)?.resolved])).toEqual([
      ['write', 'a.txt'],
      ['write', 'b.txt'],
      ['write', 'a.txt.old'],
      ['write', 'a.txt'],
      ['delete', 'a.txt'],
    ]);
  });

  it('for the session does not outlive a link that leads elsewhere later', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '', 'b.txt': '' });
    const link = join(workspace.root, 'link.txt');
    symlinkSync('a.txt', link);
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    await runtime.call('write', { path: 'link.txt', content: '1' });
    await runtime.call('delete', { path: 'link.txt' });
    symlinkSync('b.txt', link);
    await runtime.call('write', { path: 'link.txt', content: '2' });
    expect(approve.asked.map(({ tool, accesses }) => [tool, accesses.at(-1)?.resolved])).toEqual([
      ['write', 'a.txt'],
      ['delete', 'link.txt'],
      ['write', 'b.txt'],
    ]);
  });

  it('for the session is for once where the caller asked to be asked', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    const approve = approver('session');
    const runtime = await workspace.runtime({ approve });
    const session = await runtime.openSession();
    const request = { tool_call_id: 'c', name: 'read', args: { path: 'a.txt' }, requires_approval: true };
    await runtime.execute(request, { session });
    await runtime.execute(request, { session });
    expect(session.grants).toEqual([]);
    expect(approve.asked.map(({ scope, rule }) => ({ scope, rule }))).toEqual(
      Array.from({ length: 2 }, () => ({ scope: 'single_action', rule: 'request:requires-approval' })),
    );
  });

  it('does not open what a rule denies', async () => {
    await using workspace = tempWorkspace();
    const rules = [{ action: 'deny', permission: 'fs.write', path: 'a.txt' }] as const;
    const runtime = await workspace.runtime({ approve: approver('session'), rules });
    const session = await runtime.openSession();
    session.grants.push({ tool: 'write', permission: 'fs.write', resolved: 'a.txt' });
    const { outcome } = await runtime.call('write', { path: 'a.txt', content: '' }, { session });
    expect(outcome).toBe('denied');
  });
});

describe('a session', () => {
  it('has its own dialect and its own mode', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    const session = await runtime.openSession({ dialect: 'codelab@1.0', mode: 'read-only' });
    const call = (name: string, args: unknown): Promise<{ reply: unknown }> =>
      runtime.execute({ tool_call_id: 'c', name, args }, { session });
    expect((await call('read_file', { path: 'a.txt' })).reply).toEqual({
      type: 'tool_result',
      call_id: 'c',
      result: { content: 'x', encoding: 'utf-8', lines_read: 1 },
    });
    expect((await call('write_file', { path: 'a.txt', content: 'y' })).reply).toEqual({
      type: 'tool_result',
      call_id: 'c',
      error: {
        code: 'PERMISSION_DENIED',
        message: 'Mode read-only does not permit fs.write.',
        details: { rule: 'mode:read-only' },
      },
    });
    expect((await call('delete_file', { path: 'a.txt' })).reply).toMatchObject({
      error: { code: 'TOOL_NOT_FOUND' },
    });
  });

  it('is refused a dialect that does not exist, with the nearest ones', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await expect(runtime.openSession({ dialect: 'codre' })).rejects.toMatchObject({
      code: 'E_INVALID_ARGS',
      message: 'There is no dialect "codre".',
      hint: 'Did you mean coder?',
    });
    await expect(workspace.runtime({ dialect: '__proto__' })).rejects.toMatchObject({
      code: 'E_INVALID_ARGS',
    });
  });
});

describe('a session', () => {
  it('whose id looks like a token is masked in the audit, and not taken for another one', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const ids = ['a', 'b', 'a'].map((letter) => `ghp_${letter.repeat(36)}`);
    for (const id of ids) await runtime.call('list', {}, { session: await runtime.openSession({ id }) });
    await runtime.flush();
    const sessions = closedRecords(workspace.locations.state).map(({ session }) => session);
    expect(sessions.filter((session) => ids.some((id) => session.includes(id)))).toEqual([]);
    expect(sessions[0]).toBe(sessions[2]);
    expect(sessions[0]).not.toBe(sessions[1]);
  });
});
