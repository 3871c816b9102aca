/** Many projects in one process: whose the current one is, and what an idle one costs. */
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { openState } from '../../src/open-state.ts';
import type { Locations } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { openDescriptors, tempProjects } from '../support/projects.ts';

const AB = { a: { 'f.txt': 'of a\n' }, b: { 'f.txt': 'of b\n' } };
const READ = ['file-read', { path: 'f.txt' }] as const;
const TENAS = { dialect: 'tenas' };

async function chains(locations: Locations): Promise<number> {
  await using state = openState(locations);
  return (await state.store.database.selectFrom('audit_chains').selectAll().execute()).length;
}

describe('openProjects', () => {
  it('runs a call in the current project, whatever else goes on', async () => {
    await using temp = await tempProjects(AB, TENAS);
    const { projects } = temp;
    const readIn = (id: string): Promise<unknown> =>
      projects.run(id, async () => {
        await Promise.resolve();
        expect(projects.current()).toBe(id);
        return (await projects.call(...READ)).rendered;
      });
    const read = await Promise.all(['a', 'b', 'a', 'b'].map(readIn));
    expect(read).toMatchObject(['a', 'b', 'a', 'b'].map((id) => ({ content: `of ${id}\n` })));
    const inner = projects.run('a', () => projects.run('b', () => projects.call(...READ)));
    expect((await inner).rendered).toMatchObject({ content: 'of b\n' });
    expect(projects.current()).toBeUndefined();
    expect(await chains(temp.locations)).toBe(1);
  });

  it('makes whole requests there, too', async () => {
    await using temp = await tempProjects(AB, TENAS);
    const request = { tool_call_id: 'one', name: 'file-read', version: '1.0.0', args: { path: 'f.txt' } };
    const whole = { ...request, trace_id: 't', timestamp: 0 };
    const { result } = await temp.projects.run('b', () => temp.projects.execute(whole));
    expect(result).toMatchObject({ tool_call_id: 'one', ok: true, payload: { content: 'of b\n' } });
  });

  it('answers a call without a project, or of one that is not there, in the words of the dialect', async () => {
    await using temp = await tempProjects(AB, TENAS);
    const { projects } = temp;
    const none = await projects.call('file-read', { path: 'f.txt' });
    expect(none).toMatchObject({
      outcome: 'failed',
      reply: {
        ok: false,
        error: { code: 'E_NO_PROJECT', message: expect.stringMatching(/^projectId is required\. /) },
      },
    });
    const unknown = await projects.run('../b', () => projects.call('file-read', { path: 'f.txt' }));
    expect(unknown.reply).toMatchObject({
      error: { code: 'E_NO_PROJECT', message: expect.stringMatching(/There is no project "\.\.\/b"/) },
    });
    renameSync(temp.root('b'), temp.root('c'));
    const gone = await projects.run('b', () => projects.call('file-read', { path: 'f.txt' }));
    expect(gone.reply).toMatchObject({
      error: { code: 'E_NO_PROJECT_ROOT', message: expect.stringMatching(/^project root not found\. /) },
    });
  });

  it('does not follow a folder that leads into another project', async () => {
    await using temp = await tempProjects(AB, TENAS);
    renameSync(temp.root('b'), temp.root('c'));
    symlinkSync(temp.root('a'), temp.root('b'));
    const { result } = await temp.projects.run('b', () => temp.projects.call(...READ));
    expect(result.error?.code).toBe('E_NO_PROJECT_ROOT');
  });

  it('opens one runtime for all who first come at once, and shares it', async () => {
    await using temp = await tempProjects(AB, TENAS);
    const held = await Promise.all(Array.from({ length: 20 }, () => temp.projects.runtime('a')));
    const runtimes = new Set(held.map((runtime) => Object.getPrototypeOf(runtime) as unknown));
    expect(runtimes.size).toBe(1);
    for (const runtime of held) await runtime[Symbol.asyncDispose]();
    expect((await temp.projects.run('a', () => temp.projects.call(...READ))).outcome).toBe('ok');
  });

  it("speaks a project's dialect, in its mode", async () => {
    await using temp = await tempProjects({ a: {} }, { mode: 'auto' });
    mkdirSync(temp.root('b'));
    const settings = { dialect: 'tenas', mode: 'read-only' as const };
    await temp.projects.add({ folder: temp.root('b'), settings });
    const write = { path: 'x', content: 'x' };
    const inA = await temp.projects.run('a', () => temp.projects.call('write', write));
    const inB = await temp.projects.run('b', () => temp.projects.call('file-write', write));
    expect([inA.outcome, inB.result.error?.message]).toEqual([
      'ok',
      'Mode read-only does not permit fs.write.',
    ]);
  });

  it('closes what nobody uses; a session goes on with what was granted in it', async () => {
    const approve = approver('session');
    await using temp = await tempProjects(AB, { approve, idleMs: 5, dialect: 'tenas' });
    const { projects } = temp;
    const before = openDescriptors();
    const write = (content: string) => projects.call('file-write', { path: 'f.txt', content }, { session });
    const runtime = await projects.runtime('a');
    const session = await runtime.openSession();
    await runtime[Symbol.asyncDispose]();
    expect((await projects.run('a', () => write('one'))).outcome).toBe('ok');
    // The audit chain of the process stays open.
    await vi.waitFor(() => expect(openDescriptors()).toBeLessThanOrEqual(before + 1), 10_000);
    expect((await projects.run('a', () => write('two'))).outcome).toBe('ok');
    expect(approve.asked).toHaveLength(1);
    expect(temp.read('a', 'f.txt')).toBe('two');
  });

  it('keeps what is held open, however long', async () => {
    await using temp = await tempProjects({ a: {}, b: {}, c: {} }, { idleMs: 1, maxOpen: 1 });
    await using runtime = await temp.projects.runtime('a');
    for (const id of ['b', 'c', 'b'])
      expect((await temp.projects.run(id, () => temp.projects.call('list', { path: '.' }))).outcome).toBe(
        'ok',
      );
    expect((await runtime.call('list', { path: '.' })).outcome).toBe('ok');
  });

  it('has thousands of projects that cost nothing while nobody uses them', async () => {
    await using temp = await tempProjects(
      { first: { 'f.txt': '' } },
      { ...TENAS, maxOpen: 4, idleMs: 60_000 },
    );
    const { projects } = temp;
    await projects.run('first', () => projects.call(...READ));
    globalThis.gc?.();
    const before = { descriptors: openDescriptors(), timers: timers(), heap: process.memoryUsage().heapUsed };
    for (let number = 0; number < 2_000; number++) {
      mkdirSync(temp.root(`p${number}`));
      await projects.add({ folder: temp.root(`p${number}`) });
    }
    expect(await projects.list()).toHaveLength(2_001);
    globalThis.gc?.();
    expect(openDescriptors()).toBeLessThanOrEqual(before.descriptors);
    expect(timers()).toBeLessThanOrEqual(before.timers);
    expect(process.memoryUsage().heapUsed - before.heap).toBeLessThan(32 * 1024 * 1024);
    const used = Array.from({ length: 60 }, (_, number) => `p${number * 30}`);
    for (const id of used)
      expect((await projects.run(id, () => projects.call('file-list', {}))).outcome).toBe('ok');
    const ofOne = 4;
    expect(openDescriptors()).toBeLessThanOrEqual(before.descriptors + 4 * ofOne);
  });
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
