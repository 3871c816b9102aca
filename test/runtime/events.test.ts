/** What listeners are told, and in which order. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineDialect, defineOperation, defineTool, type RuntimeEvent } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const operation = defineOperation({
  name: 'telling.tell',
  summary: 'Tells two things while it runs.',
  input: z.strictObject({}),
  output: z.strictObject({ told: z.int() }),
  permissions: ['state.write'],
  effect: 'state',
  access: () => [{ permission: 'state.write', resource: 'here' }],
  async run(_, context) {
    context.addOutput('one');
    context.addOutput('password = "correct horse battery"');
    return { told: 2 };
  },
});

const telling = defineDialect({
  name: 'telling',
  paths: { absolute: 'refused' },
  tools: [
    defineTool({
      name: 'tell',
      version: '1.0.0',
      description: 'Tell.',
      args: z.strictObject({}),
      returns: z.object({ told: z.int() }),
      operation,
      toInput: () => ({}),
    }),
  ],
  reply: ({ result }) => result,
});

describe('subscribe', () => {
  it('tells everything about a call in the order it happens', async () => {
    await using workspace = tempWorkspace();
    const approve = approver('session');
    const runtime = await workspace.runtime({ dialects: [telling], dialect: 'telling', approve });
    const events: RuntimeEvent[] = [];
    runtime.subscribe((event) => events.push(event));
    const { callId, result } = await runtime.call('tell', {});
    const [request] = approve.asked;
    const about = { callId, session: request?.session, at: expect.any(Number) as number };
    expect(events).toEqual([
      { ...about, type: 'call-started', dialect: 'telling', tool: 'tell', args: {} },
      { ...about, type: 'approval-requested', request },
      { ...about, type: 'approval-answered', approval: request?.id, answer: 'session' },
      { ...about, type: 'output-added', text: 'one' },
      { ...about, type: 'output-added', text: 'password = "[redacted]"' },
      {
        ...about,
        type: 'call-ended',
        dialect: 'telling',
        tool: 'tell',
        outcome: 'ok',
        decision: 'ask',
        result,
      },
    ]);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((one, other) => one - other));
  });

  it.each([
    ['an unknown tool', 'raed', {}, ['call-started', 'call-ended'], 'failed'],
    ['wrong arguments', 'write', {}, ['call-started', 'call-ended'], 'failed'],
    ['a protected place', 'delete', { path: '.ssh' }, ['call-started', 'call-ended'], 'denied'],
    [
      'a no',
      'write',
      { path: 'a', content: '' },
      ['call-started', 'approval-requested', 'call-ended'],
      'denied',
    ],
  ])('tells how a call with %s ends', async (_, tool, args, types, outcome) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('deny') });
    const events: RuntimeEvent[] = [];
    runtime.subscribe((event) => events.push(event));
    await runtime.call(tool, args);
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events.at(-1)).toMatchObject({ type: 'call-ended', outcome, result: { ok: false } });
  });

  it('tells every listener, and none that left', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const heard = { first: 0, second: 0 };
    const leave = runtime.subscribe(() => heard.first++);
    runtime.subscribe(() => heard.second++);
    await runtime.call('list', {});
    leave();
    await runtime.call('list', {});
    expect(heard).toEqual({ first: 2, second: 4 });
  });

  it('tells who observes the process, who is nobody that something is shown to', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const heard: string[] = [];
    runtime.observe(({ type }, root) => heard.push(`${type} ${root === workspace.root}`));
    const { rendered } = await runtime.call('display', { content: 'Look' });
    expect(rendered).toMatchObject({ displayed: false });
    expect(heard).toEqual(['call-started true', 'displayed true', 'call-ended true']);
  });

  it('shows no secrets of the arguments', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const events: RuntimeEvent[] = [];
    runtime.subscribe((event) => events.push(event));
    await runtime.call('write', { path: 'a', content: '', password: 'correct horse battery' });
    expect(JSON.stringify(events)).not.toContain('correct horse');
    expect(events[0]).toMatchObject({ args: { path: 'a', password: '[redacted]' } });
  });
});
