/**
 * What was approved is exactly what runs, once: a yes can't be stretched, moved or used again. What each attack is in vain
 * against is taken away for the proof that it bites: the runtime is real there too, and asks somebody who binds a yes to less.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ApprovalRequest, Approver, CallResponse, Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { answeredWhileDead } from '../support/asking.ts';
import { openQuestions } from '../support/questions.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import { believing, CLAIMS } from './believing.ts';

const WRITE = { path: 'a.txt', content: 'harmless\n' };
const SESSION = 'ses_one';

/** The same call, but for a byte, an argument or a name. */
const OTHERS = [
  { ...WRITE, content: 'harmless' },
  { ...WRITE, content: 'harmless\n ' },
  { ...WRITE, path: 'a.txt2' },
  { ...WRITE, path: 'A.txt' },
];

const contentOf = ({ root }: TempWorkspace, path = 'a.txt'): string => readFileSync(join(root, path), 'utf8');

/** A yes that counts for every call with the same words, taken from what was shown of it. */
function remembering(words: (request: ApprovalRequest) => unknown, approved: object): Approver {
  const known = JSON.stringify(approved);
  return async (request) => ({ answer: JSON.stringify(words(request)) === known ? 'once' : 'deny' });
}

/** Asks about a call, and makes it once there is a yes, with the arguments as they are by then. */
async function askThenCall(runtime: Runtime, args: object, approve: Approver): Promise<CallResponse> {
  const { request } = await runtime.approvalRequest('write', args);
  await approve(request!, new AbortController().signal);
  return runtime.call('write', args, { approve: approver('once') });
}

/** A person says yes, and meanwhile it becomes something else. */
function changing(args: Record<string, string>): Approver {
  return async () => {
    args['content'] = 'harmful\n';
    args['path'] = 'b.txt';
    return { answer: 'once' };
  };
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'AP-01',
    title: 'arguments that change while the question is open (CVE-2026-28466)',
    attack: async () => {
      await using workspace = tempWorkspace();
      const args: Record<string, string> = { ...WRITE };
      const runtime = await workspace.runtime({ approve: changing(args) });
      expect(await runtime.call('write', args)).toMatchObject({
        outcome: 'ok',
        result: { artifacts: { files_changed: ['a.txt'] } },
      });
      expect(contentOf(workspace)).toBe('harmless\n');
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const args: Record<string, string> = { ...WRITE };
      await askThenCall(await workspace.runtime(), args, changing(args));
      expect(contentOf(workspace, 'b.txt')).toBe('harmful\n');
    },
  },
  {
    id: 'AP-01',
    title: 'a yes for a call that differs by a byte, an argument or a name',
    attack: async () => {
      await using workspace = tempWorkspace();
      await answeredWhileDead(workspace, { session: SESSION, ...WRITE });
      const runtime = await workspace.runtime({ wait: true });
      const session = await runtime.openSession({ id: SESSION });
      await using questions = openQuestions(workspace.locations.state);
      for (const args of OTHERS) {
        const asking = runtime.call('write', args, { session });
        const [open] = await questions.whenOpen();
        await questions.answer(open!.id, { answer: 'deny' });
        expect(await asking).toMatchObject({ outcome: 'denied' });
      }
      // The yes is still there for the call it was given to.
      expect(await runtime.call('write', WRITE, { session })).toMatchObject({ outcome: 'ok' });
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const approve = remembering(({ tool }) => ({ tool }), { tool: 'write' });
      const runtime = await workspace.runtime({ approve });
      for (const args of OTHERS) expect(await runtime.call('write', args)).toMatchObject({ outcome: 'ok' });
    },
  },
  {
    id: 'AP-01',
    title: 'a yes for a call whose file has become another one',
    attack: async () => {
      await using workspace = tempWorkspace({ 'a.txt': 'worthless\n' });
      await answeredWhileDead(workspace, { session: SESSION, ...WRITE });
      workspace.write('a.txt', 'precious\n');
      const runtime = await workspace.runtime();
      const session = await runtime.openSession({ id: SESSION });
      expect(await runtime.call('write', WRITE, { session })).toMatchObject({ outcome: 'denied' });
      expect(contentOf(workspace)).toBe('precious\n');
      // The yes is still there for what was shown.
      workspace.write('a.txt', 'worthless\n');
      expect(await runtime.call('write', WRITE, { session })).toMatchObject({ outcome: 'ok' });
    },
    bites: async () => {
      await using workspace = tempWorkspace({ 'a.txt': 'precious\n' });
      const approve = remembering(({ args }) => args, WRITE);
      await (await workspace.runtime({ approve })).call('write', WRITE);
      expect(contentOf(workspace)).toBe('harmless\n');
    },
  },
  {
    id: 'AP-01',
    title: 'arguments that say they are approved',
    attack: async () => {
      await using workspace = tempWorkspace();
      const approve = approver('deny');
      const runtime = await workspace.runtime({ approve });
      for (const claim of CLAIMS) {
        const { result } = await runtime.call('write', { ...WRITE, ...claim });
        expect(result.error?.code).toBe('E_INVALID_ARGS');
        const request = { tool_call_id: '1', name: 'write', args: WRITE, ...claim };
        expect((await runtime.execute(request)).outcome).not.toBe('ok');
      }
      // One of them is a word of requests, and can only ask for more.
      expect(approve.asked).toHaveLength(1);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const runtime = believing(await workspace.runtime({ approve: approver('deny') }));
      expect(await runtime.call('write', WRITE)).toMatchObject({ outcome: 'denied' });
      for (const claim of CLAIMS)
        expect(await runtime.call('write', { ...WRITE, ...claim })).toMatchObject({ outcome: 'ok' });
    },
  },
  {
    id: 'AP-02',
    title: 'a yes that is used again, elsewhere or after a restart',
    attack: async () => {
      await using workspace = tempWorkspace();
      const second = join(workspace.root, '../second');
      mkdirSync(second);
      const id = await answeredWhileDead(workspace, { session: SESSION, ...WRITE });
      await using questions = openQuestions(workspace.locations.state);
      const elsewhere = await workspace.runtime({ workspace: second });
      const other = await elsewhere.openSession({ id: SESSION });
      expect(await elsewhere.call('write', WRITE, { session: other })).toMatchObject({ outcome: 'denied' });
      const later = await workspace.runtime();
      expect(await later.call('write', WRITE)).toMatchObject({ outcome: 'denied' });
      const same = await later.openSession({ id: SESSION });
      expect(await later.call('write', WRITE, { session: same })).toMatchObject({ outcome: 'ok' });
      expect(await later.call('write', WRITE, { session: same })).toMatchObject({ outcome: 'denied' });
      expect(await questions.answer(id, { answer: 'once' })).toBe(false);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      const second = join(workspace.root, '../second');
      mkdirSync(second);
      const approve = remembering(({ args }) => args, WRITE);
      const runtime = await workspace.runtime({ approve });
      const elsewhere = await workspace.runtime({ workspace: second, approve });
      for (const call of [runtime, runtime, elsewhere])
        expect(await call.call('write', WRITE)).toMatchObject({ outcome: 'ok' });
    },
  },
];

describe('an approval', () => {
  testAttacks(ATTACKS);
});
