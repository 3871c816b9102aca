/** The audit over the API: for people, and never for an agent without the approval key. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { shared } from '../../../support/shared.ts';
import { AS, type Serving, serving } from '../serving.ts';

let server: Serving;
let client: Client;

shared(async (stack) => {
  server = stack.use(await serving());
  client = server.person;
  const session = await server.runtime.openSession({ id: 'ses_known' });
  await server.runtime.call('read', { path: 'a.txt' }, { session });
  await server.runtime.call('read', { path: 'missing_100%.txt' });
  await server.runtime.call('nothing', {});
  await server.runtime.flush();
});

describe('listCalls', () => {
  it('goes through all calls page by page, newest first', async () => {
    const names: string[] = [];
    let before: string | undefined;
    do {
      const { calls, next } = await client.listCalls({ limit: 1, before });
      names.push(...calls.map(({ tool, outcome }) => `${tool} ${outcome}`));
      before = next ?? undefined;
    } while (before !== undefined);
    expect(names).toEqual(['nothing failed', 'read failed', 'read ok']);
  });

  it.each([
    [{ tool: 'nothing' }, 1],
    [{ outcome: 'ok' }, 1],
    [{ outcome: 'running' }, 0],
    [{ decision: 'allow' }, 2],
    [{ session: 'ses_known' }, 1],
    [{ workspace: 'own' }, 3],
    [{ text: 'A.TXT' }, 1],
    [{ text: '100%' }, 1],
    [{ text: 'missing?100' }, 0],
    [{ from: 0, to: 1 }, 0],
    [{ before: 'call_unknown' }, 0],
  ] as const)('narrows by %j', async (query, count) => {
    expect((await client.listCalls(query)).calls).toHaveLength(count);
  });

  it('tells what a call touched with the approval key alone: nothing is found by it without', async () => {
    const { agent: reader } = server;
    const about = async (who: typeof reader, text: string): Promise<(string | null)[]> =>
      (await who.listCalls({ text })).calls.map((call) => call.about);
    expect(await about(client, 'a.txt')).toEqual([expect.stringContaining('a.txt')]);
    expect(await about(reader, 'read')).toEqual([null, null]);
    expect(await about(reader, 'a.txt')).toEqual([]);
  });

  it.each(['limit=1001', 'limit=0', 'outcome=fine', 'from=soon'])('refuses %s', async (query) => {
    const { status, body } = await server.send(`/api/calls?${query}`, { headers: AS.person });
    expect([status, JSON.parse(body)]).toMatchObject([400, { error: { code: 'E_INVALID_ARGS' } }]);
  });
});

describe('showAudit', () => {
  it('shows every line of a call', async () => {
    const { calls } = await client.listCalls({ outcome: 'ok' });
    const { lines } = await client.showAudit({ id: calls[0]!.id });
    expect(lines.map(({ event }) => event)).toEqual(['opened', 'closed']);
  });

  it('says that there is no such call', async () => {
    await expect(client.showAudit({ id: 'call_none' })).rejects.toMatchObject({
      status: 404,
      code: 'E_NOT_FOUND',
    });
  });
});

describe('auditCounts', () => {
  it('counts calls by outcome, with how long they took', async () => {
    const { counts } = await client.auditCounts({ bucket: 86_400_000 });
    expect(counts).toEqual([
      {
        at: expect.any(Number) as number,
        calls: 3,
        outcomes: { failed: 2, ok: 1 },
        p50: expect.any(Number) as number,
        p95: expect.any(Number) as number,
      },
    ]);
    expect(counts[0]!.p95).toBeGreaterThanOrEqual(counts[0]!.p50!);
  });

  it('counts those that run as such, and knows of no time they took', async () => {
    const { call, question } = await server.askedWrite();
    await server.runtime.flush();
    const { at } = (await client.listCalls({ outcome: 'running' })).calls[0]!;
    const { counts } = await client.auditCounts({
      from: at,
      to: at + 1_000,
      bucket: 1_000,
      workspace: 'own',
    });
    expect(counts).toEqual([{ at, calls: 1, outcomes: { running: 1 }, p50: null, p95: null }]);
    await server.questions.answer(question.id, { answer: 'deny' });
    await call;
  });

  it('refuses more counts than a chart could show', async () => {
    await expect(client.auditCounts({ from: 0, bucket: 1_000 })).rejects.toMatchObject({
      code: 'E_INVALID_ARGS',
      hint: 'Choose a longer bucket, or a shorter time.',
    });
  });
});

describe('exportAudit', () => {
  it('gives the lines as they stand in the files', async () => {
    await server.runtime.flush();
    const { headers, body } = await server.send('/api/audit/export', { headers: AS.person });
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(body).toBe(
      chainFiles()
        .map((file) => readFileSync(file, 'utf8'))
        .join(''),
    );
  });
});

describe('verifyAudit', () => {
  it('says of each chain whether it holds, was torn or changed, and where', async () => {
    expect(await client.verifyAudit()).toEqual({
      holds: true,
      chains: [{ chain: expect.any(String) as string, lines: expect.any(Number) as number, state: 'fine' }],
    });
    const [file = ''] = chainFiles();
    const whole = readFileSync(file, 'utf8');
    try {
      writeFileSync(file, whole.replace('"name":"nothing"', '"name":"anything"'));
      expect(await client.verifyAudit()).toMatchObject({ holds: false, chains: [{ state: 'changed' }] });
      writeFileSync(join(file, '../chain_unknown.jsonl'), whole);
      expect((await client.verifyAudit()).chains[1]).toEqual({
        chain: 'chain_unknown',
        lines: 0,
        state: 'changed',
        problem: { line: 1, what: 'the store does not know this file' },
      });
    } finally {
      writeFileSync(file, whole);
    }
  });
});

describe('an agent without the approval key', () => {
  it.each(['/calls/call_1', '/counts', '/verify', '/export'])('is refused /api/audit%s', async (path) => {
    expect((await server.send(`/api/audit${path}`, { headers: AS.agent })).status).toBe(403);
  });
});

function chainFiles(): string[] {
  const folder = join(server.workspace.locations.state, 'audit');
  return readdirSync(folder)
    .filter((name) => name !== 'chain_unknown.jsonl')
    .sort()
    .map((name) => join(folder, name));
}
