/** Every operation, asked once of a real server: what it answers is what the document says, and nothing besides. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Client,
  handrailClient,
  type InputOf,
  type OperationName,
} from '../../../../src/client/index.ts';
import { localClock } from '../../../../src/host/local/clock.ts';
import { API_ROUTES } from '../../../../src/transports/http/api/index.ts';
import type { Route } from '../../../../src/transports/http/api/route.ts';
import type { Session } from '../../../../src/index.ts';
import { scriptedModel, type ScriptedModel } from '../../../support/scripted-model.ts';
import { shared } from '../../../support/shared.ts';
import { KEY, type Serving, serving, TOKEN } from '../serving.ts';
import { strictly } from './strictly.ts';

let model: ScriptedModel;
let server: Serving;
let person: Client;
let agent: Client;
let session: Session;

shared(async (stack) => {
  model = stack.use(await scriptedModel(() => ({ text: 'Well.' })));
  server = stack.use(await serving(localClock, { OPENAI_BASE_URL: model.url, HANDRAIL_MODEL: 'scripted' }));
  const [url, token] = [server.url.origin, TOKEN];
  person = handrailClient({ url, token, approvalKey: KEY });
  agent = handrailClient({ url, token });
  session = await server.runtime.openSession({ mode: 'auto' });
  await call('write', { path: 'made.txt', content: 'made\n' });
  await call('remember', { action: 'create', title: 'where', content: 'the answer stands in a.txt' });
  await call('display', { content: 'Well done.', level: 'success', title: 'Done' });
  await call('todowrite', {
    todos: [{ id: '1', content: 'rest', status: 'pending', priority: 'low' }],
  });
});

/** A call that nobody is asked about, as some other client makes it. */
async function call(tool: string, args: object) {
  const { outcome, callId, turn, result } = await server.runtime.call(tool, args, { session });
  expect({ tool, outcome, error: result.error }).toEqual({ tool, outcome: 'ok', error: null });
  await server.runtime.flush();
  return { callId, turn, payload: result.payload as Readonly<Record<string, unknown>> };
}

async function openQuestion(): Promise<string> {
  const [open] = await server.questions.pending();
  if (open !== undefined) return open.id;
  return (await server.askedWrite()).question.id;
}

async function process(): Promise<string> {
  const { processes } = await person.listProcesses();
  const running = processes.find(({ ended }) => ended === undefined);
  if (running !== undefined) return running.id;
  const { payload } = await call('run_background', { command: 'cat', tty: true });
  return String(payload['id']);
}

async function project(): Promise<string> {
  const folder = join(server.workspace.outside, 'other');
  mkdirSync(folder, { recursive: true });
  const { projects } = await agent.listProjects();
  return projects[0]?.id ?? (await person.addProject({ folder })).project.id;
}

/** One that has said something. */
async function conversation(): Promise<string> {
  const { conversations } = await person.listConversations();
  const { id } = conversations[0] ?? (await person.startConversation({ message: 'Hello.' }));
  await expect.poll(async () => (await person.showConversation({ id })).isWorking).toBe(false);
  return id;
}

/** What each operation is asked; one that is forgotten here does not compile. */
const ASKED: { readonly [Name in OperationName]: () => InputOf<Name> | Promise<InputOf<Name>> } = {
  listTools: () => ({}),
  makeCall: () => ({ tool: 'read', args: { path: 'a.txt' } }),
  executeCall: () => ({ request: { tool_call_id: 'one', name: 'read', args: { path: 'none.txt' } } }),
  listCalls: () => ({}),
  showCall: async () => ({ id: (await call('list', { path: '.' })).callId }),
  cancelCall: async () => {
    const running = server.runtime.call('bash', { command: 'sleep 1000' }, { session });
    void running;
    await expect
      .poll(async () => (await agent.listCalls({ outcome: 'running', tool: 'bash' })).calls.length)
      .toBe(1);
    const { calls } = await agent.listCalls({ outcome: 'running', tool: 'bash' });
    return { id: calls[0]!.id };
  },
  openSession: () => ({ id: 'ses_opened', agent: { name: 'tester' } }),
  listSessions: () => ({}),
  showSession: () => ({ id: session.id }),
  closeSession: () => ({ id: 'ses_opened' }),
  listTodos: () => ({ id: session.id }),
  events: () => ({ onState: () => void call('list', { path: '.' }) }),
  listTurns: () => ({}),
  showTurn: async () => ({ id: (await call('write', { path: 'a.txt', content: 'old\nmore\n' })).turn }),
  showDiff: async () => ({
    id: (await call('write', { path: 'a.txt', content: 'old\nand more\n' })).turn,
    path: 'a.txt',
  }),
  undo: () => ({ last: 1 }),
  listApprovals: async () => {
    await openQuestion();
    return {};
  },
  showApproval: async () => ({ id: await openQuestion() }),
  pastCallsFor: async () => ({ id: await openQuestion() }),
  answerApproval: async () => ({ id: await openQuestion(), answer: 'once' }),
  listMessages: () => ({}),
  listProcesses: async () => {
    await process();
    return {};
  },
  readProcess: async () => ({ id: await process() }),
  writeProcess: async () => ({ id: await process(), text: 'hello\n' }),
  resizeProcess: async () => ({ id: await process(), columns: 100, rows: 30 }),
  stopProcess: async () => ({ id: await process() }),
  listMemory: () => ({}),
  removeMemory: async () => ({ id: (await person.listMemory()).memories[0]!.id }),
  listSkills: () => ({}),
  showAudit: async () => ({ id: (await call('list', { path: '.' })).callId }),
  auditCounts: () => ({}),
  verifyAudit: () => ({}),
  exportAudit: () => ({}),
  addProject: () => ({ folder: server.workspace.outside, id: 'outside' }),
  listProjects: async () => {
    await project();
    return {};
  },
  removeProject: async () => ({ id: await project() }),
  showTrust: () => ({}),
  trust: async () => ({ hash: (await person.showTrust()).hash }),
  distrust: () => ({}),
  showPolicy: () => ({}),
  explainCall: () => ({ tool: 'write', args: { path: 'a.txt', content: 'new\n' } }),
  replayPolicy: () => ({}),
  listAgents: () => ({}),
  startConversation: () => ({ message: 'Hello.' }),
  listConversations: () => ({}),
  showConversation: async () => ({ id: await conversation() }),
  sendMessage: async () => ({ id: await conversation(), message: 'Go on.' }),
  interruptConversation: async () => ({ id: await conversation() }),
};

/** All that a client is given: one answer, or what a stream brings first. */
async function answers(client: Client, { name, type }: Route): Promise<readonly unknown[]> {
  const input = (await ASKED[name as OperationName]()) as object;
  const method = client[name as OperationName] as (
    given: object,
  ) => Promise<unknown> & AsyncIterable<unknown>;
  const given = method(input);
  if (type === undefined) return [await given];
  const received = [];
  for await (const part of given) if (received.push(part) >= 3) break;
  return received;
}

describe('the API', () => {
  it.each(API_ROUTES as readonly Route[])('answers $name as its document says', async (route) => {
    const schema = strictly(route.returns);
    const clients = [person, ...(route.method === 'get' && route.who !== 'person' ? [agent] : [])];
    for (const client of clients) {
      const received = await answers(client, route);
      expect(received.length).toBeGreaterThan(0);
      for (const one of received) expect(() => schema.parse(one)).not.toThrow();
    }
  });
});
