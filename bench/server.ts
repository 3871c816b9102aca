/** `handrail serve` under load: many sessions over the WebSocket, one that reads nothing, and calls beside a bare route and a bare echo. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openState } from '../src/open-state.ts';
import { environmentOf } from '../test/support/command-line.ts';
import { serve, type Serving } from '../test/support/serve.ts';
import { type TempWorkspace, tempWorkspace } from '../test/support/temp-workspace.ts';
import { compare, type Contender, sampleOf } from './measure.ts';
import { SocketSession } from './socket-session.ts';
import type { Row } from './table.ts';

const SESSIONS = Number(process.env['HANDRAIL_BENCH_SESSIONS'] ?? 1_000);
const CALLS = 50;
const AT_ONCE = 50;
/** On a slow machine fewer calls are made than were meant to be. */
const LONGEST_LOAD_MS = 75_000;
const LONGEST_SLOW_MS = 10_000;
const IN_FLIGHT = 64;
const BATCHES = { rounds: 10, stretchMs: 200 };
const MAX_KILOBYTES = 200;
const SLOW_CALLS = 200;
const MAX_SLOW_MEGABYTES = 100;
const SMALL = 'a line of text of thirty-one b.\n'.repeat(64);
const LARGE = 'a line of text of thirty-one b.\n'.repeat(3_000);
const TOKEN = 'token-of-the-bench-0123456789';

/** All rows about the server, part by part. */
export async function* server(): AsyncGenerator<Row[]> {
  await using workspace = tempWorkspace({ 'small.txt': SMALL, 'large.txt': LARGE });
  yield await throughput(workspace);
  yield await slowReader(workspace);
  yield await load(workspace);
}

async function load(workspace: TempWorkspace): Promise<Row[]> {
  const serving = await serve(workspace, ['--mode', 'auto']);
  const empty = residentKilobytes(serving);
  const sessions = await openSessions(serving);
  const kilobytes = (residentKilobytes(serving) - empty) / SESSIONS;
  const times: number[] = [];
  let made = 0;
  const started = performance.now();
  await Promise.all(
    sessions.map(async (session) => {
      for (let call = 0; call < CALLS; call++) {
        const before = performance.now();
        if (before - started > LONGEST_LOAD_MS) return;
        made++;
        await session.call(`c${call}`, 'read', { path: 'small.txt' });
        times.push((performance.now() - before) * 1_000);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const peak = residentKilobytes(serving);
  for (const session of sessions) session[Symbol.dispose]();
  await serving[Symbol.asyncDispose]();
  const twice = sessions.flatMap(({ answers }) => [...answers.values()].filter((count) => count !== 1));
  const perSecond = (made / seconds).toFixed(0);
  const what = `WebSocket: ${SESSIONS} sessions × ${CALLS} calls`;
  return [
    { what, sample: sampleOf(times), note: `${made} calls, ${perSecond} a second; ${SESSIONS} at a time` },
    { what: 'the same: answered', figure: { value: times.length, unit: 'calls', atLeast: made } },
    { what: 'the same: answered twice', figure: { value: twice.length, unit: 'calls', atMost: 0 } },
    {
      what: 'the same: in the audit, as ok, once each',
      figure: { value: await audited(workspace), unit: 'calls', atLeast: made, atMost: made },
    },
    {
      what: 'WebSocket: memory of an open session',
      figure: { value: kilobytes, unit: 'KB', atMost: MAX_KILOBYTES },
      note: `${(peak / 1_024).toFixed(0)} MB at the end, ${(empty / 1_024).toFixed(0)} MB at first`,
    },
  ];
}

async function openSessions(serving: Serving): Promise<SocketSession[]> {
  const sessions: SocketSession[] = [];
  while (sessions.length < SESSIONS) {
    const few = Array.from({ length: Math.min(AT_ONCE, SESSIONS - sessions.length) }, (_, index) =>
      openSession(serving, `load-${sessions.length + index}`),
    );
    sessions.push(...(await Promise.all(few)));
  }
  return sessions;
}

function openSession({ url, token }: Serving, session: string): Promise<SocketSession> {
  const headers = { authorization: `Bearer ${token}` };
  return SocketSession.open(`ws://${url.host}/ws/${session}?dialect=handrail`, headers);
}

/** The calls that the audit has as done, counted once for each id in each session. */
async function audited(workspace: TempWorkspace): Promise<number> {
  const state = join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail');
  await using opened = openState({ state });
  const rows = await opened.store.database
    .selectFrom('audit_calls')
    .select(['session', 'tool_call_id'])
    .where('outcome', '=', 'ok')
    .where('session', 'like', 'load-%')
    .execute();
  const different = new Set(rows.map(({ session, tool_call_id: id }) => `${session} ${id}`));
  if (different.size !== rows.length) throw new Error(`${rows.length - different.size} calls ran twice.`);
  return rows.length;
}

/** One connection asks for much, and reads nothing; another one is served all the same. */
async function slowReader(workspace: TempWorkspace): Promise<Row[]> {
  await using serving = await serve(workspace, ['--mode', 'auto']);
  using other = await openSession(serving, 'other');
  await other.call('warm', 'read', { path: 'large.txt' });
  const before = residentKilobytes(serving);
  using slow = await openSession(serving, 'slow');
  slow.socket.pause();
  for (let call = 0; call < SLOW_CALLS; call++) slow.send(`c${call}`, 'read', { path: 'large.txt' });
  let most = before;
  const end = performance.now() + LONGEST_SLOW_MS;
  for (let call = 0; call < SLOW_CALLS && performance.now() < end; call++) {
    await other.call(`c${call}`, 'read', { path: 'small.txt' });
    most = Math.max(most, residentKilobytes(serving));
  }
  return [
    {
      what: 'WebSocket: memory for a reader that reads nothing',
      figure: { value: (most - before) / 1_024, unit: 'MB', atMost: MAX_SLOW_MEGABYTES },
      note: `it asked for ${((SLOW_CALLS * LARGE.length) / 1e6).toFixed(0)} MB`,
    },
  ];
}

/** Many calls sent together, until all are answered. */
async function throughput(workspace: TempWorkspace): Promise<Row[]> {
  const { root, locations } = workspace;
  await using ours = await started('unlimited-server.ts', [root, locations.state, TOKEN]);
  await using bare = await started('bare-web-server.ts', []);
  const sockets = await compare(
    { ours: await overSockets(ours.port), bare: await overSockets(bare.port) },
    BATCHES,
  );
  const requests = await compare({ ours: overHttp(ours.port), bare: overHttp(bare.port) }, BATCHES);
  const row = (what: string, { ours: own, bare: other }: typeof sockets, beside: string): Row => ({
    what,
    sample: own,
    beside: { what: beside, sample: other },
    note: `${perSecond(own.p50)} calls a second; bare ${perSecond(other.p50)}`,
  });
  return [
    row(`WebSocket: ${IN_FLIGHT} reads in flight`, sockets, 'a bare ws echo'),
    row(`HTTP: ${IN_FLIGHT} reads in flight`, requests, 'a bare hono route'),
  ];
}

async function overSockets(port: number): Promise<Contender> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const open = (name: string): Promise<SocketSession> =>
    SocketSession.open(`ws://127.0.0.1:${port}/ws/${name}?dialect=handrail`, headers);
  const sessions = await Promise.all(['a', 'b', 'c', 'd'].map(open));
  let last = 0;
  const call = (_: unknown, index: number): Promise<void> =>
    sessions[index % sessions.length]!.call(`c${++last}`, 'read', { path: 'small.txt' });
  return { once: () => Promise.all(Array.from({ length: IN_FLIGHT }, call)) };
}

function overHttp(port: number): Contender {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ tool: 'read', args: { path: 'small.txt' } });
  const call = async (): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/calls`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`A measured call failed: ${await response.text()}`);
    await response.json();
  };
  return { once: () => Promise.all(Array.from({ length: IN_FLIGHT }, call)) };
}

/** A program of this folder that prints its port. */
async function started(
  name: string,
  args: readonly string[],
): Promise<{ readonly port: number } & AsyncDisposable> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function perSecond(microseconds: number): string {
  return ((IN_FLIGHT * 1e6) / microseconds).toFixed(0);
}

function residentKilobytes({ child }: { readonly child: ChildProcess }): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}
