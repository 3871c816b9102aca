/** What a caller may bring to one call alone. */
import { describe, expect, it } from 'vitest';
import type { RuntimeEvent } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };

describe('runtime.call', () => {
  it("asks the call's own approver in place of the runtime's", async () => {
    await using workspace = tempWorkspace();
    const usual = approver('deny');
    const own = approver('once');
    const runtime = await workspace.runtime({ approve: usual });
    expect(await runtime.call('write', WRITE, { approve: own })).toMatchObject({ outcome: 'ok' });
    expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'denied' });
    expect([own.asked.length, usual.asked.length]).toEqual([1, 1]);
  });

  it('tells a listener about its own call, and no other', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    const heard: RuntimeEvent[] = [];
    const [{ callId }] = await Promise.all([
      runtime.call('write', WRITE, { listener: (event) => heard.push(event) }),
      runtime.call('list', {}),
    ]);
    expect(heard.map(({ type }) => type)).toEqual([
      'call-started',
      'approval-requested',
      'approval-answered',
      'call-ended',
    ]);
    expect(new Set(heard.map((event) => 'callId' in event && event.callId))).toEqual(new Set([callId]));
  });

  it("gives the tool's own result beside the dialect's reply", async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'text\n' });
    const runtime = await workspace.runtime({ dialect: 'tenas' });
    const rendered = { path: 'a.txt', bytes: 5, content: 'text\n' };
    expect(await runtime.call('file-read', { path: 'a.txt' })).toMatchObject({
      rendered,
      reply: { ok: true, data: rendered },
    });
    expect(await runtime.call('file-read', { path: 'none.txt' })).not.toHaveProperty('rendered');
  });
});

describe('the mode of a session', () => {
  it.each([
    [{}, 'ask'],
    [{ usualMode: 'reversible' }, 'reversible'],
    [{ usualMode: 'reversible', mode: 'read-only' }, 'read-only'],
  ] as const)('with %j is %s', async (options, mode) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime(options);
    expect((await runtime.openSession()).mode).toBe(mode);
  });
});
