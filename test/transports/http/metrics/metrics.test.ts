/** What a real Prometheus parser reads from a server that worked. */
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { leftOut } from '../../../host/local/fixtures/left-out.ts';
import { AS, type Serving, serving } from '../serving.ts';

/** The system's own: that is where packages put it. */
const PYTHON = '/usr/bin/python3';
const PARSE = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
json.dump([{"name": f.name, "type": f.type, "samples": [[s.name, s.labels, s.value] for s in f.samples]} for f in families], sys.stdout)
`;
const missing =
  spawnSync(PYTHON, ['-c', 'import prometheus_client.parser']).status === 0
    ? undefined
    : leftOut('python3-prometheus-client is not installed: run `node scripts/test.js` as root');

interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly (readonly [name: string, labels: Record<string, string>, value: number])[];
}

async function scrape(from: Serving): Promise<Map<string, Family>> {
  const { status, headers, body } = await from.send('/metrics', { headers: AS.agent });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const { stdout, stderr } = spawnSync(PYTHON, ['-c', PARSE], { input: body, encoding: 'utf8' });
  expect(stderr).toBe('');
  return new Map((JSON.parse(stdout) as Family[]).map((family) => [family.name, family]));
}

/** The value of the one sample with exactly these labels. */
function valueOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name.replace(/_(total|count|bucket|sum)$/, '')) ?? families.get(name);
  const isMeant = ([sample, given]: Family['samples'][number]): boolean =>
    sample === name && isDeepStrictEqual(given, labels);
  const found = family?.samples.filter(isMeant) ?? [];
  expect({ name, labels, found: found.length }).toEqual({ name, labels, found: 1 });
  return found[0]![2];
}

const server = await serving();
afterAll(async () => server[Symbol.asyncDispose]());

describe.skipIf(missing !== undefined)('/metrics', () => {
  it('counts calls by dialect, tool, outcome and decision; tools that are not known are one', async () => {
    const { runtime } = server;
    await runtime.call('read', { path: 'a.txt' });
    await runtime.call('read', { path: 'a.txt' });
    await runtime.call('read', { path: 'nothing.txt' });
    await runtime.call('delete', { path: '.ssh/key' });
    for (let made = 0; made < 20; made++) await runtime.call(`made-up-${made}`, {});
    const families = await scrape(server);
    const dialect = 'handrail';
    const calls = (tool: string, outcome: string, decision: string): number =>
      valueOf(families, 'handrail_calls_total', { dialect, tool, outcome, decision });
    expect(calls('read', 'ok', 'allow')).toBe(2);
    expect(calls('read', 'failed', 'allow')).toBe(1);
    expect(calls('delete', 'denied', 'deny')).toBe(1);
    expect(calls('unknown', 'failed', 'none')).toBe(20);
    expect(families.get('handrail_calls')).toMatchObject({ type: 'counter', samples: { length: 4 } });
    expect(families.get('handrail_call_duration_seconds')?.type).toBe('histogram');
    const read = { dialect, tool: 'read' };
    expect(valueOf(families, 'handrail_call_duration_seconds_count', read)).toBe(3);
    expect(valueOf(families, 'handrail_call_duration_seconds_bucket', { ...read, le: '+Inf' })).toBe(3);
  });

  it('counts what was asked, how it was answered, and what is open', async () => {
    const { question, call } = await server.askedWrite();
    expect(valueOf(await scrape(server), 'handrail_approvals_open')).toBe(1);
    await server.questions.answer(question.id, { answer: 'once' });
    await call;
    const { question: other, call: refused } = await server.askedWrite();
    await server.questions.answer(other.id, { answer: 'deny' });
    await refused;
    const families = await scrape(server);
    const answered = (answer: string): number =>
      valueOf(families, 'handrail_approvals_answered_total', { kind: 'approval', answer });
    expect(valueOf(families, 'handrail_approvals_asked_total', { kind: 'approval' })).toBe(2);
    expect([answered('once'), answered('deny')]).toEqual([1, 1]);
    expect(valueOf(families, 'handrail_approvals_open')).toBe(0);
  });

  it('counts requests by the pattern of their route, refusals too; paths that fit none are one', async () => {
    await server.send('/api/calls/one', { headers: AS.agent });
    await server.send('/api/calls/two', { headers: AS.agent });
    await server.send('/api/calls/two');
    await server.send('/healthz');
    await server.send('/made-up', { headers: AS.agent });
    await server.send('/also-made-up', { headers: AS.agent });
    const families = await scrape(server);
    const requests = (route: string, status: string): number =>
      valueOf(families, 'handrail_http_requests_total', { method: 'GET', route, status });
    expect(requests('/api/calls/:id', '404')).toBe(2);
    expect(requests('/api/calls/:id', '401')).toBe(1);
    expect(requests('/healthz', '200')).toBe(1);
    expect(requests('none', '404')).toBe(2);
  });

  it('tells how the process does, and what is looked at', async () => {
    await scrape(server);
    const families = await scrape(server);
    expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(families, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(valueOf(families, 'handrail_event_loop_lag_seconds', { quantile: '0.99' })).toBeGreaterThanOrEqual(
      0,
    );
    expect(valueOf(families, 'handrail_background_processes')).toBe(0);
    expect(valueOf(families, 'handrail_sessions_open', { transport: 'mcp' })).toBe(0);
    expect(valueOf(families, 'handrail_websocket_connections')).toBe(0);
    expect(valueOf(families, 'handrail_websocket_kept_characters')).toBe(0);
    expect(valueOf(families, 'handrail_event_readers')).toBe(0);
  });

  it('is of one server, though others run in the same process', async () => {
    await using other = await serving();
    await other.runtime.call('list', { path: '.' });
    const families = await scrape(other);
    expect(families.get('handrail_calls')?.samples).toHaveLength(1);
    expect((await scrape(server)).get('handrail_calls')?.samples.map(([, { tool }]) => tool)).not.toContain(
      'list',
    );
  });

  it('is for who has the token', async () => {
    expect((await server.send('/metrics')).status).toBe(401);
  });
});
