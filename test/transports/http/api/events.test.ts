/** The stream of events, over real connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Client, handrailClient } from '../../../../src/client/index.ts';
import type { ServerEvent } from '../../../../src/transports/http/api/server-event.ts';
import { projectRegistry } from '../../../../src/project-registry.ts';
import { isAnyoneThere } from '../../../../src/store/approvers.ts';
import { shared } from '../../../support/shared.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { AS, KEY, sendRaw, sendTo, type Serving, serving, TOKEN } from '../serving.ts';

let server: Serving;
let agent: Client;
shared(async (stack) => {
  server = stack.use(await serving());
  agent = handrailClient({ url: server.url.origin, token: TOKEN });
});

interface Following extends AsyncDisposable {
  readonly seen: { readonly id: string; readonly event: ServerEvent }[];
  /** The last id that was sent, with an event or without. */
  lastId: string;
}

/** Reads a stream as it is sent. */
async function follow(as: Record<string, string>, after?: string, url = server.url): Promise<Following> {
  const gone = new AbortController();
  const headers = after === undefined ? as : { ...as, 'last-event-id': after };
  const { body } = await fetch(new URL('/api/events', url), { headers, signal: gone.signal });
  const following: Following = {
    seen: [],
    lastId: '',
    async [Symbol.asyncDispose]() {
      gone.abort();
      await read;
    },
  };
  const begun = Promise.withResolvers<void>();
  const read = (async () => {
    let waiting = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (waiting + chunk).split('\n\n');
      waiting = blocks.pop()!;
      for (const block of blocks) {
        const [, id] = /^id: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        following.lastId = id ?? following.lastId;
        if (data !== undefined) following.seen.push({ id: id!, event: JSON.parse(data) as ServerEvent });
        begun.resolve();
      }
    }
  })().catch(() => undefined);
  await begun.promise;
  return following;
}

function startedCalls({ seen }: Following): string[] {
  return seen.flatMap(({ event }) => (event.type === 'call-started' ? [event.callId] : []));
}

function ended({ seen }: Following): Map<string, ServerEvent> {
  return new Map(seen.flatMap(({ event }) => (event.type === 'call-ended' ? [[event.callId, event]] : [])));
}

async function list(): Promise<string> {
  return (await agent.makeCall({ tool: 'list', args: {} })).callId;
}

describe('events', () => {
  it('go on after a lost connection without a gap, and without one twice', async () => {
    const calls = [await list()];
    const first = await follow(AS.person);
    for (let number = 0; number < 20; number++) calls.push(await list());
    await first[Symbol.asyncDispose]();
    for (let number = 0; number < 20; number++) calls.push(await list());
    await using second = await follow(AS.person, first.lastId);
    calls.push(await list());
    await expect.poll(() => ended(second).has(calls.at(-1)!)).toBe(true);
    expect([...startedCalls(first), ...startedCalls(second)]).toEqual(calls.slice(1));
    const ids = [...first.seen, ...second.seen].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('can be taken up by a client that never got one', async () => {
    const first = await follow(AS.agent);
    await first[Symbol.asyncDispose]();
    const call = await list();
    await using second = await follow(AS.agent, first.lastId);
    await expect.poll(() => startedCalls(second)).toEqual([call]);
  });

  it('hold what a call was given and gave for persons alone', async () => {
    server.workspace.write('secret-name.txt', 'secret content');
    await using forPerson = await follow(AS.person);
    await using forAgent = await follow(AS.agent);
    const { callId } = await agent.makeCall({ tool: 'read', args: { path: 'secret-name.txt' } });
    for (const following of [forPerson, forAgent])
      await expect.poll(() => ended(following).has(callId)).toBe(true);
    const about = ({ seen }: Following) =>
      JSON.stringify(seen.filter(({ event }) => 'callId' in event && event.callId === callId));
    expect(about(forPerson)).toContain('secret-name.txt');
    expect(about(forPerson)).toContain('secret content');
    expect(about(forAgent)).not.toContain('secret');
    expect(ended(forAgent).get(callId)).toMatchObject({ type: 'call-ended', outcome: 'ok' });
  });

  it('come from the runtimes of other projects too', async () => {
    await using other = tempWorkspace({ 'b.txt': 'b' });
    const { locations } = server.workspace;
    const registry = projectRegistry({ store: server.state.store, locations });
    const { id: project } = await registry.add({ folder: other.root });
    await using following = await follow(AS.agent);
    const there = handrailClient({ url: server.url.origin, token: TOKEN, project });
    const { callId } = await there.makeCall({ tool: 'read', args: { path: 'b.txt' } });
    await expect.poll(() => ended(following).get(callId)).toMatchObject({ workspace: other.root });
  });

  it('say which parts of the store were written to', async () => {
    await using following = await follow(AS.agent);
    const sections = (): string[] =>
      following.seen.flatMap(({ event }) => (event.type === 'changed' ? event.sections : []));
    const { question, call } = await server.askedWrite();
    await expect.poll(sections).toContain('approvals');
    await server.questions.answer(question.id, { answer: 'once' });
    await call;
    await expect.poll(sections).toEqual(expect.arrayContaining(['turns', 'calls']));
    expect(sections()).not.toContain('memory');
  });

  it('mean that somebody is there while a person follows them', async () => {
    const { store, processes } = server.state;
    const isThere = (): Promise<boolean> => isAnyoneThere(store.database, processes);
    {
      await using _agent = await follow(AS.agent);
      expect(await isThere()).toBe(false);
      await using _person = await follow(AS.person);
      await expect.poll(isThere).toBe(true);
    }
    await expect.poll(isThere).toBe(false);
  });

  it('are not piled up for a client that does not read', async () => {
    const { hostname, port } = server.url;
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/events HTTP/1.1\r\nhost: ${server.url.host}\r\n`);
    socket.write(`authorization: Bearer ${TOKEN}\r\nhandrail-approval: ${KEY}\r\n\r\n`);
    await once(socket, 'readable');
    // Far more than the sockets and the feed hold together.
    server.workspace.write('wide.txt', `${'x'.repeat(99)}\n`.repeat(400));
    for (let round = 0; round < 16; round++)
      await Promise.all(
        Array.from({ length: 40 }, () => agent.makeCall({ tool: 'read', args: { path: 'wide.txt' } })),
      );
    const last = await list();
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.resume();
    await expect.poll(() => received.includes('"type":"missed"'), { timeout: 30_000 }).toBe(true);
    expect(received).not.toContain(last);
    socket.destroy();
  });

  it('are refused to who has another approval key', async () => {
    const headers = { ...AS.agent, 'handrail-approval': 'of-another-server-012345' };
    const { status, body } = await sendTo(new URL('/api/events', server.url), { headers });
    expect([status, JSON.parse(body)]).toMatchObject([403, { error: { code: 'E_DENIED' } }]);
  });

  it('go to no more clients than anybody has windows, and leave half of the room to persons', async () => {
    await using own = await serving();
    await using streams = new AsyncDisposableStack();
    for (let reader = 0; reader < 32; reader++) streams.use(await follow(AS.agent, undefined, own.url));
    expect((await own.send('/api/events', { headers: AS.agent })).status).toBe(429);
    for (let reader = 0; reader < 32; reader++) streams.use(await follow(AS.person, undefined, own.url));
    expect((await own.send('/api/events', { headers: AS.person })).status).toBe(429);
  });

  it.each([
    'HEAD /api/events',
    'GET /ws/../api/events',
    'GET /ws/%2e%2e/api/events',
    'GET /ws/x/%2E./../api/events',
  ])('are sent to nobody who asks with %s, and could not leave', async (line) => {
    const upgrade = ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
    const head = [
      `${line} HTTP/1.1`,
      `host: ${server.url.host}`,
      ...Object.entries(AS.person).map((header) => header.join(': ')),
      ...(line.startsWith('HEAD') ? ['connection: close'] : upgrade),
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const answer = await sendRaw(server.url, [...head, '', ''].join('\r\n'));
    expect(answer).toMatch(line.startsWith('HEAD') ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 404 /);
    const { body } = await server.send('/metrics', { headers: AS.agent });
    expect(body).toContain('\nhandrail_event_readers 0\n');
  });

  it('begin with "missed" after a restart of the server, and reach a client that waited for it', async () => {
    await using own = await serving();
    const client = handrailClient({ url: own.url.origin, token: TOKEN });
    const states: string[] = [];
    const seen: string[] = [];
    const over = new AbortController();
    const reading = (async () => {
      const how = { signal: over.signal, onState: (state: string) => states.push(state) };
      for await (const event of client.events(how))
        seen.push(event.type === 'call-ended' ? event.callId : event.type);
    })();
    await expect.poll(() => states).toEqual(['live']);
    await own.stop();
    await expect.poll(() => states.at(-1)).toBe('lost');
    await own.startAgain();
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe('live');
    const { callId } = await client.makeCall({ tool: 'list', args: {} });
    await expect.poll(() => seen).toContain(callId);
    expect(seen[0]).toBe('missed');
    over.abort();
    await reading;
  });

  it('end for a client whose token does not count any more', async () => {
    const states: string[] = [];
    const stranger = handrailClient({ url: server.url.origin, token: 'another-token-0123456789' });
    const refused = (async () => {
      for await (const _event of stranger.events()) return;
    })();
    await expect(refused).rejects.toMatchObject({ status: 401 });
    for await (const _event of stranger.events({ onState: (state) => states.push(state) })) break;
    expect(states).toEqual(['locked']);
  });
});
