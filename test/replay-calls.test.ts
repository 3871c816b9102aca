/** A history that is decided anew: nothing differs but what the policy says otherwise now. */
import { describe, expect, it } from 'vitest';
import type { Approver, Runtime } from '../src/index.ts';
import type { Replayed } from '../src/journal/replay.ts';
import { replayCalls, type ReplayOptions } from '../src/replay-calls.ts';
import { openAudit } from './journal/fixtures/open-audit.ts';
import { approver } from './support/approver.ts';
import { type TempWorkspace, tempWorkspace } from './support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };
const READ = { name: 'read', args: { path: 'a.txt' } };

describe('replayCalls', () => {
  it('finds no difference in what humans granted for a session', async () => {
    await using workspace = tempWorkspace({ 'b.txt': '' });
    const runtime = await workspace.runtime({ approve: approver('session') });
    await runtime.call('write', WRITE);
    await runtime.call('write', WRITE);
    await runtime.call('move', { from: 'a.txt', to: 'c.txt' });
    await runtime.call('move', { from: 'b.txt', to: 'd.txt' });
    await runtime.call('write', WRITE, { session: await runtime.openSession() });
    expect(await replayed(workspace, runtime)).toEqual({ calls: 5, differences: [] });
  });

  it('finds no difference in what callers chose for themselves', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    await runtime.execute({ tool_call_id: '1', ...READ, requires_approval: true });
    await runtime.execute({ tool_call_id: '2', ...READ, requested_permissions: [] });
    await runtime.execute({ tool_call_id: '3', ...READ, requested_permissions: ['fs.read', 'fs.read'] });
    for (const mode of ['read-only', 'reversible', 'auto'] as const)
      await runtime.call('write', WRITE, { session: await runtime.openSession({ mode }) });
    await runtime.call('write@1.0.0', WRITE);
    expect(await replayed(workspace, runtime)).toEqual({ calls: 7, differences: [] });
  });

  it('finds no difference in commands that passed because undo takes them back', async () => {
    await using workspace = tempWorkspace();
    const environment = { PATH: process.env['PATH'] };
    const runtime = await workspace.runtime({ approve: approver('once'), environment });
    const session = await runtime.openSession({ mode: 'reversible' });
    for (const args of [{ command: 'touch a' }, { command: 'touch b', network: ['example.org'] }])
      await runtime.call('bash', args, { session });
    expect(await replayed(workspace, runtime)).toEqual({ calls: 2, differences: [] });
  });

  it('finds no difference in a call whose arguments a human changed', async () => {
    await using workspace = tempWorkspace();
    const approve: Approver = async () => ({ answer: 'edit', args: { ...WRITE, path: 'b.txt' } });
    const runtime = await workspace.runtime({ approve });
    await runtime.call('write', WRITE);
    expect(await replayed(workspace, runtime)).toEqual({ calls: 1, differences: [] });
  });

  it('takes the mode of today for calls whose mode nobody chose', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    await runtime.call('write', WRITE);
    await runtime.call('write', WRITE, { session: await runtime.openSession({ mode: 'ask' }) });
    const today = await workspace.runtime({ mode: 'auto' });
    expect((await replayed(workspace, today)).differences).toMatchObject([
      { before: 'ask', after: 'allow', rule: 'mode:auto' },
    ]);
    expect((await replayed(workspace, today, { mode: 'read-only' })).differences).toMatchObject([
      { after: 'deny' },
      { after: 'deny' },
    ]);
  });

  it('says what a grant does not hold against any more', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('session') });
    for (const _call of [1, 2]) await runtime.call('write', WRITE);
    const today = await workspace.runtime({ rules: [{ action: 'deny', permission: 'fs.write' }] });
    expect((await replayed(workspace, today)).differences).toMatchObject([
      { before: 'ask', after: 'deny', rule: 'user#1' },
      { before: 'allow', after: 'deny', rule: 'user#1' },
    ]);
  });

  it('says what more rules would let pass, and of the newest calls alone where that is asked', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    for (const path of ['a.txt', 'b.txt', 'a.txt']) await runtime.call('write', { ...WRITE, path });
    await runtime.flush();
    const rules = [{ action: 'allow', permission: 'fs.write', path: '/a.txt' }] as const;
    const pass = { before: 'ask', after: 'allow', rule: 'user#1' };
    expect(await replayed(workspace, runtime, { rules })).toMatchObject({
      calls: 3,
      differences: [pass, pass],
    });
    expect(await replayed(workspace, runtime, { rules }, 2)).toMatchObject({ calls: 2, differences: [pass] });
  });
});

/** Replays what was done in the workspace under the policy of a runtime. */
async function replayed(
  { root, locations }: TempWorkspace,
  today: Runtime,
  options?: ReplayOptions,
  newest?: number,
): Promise<Replayed> {
  await using audit = openAudit(locations);
  return await replayCalls(today, audit.closed(root, newest), options);
}
