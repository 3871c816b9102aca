/** A server over a temporary workspace, in this process, and requests to it exactly as they are written. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { type Client, handrailClient } from '../../../src/client/index.ts';
import { agentsOf } from '../../../src/cli/lend-agents.ts';
import { recordsOf } from '../../../src/cli/serve.ts';
import { localClock } from '../../../src/host/local/clock.ts';
import type { Clock } from '../../../src/host/ports.ts';
import type { CallResponse, Runtime } from '../../../src/index.ts';
import { openState, type State } from '../../../src/open-state.ts';
import type { Approvals } from '../../../src/store/tables.ts';
import { pageCookie } from '../../../src/transports/http/gate.ts';
import type { Records } from '../../../src/transports/http/records.ts';
import { type RunningServer, startServer } from '../../../src/transports/http/server.ts';
import { openQuestions, type Questions } from '../../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

export const TOKEN = 'token-of-the-agent-0123456789';
export const KEY = 'key-of-the-person-0123456789';

/** Who asks: the agent has the token, the person the approval key besides. */
export const AS = {
  nobody: {},
  agent: { authorization: `Bearer ${TOKEN}` },
  person: { authorization: `Bearer ${TOKEN}`, 'handrail-approval': KEY },
} as const;

/** What a page sends once it was opened with the token. */
export function cookieOf({ host }: { readonly host: string }): string {
  const { name, value } = pageCookie(host, TOKEN);
  return `${name}=${value}`;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

export interface Serving extends AsyncDisposable {
  readonly workspace: TempWorkspace;
  readonly runtime: Runtime;
  readonly state: State;
  readonly records: Records;
  readonly questions: Questions;
  readonly url: URL;
  /** A client with the token alone, and one with the approval key too. */
  readonly agent: Client;
  readonly person: Client;
  send(path: string, sent?: Sent): Promise<Received>;
  /** Ends the server, and leaves the rest as it is. */
  stop(): Promise<void>;
  /** Starts another one in its place, over the same. */
  startAgain(): Promise<void>;
  /** Sends JSON. */
  post(path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Received>;
  /** A write that waits for its answer, and the question about it. */
  askedWrite(path?: string): Promise<{ readonly question: Approvals; readonly call: Promise<CallResponse> }>;
}

/** What the server works with, as something else: for proofs of what it would do without a defence. */
export interface Weakened {
  runtime?(runtime: Runtime): Runtime;
  records?(records: Records): Records;
}

/** Starts it on a free port; models are looked up in the environment. */
export async function serving(
  clock: Clock = localClock,
  environment: Readonly<Record<string, string>> = {},
  weakened: Weakened = {},
): Promise<Serving> {
  const workspace = tempWorkspace({ 'a.txt': 'old\n' });
  const runtime = await workspace.runtime({ wait: true, readConfig: true });
  const state = openState(workspace.locations);
  const records = recordsOf(state, clock, workspace.locations);
  const start = (port: number): Promise<RunningServer> =>
    startServer({
      runtime: weakened.runtime?.(runtime) ?? runtime,
      records: weakened.records?.(records) ?? records,
      agentsOf: (served) => agentsOf(served, { environment }),
      clock,
      version: '0.0.0',
      credentials: { token: TOKEN, approvalKey: KEY },
      host: '127.0.0.1',
      port,
    });
  let server = await start(0);
  const questions = openQuestions(workspace.locations.state);
  const url = new URL(server.url);
  const send = (path: string, sent: Sent = {}): Promise<Received> => sendTo(new URL(path, url), sent);
  return {
    workspace,
    runtime,
    state,
    records,
    questions,
    url,
    agent: handrailClient({ url: url.origin, token: TOKEN }),
    person: handrailClient({ url: url.origin, token: TOKEN, approvalKey: KEY }),
    send,
    stop: async () => server[Symbol.asyncDispose](),
    async startAgain() {
      server = await start(server.port);
      // A connection to the one before, kept for the next request, is known to be gone only by then.
      await expect.poll(async () => (await fetch(new URL('/healthz', url))).ok).toBe(true);
    },
    post: (path, headers, body = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async askedWrite(path = 'a.txt') {
      const call = runtime.call('write', { path, content: 'new\n' });
      const [question] = await questions.whenOpen();
      return { question: question!, call };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const { id } of await questions.pending()) await questions.answer(id, { answer: 'deny' });
      await questions[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** Names that another page could make lead to a server (DNS rebinding); it answers to none of them. */
export function strangeHosts({ port }: URL): readonly string[] {
  return ['evil.test', `evil.test:${port}`, `127.0.0.1.evil.test:${port}`, 'localhost:1', '127.0.0.1'];
}

/** A plain request: fetch would not send another Host, and would add headers of its own. */
export function sendTo(url: URL, { method = 'GET', headers = {}, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Bytes as they are; what comes back. */
export function sendRaw({ port }: URL, written: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(written));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}
