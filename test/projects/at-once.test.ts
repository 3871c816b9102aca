/** Two projects used at once: 200 calls of all kinds, and nothing of one comes to be in the other. */
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, Approver, CallResponse, Runtime, Session } from '../../src/index.ts';
import { openState } from '../../src/open-state.ts';
import { auditReader } from '../../src/journal/audit-reader.ts';
import { type TempProjects, tempProjects } from '../support/projects.ts';

const IDS = ['a', 'b'] as const;
type Id = (typeof IDS)[number];
const CALLS = 100;

/** Of each project, every third write is refused; only a call's own project decides which. */
function isRefused(id: Id, number: number): boolean {
  return number % 3 === (id === 'a' ? 0 : 1);
}

describe('two projects at once', () => {
  it('have 200 calls under way, and no path, approval, grant, turn or undo crosses over', async () => {
    const asked: { readonly id: Id; readonly request: ApprovalRequest }[] = [];
    await using given = await tempProjects(
      { a: { 'r.txt': 'of a\n' }, b: { 'r.txt': 'of b\n' } },
      {
        dialect: 'tenas',
      },
    );
    const held = new Map<Id, Runtime>();
    const sessions = new Map<Id, Session>();
    for (const id of IDS) {
      held.set(id, await given.projects.runtime(id));
      sessions.set(id, await held.get(id)!.openSession({ id: 'same' }));
    }
    const approveIn =
      (id: Id, number: number): Approver =>
      async (request) => {
        asked.push({ id, request });
        // Others go on meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
        return isRefused(id, number) ? { answer: 'deny', reason: `no of ${id}` } : { answer: 'once' };
      };
    const callIn = (id: Id, number: number): Promise<CallResponse> =>
      given.projects.run(id, () => {
        const options = {
          session: sessions.get(id)!,
          turn: `turn-${number}`,
          approve: approveIn(id, number),
        };
        if (number % 4 === 0) return given.projects.call('file-read', { path: 'r.txt' }, options);
        if (number % 4 === 1) return given.projects.call('file-list', {}, options);
        const args = { path: `w${number}.txt`, content: `${id} ${number}\n` };
        return given.projects.call('file-write', args, options);
      });
    const numbers = Array.from({ length: CALLS }, (_, number) => number);
    const done = await Promise.all(
      numbers.flatMap((number) => IDS.map(async (id) => ({ id, number, ...(await callIn(id, number)) }))),
    );
    for (const { id, number, ...response } of done)
      expect([id, number, toldBy(response)]).toEqual([id, number, toldOf(id, number)]);
    for (const { id, request } of asked)
      expect((request.args as { content: string }).content.startsWith(`${id} `)).toBe(true);
    expect(asked).toHaveLength(100);
    const writes = numbers.filter((number) => number % 4 > 1);
    for (const id of IDS) expect(contents(given, id, writes)).toEqual(expected(id, writes));

    // All of one is taken back, while the other goes on.
    const more = numbers.slice(0, 20).map((number) => callIn('b', 4 * number + 2 + 1_000));
    await held.get('a')!.undo({ session: 'same' });
    const after = await Promise.all(more);
    expect(contents(given, 'a', writes)).toEqual([]);
    expect(contents(given, 'b', writes)).toEqual(expected('b', writes));
    expect(after.map(({ outcome }) => outcome)).toEqual(
      numbers.slice(0, 20).map((number) => (isRefused('b', 4 * number + 1_002) ? 'denied' : 'ok')),
    );
    expect((await held.get('b')!.turns(500)).every(({ workspace }) => workspace === given.root('b'))).toBe(
      true,
    );
    await verifyAudit(given, done);
    for (const runtime of held.values()) await runtime[Symbol.asyncDispose]();
  });
});

/** What a call was to be answered with. */
function toldOf(id: Id, number: number): string {
  if (number % 4 > 1 && isRefused(id, number)) return `no of ${id}`;
  return number % 4 === 0 ? `of ${id}\n` : 'ok';
}

function toldBy({ outcome, result, rendered }: CallResponse): string | undefined {
  if (outcome !== 'ok') return result.error?.message;
  const { content = 'ok' } = rendered as { readonly content?: string };
  return content;
}

function contents(given: TempProjects, id: Id, numbers: readonly number[]): string[] {
  return numbers.flatMap((number) => {
    try {
      return [given.read(id, `w${number}.txt`)];
    } catch {
      return [];
    }
  });
}

function expected(id: Id, numbers: readonly number[]): string[] {
  return numbers.filter((number) => !isRefused(id, number)).map((number) => `${id} ${number}\n`);
}

async function verifyAudit(
  given: TempProjects,
  calls: readonly { readonly id: Id; readonly callId: string }[],
): Promise<void> {
  await using runtime = await given.projects.runtime('a');
  await runtime.flush();
  await using state = openState(given.locations);
  const { directory, store, processes } = state;
  const reader = auditReader({ state: directory, database: store.database, processes });
  const listed = await reader.list({ limit: 1_000 });
  const workspaces = new Map(listed.map(({ call_id, workspace }) => [call_id, workspace]));
  for (const { id, callId } of calls) expect(workspaces.get(callId)).toBe(given.root(id));
  const chains = await reader.verify();
  expect(chains).toHaveLength(1);
  expect(chains[0]!.problem).toBeUndefined();
}
