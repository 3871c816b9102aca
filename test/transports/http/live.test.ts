import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { isAnyoneThere } from '../../../src/store/approvers.ts';
import { serverEvents, type ServerEvent } from '../../../src/transports/http/page/server-events.ts';
import { AS, type Serving, serving } from './serving.ts';

interface Stream extends AsyncDisposable {
  readonly status: number;
  /** The next event. */
  next(): Promise<ServerEvent>;
}

async function follow(
  { url }: Serving,
  headers: Readonly<Record<string, string>>,
  lastId?: string,
): Promise<Stream> {
  const stop = new AbortController();
  const response = await fetch(new URL('/events', url), {
    headers: { ...headers, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    signal: stop.signal,
  });
  const events = serverEvents(response.body!.pipeThrough(new TextDecoderStream()));
  return {
    status: response.status,
    next: async () => (await events.next()).value as ServerEvent,
    async [Symbol.asyncDispose]() {
      stop.abort();
    },
  };
}

describe('GET /events', () => {
  it('sends every section, then each one as it changes', async () => {
    await using server = await serving();
    await using stream = await follow(server, AS.person);
    const first = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    expect(first.map(({ name, data }) => [name, data])).toEqual([
      ['questions', '[]'],
      ['calls', '[]'],
      ['turns', '[]'],
      ['messages', '[]'],
    ]);
    const { question, call } = await server.askedWrite();
    const seen = await untilSeen(stream, 'questions', (data) => data !== '[]');
    expect(JSON.parse(seen.data)).toEqual([
      {
        id: question.id,
        workspace: server.workspace.root,
        createdAt: question.created_at,
        expiresAt: question.expires_at,
        request: JSON.parse(question.request) as unknown,
        isEditable: true,
      },
    ]);
    await server.questions.answer(question.id, { answer: 'once' });
    await call;
    await untilSeen(stream, 'calls', (data) => data.includes('"outcome":"ok"'));
  });

  it('does not tell what stands in files to who has no approval key', async () => {
    await using server = await serving();
    await using stream = await follow(server, AS.agent);
    const { question, call } = await server.askedWrite();
    const { data } = await untilSeen(stream, 'questions', (section) => section !== '[]');
    const [{ request, isEditable }] = JSON.parse(data) as [{ request: object; isEditable: boolean }];
    expect(request).toMatchObject({ id: question.id, args: 'shown with the approval key' });
    expect([isEditable, 'preview' in request]).toEqual([false, false]);
    await server.questions.answer(question.id, { answer: 'deny' });
    await call;
  });

  it('tells what agents show and ask, the words of it only to who has the approval key', async () => {
    await using server = await serving();
    await using person = await follow(server, AS.person);
    await using agent = await follow(server, AS.agent);
    await server.runtime.call('display', { content: 'Half done.', level: 'progress' });
    const shown = await untilSeen(person, 'messages', (data) => data !== '[]');
    expect(JSON.parse(shown.data)).toMatchObject([{ message: { content: 'Half done.', level: 'progress' } }]);
    const call = server.runtime.call('ask_user', { message: 'Which?', choices: ['one', 'two'] });
    const [open] = await server.questions.whenOpen();
    const asked = await untilSeen(person, 'questions', (data) => data !== '[]');
    expect(JSON.parse(asked.data)).toMatchObject([
      { id: open!.id, isEditable: false, request: { message: 'Which?', choices: ['one', 'two'] } },
    ]);
    const hidden = await untilSeen(agent, 'questions', (data) => data !== '[]');
    expect(JSON.parse(hidden.data)).toMatchObject([
      { request: { id: open!.id, message: 'shown with the approval key', choices: [] } },
    ]);
    await server.questions.answer(open!.id, { kind: 'declined' });
    await call;
  });

  it('sends to a page that comes back only what it lacks', async () => {
    await using server = await serving();
    await using stream = await follow(server, AS.agent);
    const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    await server.runtime.call('read', { path: 'a.txt' });
    await server.runtime.flush();
    await using again = await follow(server, AS.agent, events[3]!.id);
    expect(await again.next()).toMatchObject({ name: 'calls', data: expect.stringContaining('"read"') });
  });

  it('takes a question away when its time is over', async () => {
    let late = 0;
    await using server = await serving({ ...localClock, now: () => localClock.now() + late });
    await using stream = await follow(server, AS.agent);
    const { question } = await server.askedWrite();
    await untilSeen(stream, 'questions', (data) => data !== '[]');
    late = question.expires_at - question.created_at;
    expect((await untilSeen(stream, 'questions', () => true)).data).toBe('[]');
  });

  it('counts as somebody who answers while a page with the approval key is connected', async () => {
    await using server = await serving();
    const { store, processes } = server.state;
    const isThere = (): Promise<boolean> => isAnyoneThere(store.database, processes);
    await using reader = await follow(server, AS.agent);
    await reader.next();
    expect(await isThere()).toBe(false);
    {
      await using first = await follow(server, AS.person);
      await first.next();
      await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
      await using second = await follow(server, AS.person);
      await second.next();
      await second[Symbol.asyncDispose]();
      await server.runtime.call('read', { path: 'a.txt' });
      expect(await isThere()).toBe(true);
    }
    await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
  });

  it('refuses a wrong approval key, and more pages than anybody has', async () => {
    await using server = await serving();
    const wrong = await server.send('/events', { headers: { ...AS.agent, 'handrail-approval': 'x' } });
    expect(wrong.status).toBe(403);
    await using streams = new AsyncDisposableStack();
    const statuses: number[] = [];
    for (let page = 0; page < 33; page++) statuses.push(streams.use(await follow(server, AS.agent)).status);
    expect(statuses).toEqual([...Array.from({ length: 32 }, () => 200), 429]);
  });
});

async function untilSeen(
  stream: Stream,
  name: string,
  isIt: (data: string) => boolean,
): Promise<ServerEvent> {
  for (;;) {
    const event = await stream.next();
    if (event.name === name && isIt(event.data)) return event;
  }
}
