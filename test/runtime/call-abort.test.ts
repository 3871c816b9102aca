/** Calls that are cancelled: before they start, while a human is asked, while they run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallResponse, defineDialect, defineOperation, defineTool } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const CANCELLED = {
  outcome: 'cancelled',
  reply: { ok: false, error: 'The call was cancelled.', code: 'E_CANCELLED' },
  result: { ok: false, payload: null, error: { code: 'E_CANCELLED', message: 'The call was cancelled.' } },
};

function outcomesOf({ locations }: TempWorkspace): unknown[] {
  const folder = join(locations.state, 'audit');
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((text) => JSON.parse(text) as { event: string; outcome?: string })
    .map(({ event, outcome }) => outcome ?? event);
}

describe('a signal', () => {
  it.each(['write', 'read', 'delete'])(
    'that fired before stops %s: nobody is asked, nothing happens',
    async (tool) => {
      await using workspace = tempWorkspace({ 'a.txt': 'before' });
      const approve = approver('once');
      const runtime = await workspace.runtime({ approve });
      const args = tool === 'write' ? { path: 'a.txt', content: 'after' } : { path: 'a.txt' };
      expect(await runtime.call(tool, args, { signal: AbortSignal.abort() })).toMatchObject(CANCELLED);
      await runtime.flush();
      expect(outcomesOf(workspace)).toEqual(['opened', 'cancelled']);
      expect(approve.asked).toEqual([]);
      expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('before');
    },
  );

  it('that fired before comes before what the workspace has to say', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect(await runtime.call('delete', { path: 'gone' }, { signal: AbortSignal.abort() })).toMatchObject(
      CANCELLED,
    );
  });

  it('does not hide that the arguments are wrong', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const { result } = await runtime.call('read', {}, { signal: AbortSignal.abort() });
    expect(result.error?.code).toBe('E_INVALID_ARGS');
  });

  it('that fires while a human is asked takes the question back', async () => {
    await using workspace = tempWorkspace();
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const runtime = await workspace.runtime({
      approve: (_, signal) => {
        signals.push(signal);
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    });
    const response = await runtime.call(
      'write',
      { path: 'a.txt', content: '' },
      { signal: controller.signal },
    );
    expect(response).toMatchObject(CANCELLED);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('that fires with the yes still stops the operation', async () => {
    await using workspace = tempWorkspace();
    const controller = new AbortController();
    const runtime = await workspace.runtime({
      approve: async () => {
        controller.abort();
        return { answer: 'once' };
      },
    });
    const response = await runtime.call(
      'write',
      { path: 'a.txt', content: '' },
      { signal: controller.signal },
    );
    expect(response).toMatchObject(CANCELLED);
    await runtime.flush();
    expect(outcomesOf(workspace)).toEqual(['opened', 'cancelled']);
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('reaches an operation that runs', async () => {
    await using workspace = tempWorkspace();
    const controller = new AbortController();
    const runtime = await workspace.runtime({ dialects: [waiting()], dialect: 'waiting' });
    runtime.subscribe((event) => {
      if (event.type === 'output-added') controller.abort();
    });
    const response: CallResponse = await runtime.call('wait', {}, { signal: controller.signal });
    expect(response).toMatchObject({ outcome: 'cancelled', result: CANCELLED.result });
    await runtime.flush();
    expect(outcomesOf(workspace)).toEqual(['opened', 'cancelled']);
  });

  it('that fires afterwards changes nothing', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const controller = new AbortController();
    const runtime = await workspace.runtime();
    const response = await runtime.call('read', { path: 'a.txt' }, { signal: controller.signal });
    controller.abort();
    expect(response.outcome).toBe('ok');
    expect((await runtime.call('read', { path: 'a.txt' })).outcome).toBe('ok');
  });
});

/** One tool that says it started and then waits for its signal. */
function waiting() {
  const operation = defineOperation({
    name: 'waiting.wait',
    summary: 'Waits until it is cancelled.',
    input: z.strictObject({}),
    output: z.strictObject({}),
    permissions: [],
    effect: 'read',
    access: () => [],
    async run(_, context) {
      const { promise, reject } = Promise.withResolvers<never>();
      context.signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      context.addOutput('started');
      return promise;
    },
  });
  const wait = defineTool({
    name: 'wait',
    version: '1.0.0',
    description: 'Wait.',
    args: z.strictObject({}),
    returns: z.object({}),
    operation,
    toInput: () => ({}),
  });
  return defineDialect({
    name: 'waiting',
    paths: { absolute: 'refused' },
    tools: [wait],
    reply: ({ result }) => result,
  });
}
