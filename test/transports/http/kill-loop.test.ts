/**
 * A server that is killed in the middle of calls and questions, at random moments, and started again on the same state.
 * Longer with HANDRAIL_KILL_ROUNDS, and again the same with HANDRAIL_KILL_SEED.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
const CALLS = 4 * ROUNDS;
const LATEST_KILL_MS = 1_500;
const CLIENTS = ['http-1', 'http-2', 'socket-1', 'socket-2'];
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

/** Calls one after the other, each of which would leave another line where it ran twice. */
async function work(make: Make, name: string, ends: Map<string, End>): Promise<void> {
  for (let number = 0; number < CALLS; number++) {
    const id = `${name}-${number}`;
    const args = { path: `${name}.txt`, old_string: 'END', new_string: `${id}\nEND` };
    ends.set(id, await make(id, args, isAsked(number)));
  }
}

/** Answers what is asked until the server is gone; gives what was open when it looked last. */
async function answerAll(
  person: Client,
  answers: () => boolean,
  isOver: () => boolean,
): Promise<Set<string>> {
  let open = new Set<string>();
  while (!isOver()) {
    const { approvals } = await person.listApprovals({}).catch(() => ({ approvals: undefined }));
    if (approvals === undefined) return open;
    open = new Set(approvals.map(({ id }) => id));
    for (const id of open) {
      if (!answers()) continue;
      // The first answer counts, also where the server dies before it can say so.
      open.delete(id);
      await person.answerApproval({ id, answer: 'once' }).catch(() => undefined);
    }
    await setTimeout(20);
  }
  return open;
}

describe('a server that is killed', () => {
  it(
    `has every question again, loses no call and repeats none (seed ${SEED})`,
    async () => {
      const next = random(SEED);
      await using workspace = tempWorkspace(
        Object.fromEntries(CLIENTS.map((name) => [`${name}.txt`, 'END\n'])),
      );
      await using state = openState({ state: join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail') });
      await using _present = await beApprover(state.store.database, localClock, state.processes, PAGE);
      let port = '0';
      const start = (): Promise<Serving> =>
        serve(workspace, ['--mode', 'auto', '--port', port], { environment: { HANDRAIL_TOKEN: TOKEN } });
      let server = await start();
      ({ port } = server.url);
      const url = server.url.origin;
      const ends = new Map<string, End>();
      const sockets = CLIENTS.filter((name) => name.startsWith('socket')).map((session) => ({
        session,
        socket: new HandrailSocket({ url, token: TOKEN, session, dialect: 'handrail' }),
      }));
      let isDone = false;
      const working = Promise.all([
        ...CLIENTS.filter((name) => name.startsWith('http')).map((name) =>
          work(overHttp(url, name), name, ends),
        ),
        ...sockets.map(({ session, socket }) => work(overSocket(socket), session, ends)),
      ]).finally(() => (isDone = true));
      working.catch(() => undefined);
      const personOf = ({ url: { hash } }: Serving): Client =>
        handrailClient({ url, token: TOKEN, approvalKey: hash.replace('#approve=', '') });
      for (let round = 0; round < ROUNDS; round++) {
        const answering = answerAll(
          personOf(server),
          () => next() < 0.5,
          () => isDone,
        );
        await setTimeout(next() * LATEST_KILL_MS);
        const gone = once(server.child, 'exit');
        server.child.kill('SIGKILL');
        await gone;
        const left = await answering;
        server = await start();
        const { approvals } = await personOf(server).listApprovals({});
        const open = new Set(approvals.map(({ id }) => id));
        expect([...left].filter((id) => !open.has(id))).toEqual([]);
      }
      const answering = answerAll(
        personOf(server),
        () => true,
        () => isDone,
      );
      await working;
      await answering;
      for (const { socket } of sockets) socket.close();
      await server[Symbol.asyncDispose]();
      for (const name of CLIENTS) {
        const lines = readFileSync(join(workspace.root, `${name}.txt`), 'utf8')
          .trimEnd()
          .split('\n');
        expect(lines.pop()).toBe('END');
        // None twice; and those that were said to have run did.
        expect(lines).toEqual([...new Set(lines)]);
        const ran = [...ends].filter(([id, end]) => id.startsWith(`${name}-`) && end === 'ok');
        expect(ran.map(([id]) => id).filter((id) => !lines.includes(id))).toEqual([]);
      }
      expect(ends.size).toBe(CLIENTS.length * CALLS);
    },
    60_000 + ROUNDS * 20_000,
  );
});
