/** The agent in the server: a real model's endpoint on loopback that follows a script. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrailClient } from '../../../../src/client/index.ts';
import { localClock } from '../../../../src/host/local/clock.ts';
import type { KeptResult } from '../../../../src/agent/conversation.ts';
import { type ModelReply, scriptedModel, type ScriptedModel } from '../../../support/scripted-model.ts';
import { shared } from '../../../support/shared.ts';
import { AS, KEY, type Serving, serving, TOKEN } from '../serving.ts';

let model: ScriptedModel;
let server: Serving;
let client: ReturnType<typeof handrailClient>;
let script: ModelReply[] = [];

shared(async (stack) => {
  model = stack.use(await scriptedModel(() => script.shift() ?? { text: 'Done.' }));
  server = stack.use(await serving(localClock, { OPENAI_BASE_URL: model.url, HANDRAIL_MODEL: 'scripted' }));
  client = handrailClient({ url: server.url.origin, token: TOKEN, approvalKey: KEY });
});

/** What drives models is loaded by the first turn. */
const PATIENCE = { timeout: 20_000 };

/** When a conversation has nothing to do any more. */
async function whenIdle(id: string, by = client): Promise<void> {
  await expect.poll(async () => (await by.showConversation({ id })).isWorking, PATIENCE).toBe(false);
}

/** What a client hears of the agent, from when it listens. */
function agentEvents(by: typeof client): {
  readonly isLive: Promise<void>;
  ofTurn(id: string): Promise<{ conversation: string; event?: unknown }[]>;
} {
  const live = Promise.withResolvers<void>();
  const end = new AbortController();
  const events = by.events({ signal: end.signal, onState: () => live.resolve() });
  const heard: { conversation: string; event?: unknown }[] = [];
  const listening = (async () => {
    for await (const event of events) if (event.type === 'agent') heard.push(event);
  })();
  return {
    isLive: live.promise,
    async ofTurn(id) {
      await whenIdle(id);
      await expect.poll(() => heard.length, PATIENCE).toBeGreaterThanOrEqual(5);
      end.abort();
      await listening.catch(() => undefined);
      return heard.filter(({ conversation }) => conversation === id);
    },
  };
}

describe('startConversation', () => {
  it('runs a turn, and shows what was said in it with its calls and their results', async () => {
    script = [{ calls: [{ tool: 'read', args: { path: 'a.txt' } }] }, { text: 'It says old.' }];
    const { id } = await client.startConversation({ message: '  What is in a.txt?  ' });
    await whenIdle(id);
    const { entries, title, turns, model: named } = await client.showConversation({ id });
    expect({ title, turns, named }).toEqual({
      title: 'What is in a.txt?',
      turns: 1,
      named: 'openai/scripted',
    });
    expect(entries.map(({ by, text }) => [by, text])).toEqual([
      ['user', 'What is in a.txt?'],
      ['assistant', ''],
      ['tool', ''],
      ['assistant', 'It says old.'],
    ]);
    expect(entries[1]!.calls).toMatchObject([{ tool: 'read', args: { path: 'a.txt' } }]);
    expect(entries[2]!.results).toMatchObject([
      { id: entries[1]!.calls[0]!.id, tool: 'read', text: expect.stringContaining('old') as string },
    ]);
    const [{ callId, outcome }] = entries[2]!.results as [KeptResult];
    expect(outcome).toBe('ok');
    expect(await client.showCall({ id: callId! })).toMatchObject({ name: 'read', session: id });
    expect((await client.listConversations()).conversations).toMatchObject([{ id, isWorking: false }]);
  });

  it('asks the person before it changes something, and goes on with the answer', async () => {
    script = [{ calls: [{ tool: 'write', args: { path: 'a.txt', content: 'new\n' } }] }];
    const { id } = await client.startConversation({ message: 'Write new.' });
    const [question] = await server.questions.whenOpen();
    await client.answerApproval({ id: question!.id, answer: 'once' });
    await whenIdle(id);
    expect(readFileSync(join(server.workspace.root, 'a.txt'), 'utf8')).toBe('new\n');
  });

  it('tells its events to persons whole, and to others that there is one', async () => {
    script = [{ text: 'Secret words.' }];
    const reader = handrailClient({ url: server.url.origin, token: TOKEN });
    const [toPerson, toReader] = [client, reader].map(agentEvents);
    await Promise.all([toPerson!.isLive, toReader!.isLive]);
    const { id } = await client.startConversation({ message: 'Say it.' });
    const [told, known] = await Promise.all([toPerson!.ofTurn(id), toReader!.ofTurn(id)]);
    expect(told.map(({ event }) => (event as { type: string }).type)).toEqual([
      'turn-started',
      'step-started',
      'text-added',
      'text-added',
      'turn-ended',
    ]);
    expect(known).toEqual(told.map(({ event: _event, ...about }) => about));
  });

  it('works in the project that the request names', async () => {
    const folder = join(server.workspace.outside, 'other');
    mkdirSync(folder, { recursive: true });
    await client.addProject({ folder });
    const there = handrailClient({
      url: server.url.origin,
      token: TOKEN,
      approvalKey: KEY,
      project: 'other',
    });
    const { id } = await there.startConversation({ message: 'Hello.' });
    await whenIdle(id, there);
    expect((await there.listConversations()).conversations).toMatchObject([{ id, title: 'Hello.' }]);
    await expect(client.showConversation({ id })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it.each([
    ['nothing', { message: '   ' }],
    ['more than a person says', { message: 'x'.repeat(10_001) }],
    ['an agent that is none', { message: 'Hello.', agent: 'nobody' }],
    ['an agent that nobody talks to', { message: 'Hello.', agent: 'explore' }],
  ])('refuses %s', async (_what, body) => {
    await expect(client.startConversation(body)).rejects.toMatchObject({
      status: 400,
      code: 'E_INVALID_ARGS',
    });
  });

  it('says what to do where no model is connected', async () => {
    await using bare = await serving();
    const alone = handrailClient({ url: bare.url.origin, token: TOKEN, approvalKey: KEY });
    await expect(alone.startConversation({ message: 'Hello.' })).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      message: 'No model is configured.',
      hint: expect.stringContaining('HANDRAIL_MODEL') as string,
    });
    expect((await alone.listAgents()).models).toEqual([]);
    expect(await alone.listConversations()).toEqual({ conversations: [] });
  });
});

describe('sendMessage', () => {
  it('goes on with what was said; a message waits for the turn that is under way', async () => {
    script = [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }];
    const { id } = await client.startConversation({ message: 'First.' });
    await client.sendMessage({ id, message: 'Second.', agent: 'plan', mode: 'read-only' });
    await client.sendMessage({ id, message: 'Third.' });
    await whenIdle(id);
    const { entries, agent, turns } = await client.showConversation({ id });
    expect({ agent, turns }).toEqual({ agent: 'plan', turns: 3 });
    expect(entries.map(({ text }) => text)).toEqual([
      'First.',
      'One.',
      'Second.',
      'Two.',
      'Third.',
      'Three.',
    ]);
  });

  it('knows no conversation that is not there', async () => {
    await expect(client.sendMessage({ id: 'ses_none', message: 'Hello?' })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('interruptConversation', () => {
  it('ends the turn, and what waits for it', async () => {
    script = [{ text: 'I am at', hangs: true }];
    const asked = model.requests.length;
    const { id } = await client.startConversation({ message: 'Go on for ever.' });
    await client.sendMessage({ id, message: 'And then?' });
    await expect.poll(() => model.requests.length, PATIENCE).toBe(asked + 1);
    expect(await client.interruptConversation({ id })).toEqual({ wasWorking: true });
    await whenIdle(id);
    expect(await client.interruptConversation({ id })).toEqual({ wasWorking: false });
    expect(model.requests).toHaveLength(asked + 1);
  });
});

describe('listAgents', () => {
  it('names agents and models for everybody who has the token', async () => {
    const { agents, models } = await handrailClient({ url: server.url.origin, token: TOKEN }).listAgents();
    expect(agents.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'build primary',
      'plan primary',
      'general sub-agent',
      'explore sub-agent',
    ]);
    expect(models).toEqual(['openai/scripted']);
  });
});

describe('an agent without the approval key', () => {
  it('neither reads conversations nor talks in them', async () => {
    const headers = AS.agent;
    expect((await server.send('/api/conversations', { headers })).status).toBe(403);
    expect((await server.send('/api/conversations/x', { headers })).status).toBe(403);
    expect((await server.post('/api/conversations', headers, { message: 'Hi' })).status).toBe(403);
    expect((await server.post('/api/conversations/x/messages', headers, { message: 'Hi' })).status).toBe(403);
    const sent = { method: 'DELETE', headers };
    expect((await server.send('/api/conversations/x/turn', sent)).status).toBe(403);
  });
});
