/** The chat example as it is started, with a scripted model behind a real endpoint. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { isToolUIPart } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatClient } from '../../examples/chat-sse/chat-client.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { type ModelRequest, type ScriptedModel, scriptedModel } from '../support/scripted-model.ts';
import { tempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const [MAIN, TALK] = ['main.ts', 'talk.ts'].map((file) =>
  join(import.meta.dirname, '../../examples/chat-sse', file),
) as [string, string];
const TOKEN = 'a-token-for-the-test';

/** A model that makes the call it is told to make, and then repeats what it heard. */
function obey({ messages }: ModelRequest) {
  const { role, content } = messages.at(-1)!;
  const told = typeof content === 'string' ? content : JSON.stringify(content);
  if (role === 'tool') return { text: `Heard: ${told}` };
  const [tool = '', ...args] = told.split(' ');
  return { text: 'Well. ', calls: [{ tool, args: args.join(' ') }] };
}

async function start(model: ScriptedModel, projects: Readonly<Record<string, TempWorkspace>>) {
  const [first] = Object.values(projects);
  for (const [id, { root }] of Object.entries(projects)) {
    const { exitCode, stderr } = await handrail(first!, ['projects', 'add', root, '--id', id]);
    if (exitCode !== 0) throw new Error(stderr);
  }
  const child = spawn(process.execPath, [MAIN], {
    env: { ...environmentOf(first!), MODEL_URL: model.url, PORT: '0', CHAT_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => void child.once('exit', resolve));
  const [url] = await new Promise<string[]>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(line.split(' ')));
  });
  return {
    url: url!,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

describe('POST /chat/sse', () => {
  const one = tempWorkspace({ 'a.txt': 'of one\n' });
  const two = tempWorkspace({ 'a.txt': 'of two\n' });
  let model: ScriptedModel;
  let server: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    model = await scriptedModel(obey);
    server = await start(model, { one, two });
  });
  afterAll(async () => {
    for (const opened of [server, model, one, two]) await opened[Symbol.asyncDispose]();
  });

  const clientOf = (projectId: string): ChatClient =>
    new ChatClient({ url: server.url, token: TOKEN, projectId });
  const post = (body: string, token = TOKEN): Promise<Response> =>
    fetch(server.url, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } });

  /** What the assistant said in the end, and how each of its calls stands. */
  const replyOf = ({ messages }: ChatClient) => {
    const parts = messages.at(-1)!.parts;
    const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { text: said.at(-1), calls: parts.filter(isToolUIPart) };
  };

  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
  const whole = { sessionId: 's1', projectId: 'one', messages: [message] };

  it.each([
    ['no JSON', '{', /no JSON object/],
    ['no session', JSON.stringify({ ...whole, sessionId: undefined }), /^sessionId is required\.$/],
    ['no project', JSON.stringify({ ...whole, projectId: undefined }), /^projectId is required\.$/],
    ['a project that is not there', JSON.stringify({ ...whole, projectId: 'three' }), /three/],
    ['no messages', JSON.stringify({ ...whole, messages: [] }), /^messages is required\.$/],
    [
      'a message without id',
      JSON.stringify({ ...whole, messages: [{ ...message, id: '' }] }),
      /role and an id/,
    ],
    ['a message without parts', JSON.stringify({ ...whole, messages: [{ ...message, parts: 1 }] }), /parts/],
  ])('answers 400 to %s', async (_what, body, error) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(error) as string });
  });

  it('lets nobody in without the token', async () => {
    expect((await post(JSON.stringify(whole), 'another')).status).toBe(401);
  });

  it('answers with server-sent events', async () => {
    const parts = [{ type: 'text', text: 'file-list {}' }];
    const response = await post(JSON.stringify({ ...whole, messages: [{ ...message, parts }] }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = await response.text();
    expect(events).toContain('data: {"type":"tool-output-available"');
    expect(events.trimEnd()).toMatch(/data: \[DONE\]$/);
  });

  it.each(['one', 'two'])('reads in the project that the request names: %s', async (project) => {
    const client = clientOf(project);
    await client.say('file-read {"path":"a.txt"}');
    expect(replyOf(client).text).toContain(`of ${project}`);
  });

  it('shows a failure with its code, to the user and to the model', async () => {
    const client = clientOf('one');
    await client.say('file-read {"path":"../two/a.txt"}');
    const { text: said, calls } = replyOf(client);
    expect(calls[0]).toMatchObject({
      state: 'output-error',
      errorText: expect.stringContaining('E_OUTSIDE_WORKSPACE') as string,
    });
    expect(said).toContain('Heard: ');
    expect(said).toContain('E_OUTSIDE_WORKSPACE');
  });

  it('asks before it writes, and goes on when the user approved', async () => {
    const client = clientOf('two');
    await client.say('file-write {"path":"b.txt","content":"new\\n"}');
    expect(client.questions).toMatchObject([{ tool: 'file-write' }]);
    expect(client.questions[0]!.text).toContain('| +new');
    expect(existsSync(join(two.root, 'b.txt'))).toBe(false);
    await client.answer({ [client.questions[0]!.id]: { approved: true } });
    expect(client.questions).toEqual([]);
    expect(client.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(replyOf(client).calls).toMatchObject([{ state: 'output-available' }]);
    expect(replyOf(client).text).toContain('"ok":true');
    expect(readFileSync(join(two.root, 'b.txt'), 'utf8')).toBe('new\n');
    expect(existsSync(join(one.root, 'b.txt'))).toBe(false);
  });

  it('asks before it looks into another project', async () => {
    const client = clientOf('one');
    await client.say('file-read {"path":"[two]/a.txt"}');
    expect(client.questions).toMatchObject([{ tool: 'file-read' }]);
    await client.answer({ [client.questions[0]!.id]: { approved: true } });
    expect(replyOf(client).text).toContain('of two');
  });

  it('goes on without a call that the user denied', async () => {
    const client = clientOf('one');
    await client.say('file-delete {"path":"a.txt"}');
    await client.answer({ [client.questions[0]!.id]: { approved: false, reason: 'Keep it.' } });
    expect(replyOf(client).calls).toMatchObject([{ state: 'output-denied' }]);
    expect(replyOf(client).text).toContain('Keep it.');
    expect(readFileSync(join(one.root, 'a.txt'), 'utf8')).toBe('of one\n');
  });

  it('can be talked to in a terminal', async () => {
    const said = 'file-write {"path":"d.txt","content":"typed"}\ny\n';
    const child = spawn(process.execPath, [TALK, server.url, 'one'], {
      env: { ...environmentOf(one), CHAT_TOKEN: TOKEN },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(said);
    const shown = await text(child.stdout);
    expect(shown).toContain('· file-write {"path":"d.txt","content":"typed"}');
    expect(shown).toContain('  | +typed');
    expect(shown).toContain('May it run? (y/n) Heard: {"ok":true');
    expect(readFileSync(join(one.root, 'd.txt'), 'utf8')).toBe('typed');
  });

  it('does not take an answer to another project for one to this', async () => {
    const client = clientOf('two');
    await client.say('file-write {"path":"c.txt","content":""}');
    const [{ id } = { id: '' }] = client.questions;
    const other = clientOf('one');
    other.messages.push(...structuredClone(client.messages));
    await other.answer({ [id]: { approved: true } });
    expect(replyOf(other).text).toContain('E_PENDING');
    expect(existsSync(join(one.root, 'c.txt'))).toBe(false);
  });
});
