/** Two projects in one process: nothing of one counts in the other. */
import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail } from '../../src/dialects/handrail/index.ts';
import { defineDialect, openProjects, type Rule } from '../../src/index.ts';
import { openState } from '../../src/open-state.ts';
import { approvalRows } from '../../src/store/approvals.ts';
import { localClock } from '../../src/host/local/clock.ts';
import { approver } from '../support/approver.ts';
import { type TempProjects, tempProjects } from '../support/projects.ts';

const AB = { a: { 'f.txt': 'of a\n' }, b: { 'f.txt': 'of b\n' } };
const WRITE = ['file-write', { path: 'f.txt', content: 'new\n' }] as const;
const TENAS = { dialect: 'tenas' };

describe('a session', () => {
  it('counts in its own project alone, with all that was granted in it', async () => {
    const approve = approver('session');
    await using given = await tempProjects(AB, { ...TENAS, approve });
    await using a = await given.projects.runtime('a');
    await using b = await given.projects.runtime('b');
    const session = await a.openSession({ id: 'mine' });
    expect((await a.call(...WRITE, { session })).outcome).toBe('ok');
    const crossed = await b.call(...WRITE, { session });
    expect(crossed.result.error).toMatchObject({
      code: 'E_CONFLICT',
      message: expect.stringContaining('mine'),
    });
    await expect(b.approvalRequest(...WRITE, { session })).rejects.toThrow('The session mine is one of');
    expect([given.read('b', 'f.txt'), approve.asked.length]).toEqual(['of b\n', 1]);
  });

  it('of the same id is another one in another project, and is asked anew', async () => {
    const approve = approver('session');
    await using given = await tempProjects(AB, { ...TENAS, approve });
    for (const id of ['a', 'b', 'a', 'b']) {
      await using runtime = await given.projects.runtime(id);
      await runtime.call(...WRITE, { session: await runtime.openSession({ id: 'mine' }) });
    }
    expect(approve.asked).toHaveLength(4);
  });

  it('of the same id finds neither the output nor the answers of the other', async () => {
    const small = defineDialect({ name: 'small', extends: handrail, replyBytes: 1_000, tools: [] });
    const lines = Array.from({ length: 500 }, (_, number) => `line ${number} of a\n`).join('');
    const files = { a: { 'long.txt': lines }, b: { 'long.txt': 'short\n' } };
    const rules: Rule[] = [{ action: 'allow', permission: 'fs.read' }];
    await using given = await tempProjects(files, { dialects: [small], dialect: 'small', rules });
    await using a = await given.projects.runtime('a');
    await using b = await given.projects.runtime('b');
    const [inA, inB] = [await a.openSession({ id: 'mine' }), await b.openSession({ id: 'mine' })];
    const read = { tool_call_id: 'one', name: 'grep', version: '1.0.0', args: { pattern: 'of a|short' } };
    const request = { ...read, trace_id: 't', timestamp: 0 };
    await a.execute(request, { session: inA, resume: true });
    const resumed = await b.execute(request, { session: inB, resume: true });
    expect(resumed.result).toMatchObject({ ok: true });
    expect(JSON.stringify(resumed.reply)).not.toContain('of a');
    const [kept] = await outputIds(given);
    const page = { output_id: kept, offset: 0 };
    expect((await b.call('read_output', page, { session: inB })).result.error?.code).toBe('E_NOT_FOUND');
    expect((await a.call('read_output', page, { session: inA })).result).toMatchObject({ ok: true });
  });
});

async function outputIds({ locations }: TempProjects): Promise<string[]> {
  await using state = openState(locations);
  return (await state.store.database.selectFrom('outputs').select('id').execute()).map(({ id }) => id);
}

describe('an approval', () => {
  it('that was answered for one project is not taken by the same call in another', async () => {
    const same = { 'f.txt': 'old\n' };
    await using given = await tempProjects({ a: same, b: same }, { ...TENAS, wait: true });
    await using a = await given.projects.runtime('a');
    await using b = await given.projects.runtime('b');
    await using state = openState(given.locations);
    const rows = approvalRows(state.store.database, localClock, state.processes);
    const [inA, inB] = [await a.openSession({ id: 'mine' }), await b.openSession({ id: 'mine' })];
    const stop = new AbortController();
    const asking = a.call(...WRITE, { session: inA, signal: stop.signal });
    const question = await whenAsked(rows);
    const other = b.call(...WRITE, { session: inB, signal: stop.signal });
    const second = await whenAsked(rows, question.id);
    expect(second.hash).toBe(question.hash);
    await rows.answer(question.id, { answer: 'once' });
    expect((await asking).outcome).toBe('ok');
    expect((await rows.find(second.id))?.state).toBe('pending');
    await rows.answer(second.id, { answer: 'deny' });
    expect((await other).outcome).toBe('denied');
    expect([given.read('a', 'f.txt'), given.read('b', 'f.txt')]).toEqual(['new\n', 'old\n']);
  });

  it('"always" writes a rule for its own project', async () => {
    const approve = approver('always');
    await using given = await tempProjects(AB, { approve, readConfig: true });
    for (const id of ['a', 'a', 'b'])
      await given.projects.run(id, () => given.projects.call('write', { path: 'f.txt', content: `${id}\n` }));
    expect(approve.asked.map(({ alwaysRule }) => alwaysRule?.workspace)).toEqual([
      given.root('a'),
      given.root('b'),
    ]);
  });

  it('of a visitor is none of the project itself, nor the other way round', async () => {
    const approve = approver('session');
    await using given = await tempProjects(AB, { ...TENAS, approve });
    await using a = await given.projects.runtime('a');
    await using b = await given.projects.runtime('b');
    const [inA, inB] = [await a.openSession({ id: 'mine' }), await b.openSession({ id: 'mine' })];
    const there = { path: '[b]/f.txt', content: 'new\n' };
    await a.call('file-write', there, { session: inA });
    await a.call('file-write', there, { session: inA });
    expect(approve.asked).toHaveLength(1);
    await b.call(...WRITE, { session: inB });
    expect(approve.asked).toHaveLength(2);
    await a.call(...WRITE, { session: inA });
    expect(approve.asked).toHaveLength(3);
    const [visiting, atHome] = approve.asked.map(({ hash }) => hash);
    expect(visiting).not.toBe(atHome);
  });
});

async function whenAsked(rows: ReturnType<typeof approvalRows>, but?: string) {
  for (;;) {
    const found = (await rows.pending()).find(({ id }) => id !== but);
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the files of a project', () => {
  const READ_B: Rule = { action: 'allow', permission: '*', project: 'b' };

  it('are not reached through links, neither from another project nor by a visitor', async () => {
    await using given = await tempProjects(AB, { ...TENAS, rules: [READ_B], approve: approver('once') });
    symlinkSync(given.root('b'), join(given.root('a'), 'to-b'));
    symlinkSync(join(given.root('b'), 'f.txt'), join(given.root('a'), 'f-of-b'));
    symlinkSync(given.root('a'), join(given.root('b'), 'to-a'));
    const codeOf = async (path: string, tool = 'file-read'): Promise<string | undefined> => {
      const args = tool === 'file-read' ? { path } : { path, content: 'x' };
      return (await given.projects.run('a', () => given.projects.call(tool, args))).result.error?.code;
    };
    for (const path of ['to-b/f.txt', 'f-of-b', '[b]/to-a/f.txt']) {
      expect([path, await codeOf(path)]).toEqual([path, 'E_OUTSIDE_WORKSPACE']);
      expect([path, await codeOf(path, 'file-write')]).toEqual([path, 'E_OUTSIDE_WORKSPACE']);
    }
    expect([given.read('a', 'f.txt'), given.read('b', 'f.txt')]).toEqual(['of a\n', 'of b\n']);
  });

  it('keep their own protection from a visitor, whatever it may', async () => {
    const secrets: Rule = { action: 'deny', permission: 'fs.read', path: 'private', workspace: '/replaced' };
    await using given = await tempProjects(AB, TENAS);
    given.write('b', '.ssh/id', 'key\n');
    given.write('b', 'private/p.txt', 'p\n');
    const rules = [READ_B, { ...secrets, workspace: given.root('b') }];
    await using projects = await openProjects({ locations: given.locations, ...TENAS, rules });
    const codeOf = async (path: string): Promise<string | undefined> =>
      (await projects.run('a', () => projects.call('file-read', { path }))).result.error?.code;
    expect(await codeOf('[b]/f.txt')).toBeUndefined();
    expect(await codeOf('[b]/.ssh/id')).toBe('E_POLICY_DENIED');
    expect(await codeOf('[b]/private/p.txt')).toBe('E_POLICY_DENIED');
  });

  it('are visited by an agent with the tools that it has, whoever came before it in the session', async () => {
    await using given = await tempProjects(AB, { ...TENAS, rules: [READ_B], approve: approver('once') });
    await using a = await given.projects.runtime('a');
    const session = await a.openSession();
    const reader = { ...session, agent: { name: 'reader', tools: { 'file-write': false } } };
    const args = { path: '[b]/f.txt', content: 'x' };
    expect((await a.call('file-write', args, { session })).outcome).toBe('ok');
    const refused = await a.call('file-write', args, { session: reader });
    expect(refused.result.error?.code).toBe('E_NO_TOOL');
    const looking = await a.call('file-write', args, { session: { ...session, mode: 'read-only' } });
    expect(looking.result.error?.code).toBe('E_POLICY_DENIED');
  });

  it('are changed in the mode that permits least of the two', async () => {
    await using given = await tempProjects(AB, { ...TENAS, rules: [READ_B], approve: approver('once') });
    await given.projects.remove('b');
    await given.projects.add({ folder: given.root('b'), id: 'b', settings: { mode: 'read-only' } });
    const write = { path: '[b]/f.txt', content: 'x' };
    const { result } = await given.projects.run('a', () => given.projects.call('file-write', write));
    expect(result.error?.message).toBe('Mode read-only does not permit fs.write.');
  });

  it('have links of their own to the same file, and undo gives back each', async () => {
    await using given = await tempProjects(AB, { ...TENAS, approve: approver('once') });
    linkSync(join(given.root('b'), 'f.txt'), join(given.root('a'), 'same.txt'));
    const args = { path: 'same.txt', content: 'by a\n' };
    await given.projects.run('a', () => given.projects.call('file-write', args));
    expect([given.read('a', 'same.txt'), given.read('b', 'f.txt')]).toEqual(['by a\n', 'of b\n']);
  });
});

describe('undo', () => {
  it('takes back no turn of another project, whatever it is called', async () => {
    await using given = await tempProjects(AB, { ...TENAS, approve: approver('once') });
    const written = [];
    for (const id of ['a', 'b'])
      written.push(await given.projects.run(id, () => given.projects.call(...WRITE, { turn: 'same' })));
    await using a = await given.projects.runtime('a');
    const [, inB] = written;
    for (const query of [{ turn: inB!.turn }, { call: inB!.callId }, { turns: [inB!.turn] }])
      await a.undo(query).catch(() => undefined);
    expect(given.read('b', 'f.txt')).toBe('new\n');
    await a.undo({ turn: 'same' }).catch(() => undefined);
    await a.undo({ last: 5 }).catch(() => undefined);
    expect([given.read('a', 'f.txt'), given.read('b', 'f.txt')]).toEqual(['of a\n', 'new\n']);
  });
});
