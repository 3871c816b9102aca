/** Calls that say they are approved, and answers that are used again, over HTTP and WebSocket. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Records } from '../../../src/transports/http/records.ts';
import { type Attack, testAttacks } from '../../security/attack-case.ts';
import { believing, CLAIMS } from '../../security/believing.ts';
import { connect } from '../websocket/socket-server.ts';
import { AS, type Serving, serving } from './serving.ts';

const WRITE = { path: 'a.txt', content: 'new\n' };
/** Each with a connection of its own: those to a server that is gone would be used again. */
const AGENT = { ...AS.agent, connection: 'close' };
const PERSON = { ...AS.person, connection: 'close' };

const contentIn = ({ workspace }: Serving): string => readFileSync(join(workspace.root, 'a.txt'), 'utf8');

/** Answers that count for whatever is open, and as often as they are sent. */
function boundToNothing(records: Records): Records {
  const { approvals } = records;
  return {
    ...records,
    approvals: {
      ...approvals,
      find: async () => (await approvals.pending())[0],
      answer: async (_, answer) => {
        for (const { id } of await approvals.pending()) await approvals.answer(id, answer);
        return true;
      },
    },
  };
}

async function claimOverHttp(server: Serving): Promise<void> {
  for (const claim of CLAIMS) {
    const call = { tool: 'write', args: { ...WRITE, ...claim } };
    const inArgs = await server.post('/api/calls', AS.agent, call);
    expect([claim, inArgs.status, inArgs.body]).toEqual([
      claim,
      200,
      expect.stringContaining('E_INVALID_ARGS'),
    ]);
    const beside = await server.post('/api/calls', AS.agent, { tool: 'write', args: WRITE, ...claim });
    expect([claim, beside.status]).toEqual([claim, 400]);
  }
}

/** What a WebSocket's client claims beside the arguments counts for nothing: the person is asked. */
async function claimOverSocket(server: Serving): Promise<void> {
  const socket = new WebSocket(`ws://${server.url.host}/ws/ses_claims`, { headers: AS.agent });
  const client = await connect(socket);
  for (const [index, claim] of CLAIMS.entries()) {
    const { error } = await client.call(`args-${index}`, 'write_file', { ...WRITE, ...claim });
    expect({ claim, error }).toEqual({ claim, error: expect.objectContaining({ code: expect.any(String) }) });
    client.send({
      type: 'tool_call',
      call_id: `beside-${index}`,
      tool_name: 'write_file',
      args: WRITE,
      ...claim,
    });
    await server.questions.whenOpen(index + 1);
  }
  client.cut();
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-01',
    title: 'calls over HTTP and WebSocket that say they are approved',
    attack: async () => {
      await using server = await serving();
      await claimOverHttp(server);
      await claimOverSocket(server);
      expect(contentIn(server)).toBe('old\n');
    },
    bites: async () => {
      await using server = await serving(undefined, undefined, { runtime: believing });
      const client = await connect(
        new WebSocket(`ws://${server.url.host}/ws/ses_claims`, { headers: AS.agent }),
      );
      for (const [index, claim] of CLAIMS.entries()) {
        const args = { ...WRITE, ...claim };
        const { body } = await server.post('/api/calls', AS.agent, {
          tool: 'write',
          args: { ...args, path: `http-${index}` },
        });
        const answer = await client.call(`${index}`, 'write_file', { ...args, path: `socket-${index}` });
        expect([claim, JSON.parse(body), answer]).toMatchObject([
          claim,
          { outcome: 'ok' },
          { result: { success: true } },
        ]);
      }
      expect(await server.questions.pending()).toEqual([]);
      client.cut();
    },
  },
  {
    id: 'AP-02',
    title: 'a yes that is sent again, for the call of another session, or after a restart',
    attack: async () => {
      await using server = await serving();
      const call = { tool: 'write', args: WRITE };
      const first = server.post('/api/calls', AGENT, { ...call, session: 'ses_one' });
      const [asked] = await server.questions.whenOpen();
      const path = `/api/approvals/${asked!.id}/answer`;
      expect((await server.post(path, PERSON, { answer: 'once' })).status).toBe(200);
      expect(JSON.parse((await first).body)).toMatchObject({ outcome: 'ok' });
      const other = { tool: 'write', args: { ...WRITE, content: 'newer\n' } };
      for (const [index, session] of ['ses_one', 'ses_two'].entries()) {
        void server.post('/api/calls', AGENT, { ...other, session, id: 'again' }).catch(() => undefined);
        await server.questions.whenOpen(index + 1);
        expect((await server.post(path, PERSON, { answer: 'once' })).status).toBe(409);
      }
      expect(await server.questions.pending()).toHaveLength(2);
      await server.stop();
      await server.startAgain();
      expect((await server.post(path, PERSON, { answer: 'once' })).status).toBe(409);
      expect(contentIn(server)).toBe('new\n');
    },
    bites: async () => {
      await using server = await serving(undefined, undefined, { records: boundToNothing });
      const answer = async (id: string): Promise<number> =>
        (await server.post(`/api/approvals/${id}/answer`, PERSON, { answer: 'once' })).status;
      const { question, call } = await server.askedWrite();
      expect(await answer(question.id)).toBe(200);
      expect(await call).toMatchObject({ outcome: 'ok' });
      const other = { tool: 'write', args: { ...WRITE, content: 'newer\n' }, session: 'ses_two' };
      const second = server.post('/api/calls', AGENT, other);
      await server.questions.whenOpen();
      expect(await answer(question.id)).toBe(200);
      expect(JSON.parse((await second).body)).toMatchObject({ outcome: 'ok' });
      expect(contentIn(server)).toBe('newer\n');
    },
  },
];

describe('the server', () => {
  testAttacks(ATTACKS);
});
