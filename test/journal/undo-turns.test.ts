/** Which turns an undo takes back: the last one, a named one, those of a call, a time or a session. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRuntime, type Runtime } from '../../src/index.ts';
import { type Session, turnAt } from '../../src/runtime/session.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { treeOf } from './fixtures/tree.ts';
import { inStore } from './fixtures/used-state.ts';
import { actionsOf, type Change, work } from './fixtures/work.ts';

const NOTHING = { code: 'E_NOT_FOUND', message: 'There is no turn to take back.' };

/** A workspace whose file `f` went from 0 to 3 in the turns turn-1 to turn-3, each of which also made a file. */
async function threeTurns(): Promise<TempWorkspace & { readonly worker: Runtime }> {
  const workspace = tempWorkspace({ f: '0' });
  const worker = await workspace.runtime({ mode: 'auto' });
  for (const number of [1, 2, 3])
    await work(worker, `turn-${number}`, [
      ['write', 'f', String(number)],
      ['write', `made-${number}`, 'made\n'],
    ]);
  return { ...workspace, worker };
}

function textOf({ root }: TempWorkspace, path = 'f'): string {
  return readFileSync(join(root, path), 'utf8');
}

describe('undo', () => {
  it('goes from the last turn of work to the one before it, until there is none', async () => {
    await using workspace = await threeTurns();
    const { worker } = workspace;
    const seen: unknown[] = [];
    for (let times = 0; times < 3; times++)
      seen.push({ turns: (await worker.undo()).turns, left: Object.keys(treeOf(workspace.root)) });
    expect(seen).toEqual([
      { turns: ['turn-3'], left: ['f', 'made-1', 'made-2'] },
      { turns: ['turn-2'], left: ['f', 'made-1'] },
      { turns: ['turn-1'], left: ['f'] },
    ]);
    expect(textOf(workspace)).toBe('0');
    await expect(worker.undo()).rejects.toMatchObject(NOTHING);
    expect(textOf(workspace)).toBe('0');
  });

  it('takes back an undo by its id, and after that the work once more', async () => {
    await using workspace = await threeTurns();
    const { worker, root } = workspace;
    const last = treeOf(root);
    const first = await worker.undo({ last: 2 });
    expect(textOf(workspace)).toBe('1');
    const second = await worker.undo({ turn: first.turn! });
    expect(second).toMatchObject({ turns: [first.turn], turn: expect.stringMatching(/^turn_/) });
    expect(treeOf(root)).toEqual(last);
    expect((await worker.undo({ last: 2 })).turns).toEqual(['turn-3', 'turn-2']);
    expect(textOf(workspace)).toBe('1');
  });

  it('leaves alone what a later turn changed, when an earlier one is taken back alone', async () => {
    await using workspace = await threeTurns();
    expect(actionsOf(await workspace.worker.undo({ turn: 'turn-2' }))).toEqual({
      f: 'conflict: it was changed since',
      'made-2': 'remove',
    });
    expect(textOf(workspace)).toBe('3');
  });

  it('takes back a single call and leaves the others of its turn', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [one] = await work(runtime, 'turn-1', [
      ['write', 'd/one', '1'],
      ['write', 'd/other', '2'],
    ]);
    expect(actionsOf(await runtime.undo({ call: one!.callId }))).toEqual({
      d: expect.stringMatching(/^conflict/),
      'd/one': 'remove',
    });
    expect(Object.keys(treeOf(workspace.root))).toEqual(['d', 'd/other']);
    // The turn is not done with: the rest of it can still be taken back.
    expect(actionsOf(await runtime.undo())).toMatchObject({ 'd/other': 'remove', 'd/one': 'keep' });
    expect(treeOf(workspace.root)).toEqual({});
  });

  it('takes back the last turns as one', async () => {
    await using workspace = await threeTurns();
    const report = await workspace.worker.undo({ last: 2 });
    expect({ turns: report.turns, actions: actionsOf(report) }).toEqual({
      turns: ['turn-3', 'turn-2'],
      actions: { f: 'restore', 'made-2': 'remove', 'made-3': 'remove' },
    });
    expect(textOf(workspace)).toBe('1');
  });

  it('takes back the turns since a moment, that moment included', async () => {
    await using workspace = await threeTurns();
    for (const number of [1, 2, 3])
      inStore(
        workspace.locations,
        `update turns set started_at = ${number * 1_000} where id = 'turn-${number}'`,
      );
    await expect(workspace.worker.undo({ since: 3_001 })).rejects.toMatchObject(NOTHING);
    expect((await workspace.worker.undo({ since: 2_000 })).turns).toEqual(['turn-3', 'turn-2']);
    expect(textOf(workspace)).toBe('1');
  });

  it.each([
    { turn: 'turn-9' },
    { call: 'call_unknown' },
    { session: 'ses_unknown' },
    { since: Number.MAX_SAFE_INTEGER },
  ])('fails clearly on %o, for which there is nothing, and changes nothing', async (query) => {
    await using workspace = await threeTurns();
    const before = treeOf(workspace.root);
    const turns = await workspace.worker.turns();
    await expect(workspace.worker.undo(query)).rejects.toMatchObject(NOTHING);
    await expect(workspace.worker.undo(query, { dryRun: true })).rejects.toMatchObject(NOTHING);
    expect(treeOf(workspace.root)).toEqual(before);
    expect(await workspace.worker.turns()).toEqual(turns);
  });

  it('takes nothing back twice', async () => {
    await using workspace = await threeTurns();
    await workspace.worker.undo({ turn: 'turn-3' });
    await expect(workspace.worker.undo({ turn: 'turn-3' })).rejects.toMatchObject(NOTHING);
  });

  it('does not take back an undo that was cut short before it is completed', async () => {
    await using workspace = await threeTurns();
    const { turn } = await workspace.worker.undo();
    inStore(workspace.locations, "update turns set ended = 0 where kind = 'undo'");
    await expect(workspace.worker.undo({ turn: turn! })).rejects.toMatchObject(NOTHING);
    expect(textOf(workspace)).toBe('2');
  });

  it('only says what it would do in a dry run, and does just that afterwards', async () => {
    await using workspace = await threeTurns();
    const { worker, root } = workspace;
    await work(worker, 'turn-4', [
      ['move', 'made-1', 'deep/er/made-1'],
      ['delete', 'made-2'],
    ]);
    workspace.write('made-3', 'by hand\n');
    const before = { tree: treeOf(root), turns: await worker.turns() };
    const dry = await worker.undo({ last: 3 }, { dryRun: true });
    expect({ tree: treeOf(root), turns: await worker.turns() }).toEqual(before);
    const real = await worker.undo({ last: 3 });
    expect({ turns: dry.turns, actions: actionsOf(dry), turn: dry.turn }).toEqual({
      turns: real.turns,
      actions: actionsOf(real),
      turn: undefined,
    });
    expect(actionsOf(real)).toEqual({
      f: 'restore',
      'made-1': 'restore',
      'made-2': 'keep',
      'made-3': 'conflict: it was changed since',
      deep: 'remove',
      'deep/er': 'remove',
      'deep/er/made-1': 'remove',
    });
  });
});

describe('undo with two sessions', () => {
  const inSession = async (
    runtime: Runtime,
    session: Session,
    turn: string,
    ...changes: Change[]
  ): Promise<unknown> => work(runtime, turn, changes, { session });

  it("takes back one session's work and not the other's", async () => {
    await using workspace = tempWorkspace({ one: '0', other: '0' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [one, other] = [await runtime.openSession(), await runtime.openSession()];
    await inSession(runtime, one, 'turn-1', ['write', 'one', '1']);
    await inSession(runtime, other, 'turn-2', ['write', 'other', '1']);
    await inSession(runtime, one, 'turn-3', ['write', 'one', '2']);
    expect((await runtime.undo({ session: one.id })).turns).toEqual(['turn-3', 'turn-1']);
    expect([textOf(workspace, 'one'), textOf(workspace, 'other')]).toEqual(['0', '1']);
  });

  it('says that the other session changed an entry since, and leaves it alone', async () => {
    await using workspace = tempWorkspace({ f: '0', 'd/x': 'x' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [one, other] = [await runtime.openSession(), await runtime.openSession()];
    await inSession(runtime, one, 'turn-1', ['write', 'f', 'one'], ['write', 'd/one', '1']);
    await inSession(runtime, other, 'turn-2', ['write', 'f', 'other'], ['move', 'd', 'moved']);
    const before = treeOf(workspace.root);
    expect(actionsOf(await runtime.undo({ session: one.id }))).toEqual({
      f: 'conflict: it was changed since',
      'd/one': 'keep',
    });
    expect(treeOf(workspace.root)).toEqual(before);
    await runtime.undo({ session: other.id });
    expect([textOf(workspace), textOf(workspace, 'd/one')]).toEqual(['one', '1']);
  });

  it('does not see the turns of another workspace', async () => {
    await using workspace = await threeTurns();
    await using elsewhere = tempWorkspace({ f: '0' });
    await using runtime = await createRuntime({
      workspace: elsewhere.root,
      locations: workspace.locations,
      mode: 'auto',
    });
    expect(await runtime.turns()).toEqual([]);
    for (const query of [{ turn: 'turn-3' }, { last: 9 }, { since: 0 }])
      await expect(runtime.undo(query)).rejects.toMatchObject(NOTHING);
    expect([textOf(workspace), textOf(elsewhere)]).toEqual(['3', '0']);
  });
});

describe('listTurns', () => {
  it('lists work and undos, newest first, with their entries and what took them back', async () => {
    await using workspace = await threeTurns();
    const { worker } = workspace;
    const { turn } = await worker.undo();
    const listed = (await worker.turns()).map(({ id, kind, entries, undone_by, ended }) => ({
      id,
      kind,
      entries,
      undone_by,
      ended,
    }));
    expect(listed).toEqual([
      { id: turn, kind: 'undo', entries: 2, undone_by: null, ended: 1 },
      { id: 'turn-3', kind: 'work', entries: 2, undone_by: turn, ended: 1 },
      { id: 'turn-2', kind: 'work', entries: 2, undone_by: null, ended: 1 },
      { id: 'turn-1', kind: 'work', entries: 2, undone_by: null, ended: 1 },
    ]);
    expect((await worker.turns(2)).map(({ id }) => id)).toEqual([turn, 'turn-3']);
  });

  it('has calls that follow each other as one turn of their session', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [one, other] = [await runtime.openSession(), await runtime.openSession()];
    const turns: string[] = [];
    for (const session of [one, other, one, other]) {
      const content = String(turns.length);
      turns.push((await runtime.call('write', { path: session.id, content }, { session })).turn);
    }
    expect(turns).toEqual([turns[0], turns[1], turns[0], turns[1]]);
    const sessions = (await runtime.turns()).map(({ id, session }) => [id, session]);
    expect(Object.fromEntries(sessions)).toEqual({ [turns[0]!]: one.id, [turns[1]!]: other.id });
  });
});

describe('turnAt', () => {
  it('starts a turn anew after a pause, counted from the last call', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const session = await runtime.openSession();
    let made = 0;
    const at = (seconds: number): string => turnAt(session, seconds * 1_000, () => `turn-${++made}`);
    expect([0, 30, 60, 90.001, 90.002, 200].map(at)).toEqual([
      'turn-1',
      'turn-1',
      'turn-1',
      'turn-2',
      'turn-2',
      'turn-3',
    ]);
  });
});
