/** The trace of a request goes on in the calls it makes. */
import { afterAll, describe, expect, it } from 'vitest';
import { recordTraces } from '../../support/traces.ts';
import { beginSession, callOf, sendIn, statelessCall } from '../mcp/fixtures/raw-client.ts';
import { serving } from './serving.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const OTHER = { traceId: '1bf7651916cd43dd8448eb211c80319c', spanId: 'c7ad6b7169203331' };
const traceparentOf = ({ traceId, spanId }: typeof CALLER): string => `00-${traceId}-${spanId}-01`;

const traces = recordTraces();
const server = await serving();
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  traces[Symbol.dispose]();
});

/** The callers of the calls that ended since the last look. */
function callers(): unknown[] {
  return traces
    .take()
    .filter(({ name }) => name === 'execute_tool read')
    .map(({ parentSpanContext }) => parentSpanContext && pick(parentSpanContext));
}

function pick({ traceId, spanId }: typeof CALLER): typeof CALLER {
  return { traceId, spanId };
}

describe('a call over MCP', () => {
  it('is below the span in `_meta`', async () => {
    const { method, params } = callOf('read', { path: 'a.txt' }) as { method: string; params: object };
    const _meta = { traceparent: traceparentOf(CALLER) };
    await sendIn(server, await beginSession(server), { method, params: { ...params, _meta } });
    expect(callers()).toEqual([CALLER]);
  });

  it('is below the span in the headers, where `_meta` names none', async () => {
    const { headers, body } = statelessCall('read', { path: 'a.txt' });
    const traced = { ...headers, traceparent: traceparentOf(OTHER) };
    await server.send('/mcp', { method: 'POST', headers: traced, body });
    expect(callers()).toEqual([OTHER]);
    const { params, ...message } = JSON.parse(body);
    params._meta.traceparent = traceparentOf(CALLER);
    await server.send('/mcp', {
      method: 'POST',
      headers: traced,
      body: JSON.stringify({ ...message, params }),
    });
    expect(callers()).toEqual([CALLER]);
  });
});
