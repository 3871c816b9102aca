/** What agents show, in each dialect that can: told to who listens, kept for who looks from elsewhere, and never a failure. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { localProcessTable } from '../../../src/host/local/process-table.ts';
import type { RuntimeEvent } from '../../../src/index.ts';
import { beApprover, PAGE } from '../../../src/store/approvers.ts';
import { messageRows } from '../../../src/store/messages.ts';
import { openStore } from '../../../src/store/store.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

describe.each(['clude', 'handrail'])('display in %s', (dialect) => {
  it('is told to who listens, at level info where none is given', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    const heard: RuntimeEvent[] = [];
    runtime.subscribe((event) => heard.push(event));
    const session = await runtime.openSession();
    const { rendered, callId } = await runtime.call('display', { content: 'Half done.' }, { session });
    expect(rendered).toMatchObject({ displayed: true });
    expect(rendered).not.toHaveProperty('preview');
    expect(heard.filter(({ type }) => type === 'displayed')).toEqual([
      {
        type: 'displayed',
        callId,
        session: session.id,
        at: expect.any(Number),
        message: { content: 'Half done.', level: 'info' },
      },
    ]);
  });

  it.each(['info', 'success', 'warning', 'error', 'progress'])('takes the level %s', async (level) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    expect(await runtime.call('display', { content: 'x', level })).toMatchObject({ outcome: 'ok' });
  });

  it.each([
    ['another level', { content: 'x', level: 'loud' }],
    ['no content', { title: 'x' }],
    ['what it does not know', { content: 'x', colour: 'red' }],
  ])('refuses %s', async (_, args) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    expect(await runtime.call('display', args)).toMatchObject({
      outcome: 'failed',
      result: { error: { code: 'E_INVALID_ARGS' } },
    });
  });

  it('shows 10,000 characters, and says that it cut', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    const shown: string[] = [];
    runtime.subscribe((event) => event.type === 'displayed' && shown.push(event.message.content));
    const exactly = await runtime.call('display', { content: 'é'.repeat(10_000) });
    expect(exactly.rendered).not.toMatchObject({ truncated: true });
    const over = await runtime.call('display', { content: `${'é'.repeat(9_999)}🙂 and more` });
    expect(over.rendered).toMatchObject({ displayed: true, truncated: true });
    expect(shown).toEqual(['é'.repeat(10_000), 'é'.repeat(9_999)]);
  });

  it('gives back its first 200 characters where nobody sees it, and is no failure', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    const { outcome, rendered } = await runtime.call('display', { content: 'a'.repeat(300) });
    expect(outcome).toBe('ok');
    expect(rendered).toMatchObject({ displayed: false, preview: 'a'.repeat(200) });
  });

  it('needs no question, in no mode, and is audited without its secrets', async () => {
    await using workspace = tempWorkspace();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    for (const mode of ['read-only', 'ask', 'reversible', 'auto'] as const) {
      const runtime = await workspace.runtime({ dialect, mode });
      const heard: RuntimeEvent[] = [];
      runtime.subscribe((event) => heard.push(event));
      const { outcome } = await runtime.call('display', { content: `The token is ${token}.` });
      expect({ mode, outcome }).toEqual({ mode, outcome: 'ok' });
      expect(heard.map(({ type }) => type)).toEqual(['call-started', 'displayed', 'call-ended']);
      expect(JSON.stringify(heard)).not.toContain(token);
      expect(JSON.stringify(heard)).toContain('The token is');
    }
  });

  it('is kept for a page, and counts as seen while one is open', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    await using store = openStore(join(workspace.locations.state, 'handrail.sqlite'));
    const args = { content: 'One.', level: 'warning', title: 'First' };
    expect((await runtime.call('display', args)).rendered).toMatchObject({ displayed: false });
    await using _page = await beApprover(store.database, localClock, localProcessTable(), PAGE);
    expect((await runtime.call('display', { content: 'Two.' })).rendered).toMatchObject({ displayed: true });
    expect(await messageRows(store.database, localClock).list(workspace.root, 10)).toMatchObject([
      { message: { content: 'Two.', level: 'info' } },
      { message: args },
    ]);
  });
});

describe('display in clude', () => {
  it('says how long it was and at which level, and takes a thought with its evidence', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'clude' });
    const messages: unknown[] = [];
    runtime.subscribe((event) => event.type === 'displayed' && messages.push(event.message));
    const args = {
      title: 'Plan',
      level: 'progress',
      content: '第 3/10 个文件',
      thought: 'One way in first.',
      evidence: ['src/a.ts', 'src/b.ts'],
    };
    const { rendered } = await runtime.call('display', args);
    expect(rendered).toEqual({ displayed: true, length: 10, level: 'progress', truncated: false });
    expect(messages).toEqual([args]);
  });
});
