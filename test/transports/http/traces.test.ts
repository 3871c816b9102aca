/** The trace of a request goes on in the calls it makes. */
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { recordTraces } from '../../support/traces.ts';
import { beginSession, callOf, sendIn, statelessCall } from '../mcp/fixtures/raw-client.ts';
import { AS, serving } from './serving.ts';

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

describe('a call over the API', () => {
  it.each([
    ['/api/calls', { tool: 'read', args: { path: 'a.txt' } }],
    ['/api/calls/execute', { request: { tool_call_id: 'one', name: 'read', args: { path: 'a.txt' } } }],
  ])('of %s is below the span in its headers, and answers with its own', async (path, body) => {
    const headers = { ...AS.agent, traceparent: traceparentOf(CALLER), tracestate: 'vendor=1' };
    const { status, headers: received } = await server.post(path, headers, body);
    expect(status).toBe(200);
    const [span] = traces.take();
    expect(span?.parentSpanContext).toMatchObject(CALLER);
    expect(received['traceparent']).toBe(traceparentOf(span!.spanContext()));
  });
});

describe('a call over WebSocket', () => {
  it('is below the span that its message names', async () => {
    const socket = new WebSocket(new URL('/ws/traced', server.url.href.replace('http', 'ws')), {
      headers: AS.agent,
    });
    await once(socket, 'open');
    const call = { type: 'tool_call', call_id: 'c1', tool_name: 'read', args: { path: 'a.txt' } };
    socket.send(JSON.stringify({ ...call, traceparent: traceparentOf(CALLER) }));
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ type: 'tool_result', call_id: 'c1' });
    expect(callers()).toEqual([CALLER]);
    const metrics = await server.send('/metrics', { headers: AS.agent });
    expect(metrics.body).toContain('handrail_websocket_messages_total{direction="in"} 1\n');
    expect(metrics.body).toContain('handrail_websocket_messages_total{direction="out"} 1\n');
    expect(metrics.body).toContain('handrail_sessions_open{transport="websocket"} 1\n');
    socket.close();
    await once(socket, 'close');
  });
});
