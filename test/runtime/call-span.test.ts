/** What an application that traces sees of calls, and what they go on with. */
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAudit } from '../../src/cli/open-audit.ts';
import type { Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { recordTraces, type Traces } from '../support/traces.ts';

const SECRET = 'what nobody but the file knows';
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

const workspace = tempWorkspace({ 'a.txt': `${SECRET}\n` });
const approve = approver('once');
const runtime: Runtime = await workspace.runtime({ approve });
afterAll(async () => workspace[Symbol.asyncDispose]());

/** The trace of a call, as the audit has it. */
async function auditedTrace(call: string): Promise<string | undefined> {
  await runtime.flush();
  await using audit = openAudit(workspace.locations);
  const [opened] = (await audit.reader.show(call)) ?? [];
  return opened?.event === 'opened' ? opened.trace_id : undefined;
}

describe('a call where nobody traces', () => {
  it('is in the trace of its caller by name', async () => {
    const given = { trace: { traceparent: TRACEPARENT } };
    const { callId, traceparent } = await runtime.call('read', { path: 'a.txt' }, given);
    expect(traceparent).toBe(TRACEPARENT);
    expect(await auditedTrace(callId)).toBe(CALLER.traceId);
  });

  it.each([
    '',
    'nonsense',
    `ff-${CALLER.traceId}-${CALLER.spanId}-01`,
    `00-${'0'.repeat(32)}-${CALLER.spanId}-01`,
  ])('ignores a trace that is none: %s', async (traceparent) => {
    const response = await runtime.call('read', { path: 'a.txt' }, { trace: { traceparent } });
    expect(response).toMatchObject({ outcome: 'ok' });
    expect(response).not.toHaveProperty('traceparent');
  });

  it('tells commands nothing', async () => {
    const { result } = await runtime.call(
      'bash',
      { command: 'echo "[$TRACEPARENT]"' },
      { trace: { traceparent: TRACEPARENT } },
    );
    expect(JSON.stringify(result.payload)).toContain('[]');
  });
});

describe('the span of a call', () => {
  let traces: Traces;
  beforeAll(() => void (traces = recordTraces()));
  afterAll(() => traces[Symbol.dispose]());

  it('says which tool it was and how it ended, and nothing of what it was about', async () => {
    const session = await runtime.openSession();
    await runtime.call('read', { path: 'a.txt' }, { session, id: 'mine' });
    const [span, ...others] = traces.take();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: 'execute_tool read',
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'read',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': 'mine',
        'handrail.dialect': 'handrail',
        'handrail.session': session.id,
        'handrail.outcome': 'ok',
        'handrail.decision': 'allow',
        'handrail.rule': expect.any(String),
      },
    });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toMatch(new RegExp(`${SECRET}|a\\.txt`));
  });

  it.each([
    ['a tool that is not there', 'raed', {}, 'failed', 'E_NO_TOOL'],
    ['a file that is not there', 'read', { path: 'b.txt' }, 'failed', 'E_NOT_FOUND'],
    ['a protected place', 'delete', { path: '.ssh' }, 'denied', 'E_POLICY_DENIED'],
  ])('says what kind of error %s was', async (_, tool, args, outcome, type) => {
    await runtime.call(tool, args);
    expect(traces.take()).toMatchObject([
      {
        name: `execute_tool ${tool}`,
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': type, 'handrail.outcome': outcome },
      },
    ]);
  });

  it('is below the span that the caller names; the audit has its trace, the answer has the span', async () => {
    const { callId, traceparent } = await runtime.call(
      'read',
      { path: 'a.txt' },
      { trace: { traceparent: TRACEPARENT, tracestate: 'vendor=1' } },
    );
    const [span] = traces.take();
    expect(span?.parentSpanContext).toMatchObject({ ...CALLER, isRemote: true });
    expect(span?.spanContext().traceState?.serialize()).toBe('vendor=1');
    expect(traceparent).toBe(`00-${CALLER.traceId}-${span?.spanContext().spanId}-01`);
    expect(await auditedTrace(callId)).toBe(CALLER.traceId);
  });

  it('is below the span that is around it', async () => {
    const tracer = trace.getTracer('application');
    await tracer.startActiveSpan('work', async (around) => {
      await runtime.call('read', { path: 'a.txt' });
      around.end();
    });
    const [span, around] = traces.take();
    expect(span?.parentSpanContext?.spanId).toBe(around?.spanContext().spanId);
    expect(span?.spanContext().traceId).toBe(around?.spanContext().traceId);
  });

  it('has the wait for an approval as a part', async () => {
    await runtime.call('write', { path: 'new.txt', content: SECRET });
    const [waited, span] = traces.take();
    expect([waited?.name, span?.name]).toEqual(['wait_for_approval', 'execute_tool write']);
    expect(waited?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
    expect(JSON.stringify([span?.attributes, waited?.attributes])).not.toContain(SECRET);
  });

  it('is what a command is told', async () => {
    const { result } = await runtime.call('bash', { command: 'echo "[$TRACEPARENT]"' });
    const span = traces.take().find(({ name }) => name === 'execute_tool bash');
    const { traceId, spanId } = span!.spanContext();
    expect(JSON.stringify(result.payload)).toContain(`[00-${traceId}-${spanId}-01]`);
  });
});
