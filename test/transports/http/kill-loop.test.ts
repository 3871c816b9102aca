/**
 * A server that is killed in the middle of calls and questions, at random moments, and started again on the same state.
 * Longer with HANDRAIL_KILL_ROUNDS, and again the same with HANDRAIL_KILL_SEED.
 */
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApiFailure, type Client, handrailClient, HandrailSocket } from '../../../src/client/index.ts';
import { localClock } from '../../../src/host/local/clock.ts';
import { openState } from '../../../src/open-state.ts';
import { beApprover, PAGE } from '../../../src/store/approvers.ts';
import { environmentOf } from '../../support/command-line.ts';
import { serve, type Serving } from '../../support/serve.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const ROUNDS = Number(process.env['HANDRAIL_KILL_ROUNDS'] ?? 3);
const SEED = Number(process.env['HANDRAIL_KILL_SEED'] ?? Date.now() % 1_000_000);
const TOKEN = 'token-of-the-loop-0123456789';
/** How many calls show how long one takes. */
const MEASURED = 10;
const MEASURER = 'measurer';
const CLIENTS = ['http-1', 'http-2', 'socket-1', 'socket-2'];
const isOfClient = (file: string | null): boolean => CLIENTS.some((name) => file === `${name}.txt`);
/** Every third call waits for a person. */
const isAsked = (number: number): boolean => number % 3 === 2;

/** How a call ended for its client: it ran, or was cut short while it ran, and does not run again. */
type End = 'ok' | 'interrupted';

type Make = (id: string, args: object, requiresApproval: boolean) => Promise<End>;

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function endOf(error: { readonly code: string; readonly message: string } | null | undefined): End {
  if (error === null || error === undefined) return 'ok';
  if (error.code === 'E_CONFLICT' && error.message.includes('interrupted')) return 'interrupted';
  throw new Error(`A call failed: ${error.code} ${error.message}`);
}

/** Sends a call until it is answered, whatever happens to the server meanwhile. */
function overHttp(url: string, session: string): Make {
  const client = handrailClient({ url, token: TOKEN });
  return async (id, args, requires_approval) => {
    for (;;) {
      try {
        const request = { tool_call_id: id, name: 'edit', args, requires_approval };
        return endOf((await client.executeCall({ request, session })).result.error);
      } catch (error) {
        if (error instanceof ApiFailure && error.status >= 400) throw error;
        await setTimeout(20);
      }
    }
  };
}

function overSocket(socket: HandrailSocket): Make {
  return async (id, args, requiresApproval) =>
    endOf((await socket.call('edit', args, { id, requiresApproval })).error);
}

/** A call that would leave another line where it ran twice. */
function callOf(name: string, number: number): Parameters<Make> {
  const id = `${name}-${number}`;
  return [id, { path: `${name}.txt`, old_string: 'END', new_string: `${id}\nEND` }, isAsked(number)];
}

/** Such calls one after the other until it is over; tells when it sends one that nobody is asked about. */
async function work(make: Make, name: string, { ends, sending, isOver }: Work): Promise<void> {
  for (let number = 0; !isOver(); number++) {
    const [id, ...rest] = callOf(name, number);
    if (!isAsked(number)) sending.emit('plain');
    ends.set(id, await make(id, ...rest));
  }
}

interface Work {
  readonly ends: Map<string, End>;
  readonly sending: EventEmitter;
  readonly isOver: () => boolean;
}

/** How long a call takes that nobody is asked about, in milliseconds. */
async function measure(make: Make, name: string): Promise<number> {
  const startedAt = performance.now();
  for (let number = 0; number < MEASURED; number++) {
    const [id, args] = callOf(name, number);
    await make(id, args, false);
  }
  return (performance.now() - startedAt) / MEASURED;
}

/** Answers all but so many of what is asked until the server is gone; gives what was open when it looked last. */
async function answer(person: Client, { allBut, isOver }: Answering): Promise<Set<string>> {
  let open = new Set<string>();
  while (!isOver()) {
    const { approvals } = await person.listApprovals({}).catch(() => ({ approvals: undefined }));
    if (approvals === undefined) return open;
    open = new Set(approvals.map(({ id }) => id));
    for (const id of [...open].slice(allBut)) {
      // The first answer counts, also where the server dies before it can say so.
      open.delete(id);
      await person.answerApproval({ id, answer: 'once' }).catch(() => undefined);
    }
    await setTimeout(20);
  }
  return open;
}

/** How many calls were under way when the server was killed, without those that waited for a person. */
async function countCutShort(person: Client): Promise<number> {
  const { calls } = await person.listCalls({ outcome: 'interrupted', limit: 1_000 });
  return calls.filter(({ toolCallId }) => !isAsked(Number(toolCallId.split('-').at(-1)))).length;
}

interface Answering {
  readonly allBut: number;
  readonly isOver: () => boolean;
}

describe('a server that is killed', () => {
  it(
    `has every question again, loses no call and repeats none (seed ${SEED})`,
    async () => {
      const next = random(SEED);
      await using workspace = tempWorkspace(
        Object.fromEntries([...CLIENTS, MEASURER].map((name) => [`${name}.txt`, 'END\n'])),
      );
      await using state = openState({ state: join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail') });
      await using _present = await beApprover(state.store.database, localClock, state.processes, PAGE);
      const linesOf = (name: string): string[] =>
        readFileSync(join(workspace.root, `${name}.txt`), 'utf8')
          .split('\n')
          .slice(0, -2);
      let port = '0';
      const start = (): Promise<Serving> =>
        serve(workspace, ['--mode', 'auto', '--port', port], { environment: { HANDRAIL_TOKEN: TOKEN } });
      let server = await start();
      ({ port } = server.url);
      const url = server.url.origin;
      const personOf = ({ url: { hash } }: Serving): Client =>
        handrailClient({ url, token: TOKEN, approvalKey: hash.replace('#approve=', '') });
      const took = await measure(overHttp(url, MEASURER), MEASURER);
      const ends = new Map<string, End>();
      const sending = new EventEmitter();
      const sockets = CLIENTS.filter((name) => name.startsWith('socket')).map((session) => ({
        session,
        socket: new HandrailSocket({ url, token: TOKEN, session, dialect: 'handrail' }),
      }));
      let isLast = false;
      let isDone = false;
      const over: Work = { ends, sending, isOver: () => isLast };
      const working = Promise.all([
        ...CLIENTS.filter((name) => name.startsWith('http')).map((name) =>
          work(overHttp(url, name), name, over),
        ),
        ...sockets.map(({ session, socket }) => work(overSocket(socket), session, over)),
      ]).finally(() => (isDone = true));
      working.catch(() => undefined);
      const seen = { cutShort: 0, unanswered: 0 };
      // Kills that never met a call under way, or one that had run and was not answered, would prove nothing.
      for (let round = 0; round < ROUNDS || Object.values(seen).includes(0); round++) {
        const answering = answer(personOf(server), { allBut: 1, isOver: () => isDone });
        await expect.poll(async () => (await personOf(server).listApprovals({})).approvals).not.toEqual([]);
        for (let calls = Math.floor(next() * 20); calls >= 0; calls--) await once(sending, 'plain');
        // Somewhere in the middle of a call, or as soon as one did something.
        if (round % 2 === 0) await setTimeout(next() * took);
        else for await (const { filename } of watch(workspace.root)) if (isOfClient(filename)) break;
        const gone = once(server.child, 'exit');
        server.child.kill('SIGKILL');
        await gone;
        const left = await answering;
        expect(left.size).toBeGreaterThan(0);
        seen.unanswered += CLIENTS.flatMap(linesOf).filter((id) => !ends.has(id)).length;
        server = await start();
        seen.cutShort = await countCutShort(personOf(server));
        const { approvals } = await personOf(server).listApprovals({});
        const open = new Set(approvals.map(({ id }) => id));
        expect([...left].filter((id) => !open.has(id))).toEqual([]);
      }
      isLast = true;
      const answering = answer(personOf(server), { allBut: 0, isOver: () => isDone });
      await working;
      await answering;
      for (const { socket } of sockets) socket.close();
      await server[Symbol.asyncDispose]();
      for (const name of CLIENTS) {
        const lines = linesOf(name);
        // None twice; and those that were said to have run did.
        expect(lines).toEqual([...new Set(lines)]);
        const ran = [...ends].filter(([id, end]) => id.startsWith(`${name}-`) && end === 'ok');
        expect(ran.map(([id]) => id).filter((id) => !lines.includes(id))).toEqual([]);
      }
    },
    60_000 + ROUNDS * 20_000,
  );
});
