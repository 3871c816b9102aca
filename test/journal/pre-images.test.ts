/** What is kept before a change, what is said about it, and what is not kept. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallResponse, Rule, Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { openAudit } from './fixtures/open-audit.ts';
import { entryOf, treeOf } from './fixtures/tree.ts';
import { actionsOf, argumentsOf, type Change, work } from './fixtures/work.ts';

const KEPT_BYTES = 64 * 1024 * 1024;
const CANARY = 'a canary that nobody may copy';

/** The effects of a call as `path: change`, with a mark where there is no way back. */
function effectsOf({ effects }: Pick<CallResponse, 'effects'>): string[] {
  return effects.map(({ path, change, reversible }) => `${path}: ${change}${reversible ? '' : ', for good'}`);
}

/** The effects that the audit has of a call. */
async function auditedEffects(workspace: TempWorkspace, runtime: Runtime, callId: string): Promise<unknown> {
  await runtime.flush();
  await using audit = openAudit(workspace.locations);
  const closed = (await audit.lines()).filter((line) => line.event === 'closed' && line.call_id === callId);
  expect(closed).toHaveLength(1);
  return closed.map((line) => (line.event === 'closed' ? line.effects : undefined))[0];
}

/** The files below the state folder that hold a text. */
function holding({ locations }: TempWorkspace, text: string): string[] {
  const entries = readdirSync(locations.state, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => readFileSync(file).includes(text));
}

function objectsOf({ locations }: TempWorkspace): string[] {
  const folder = join(locations.state, 'objects');
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('recordChanges', () => {
  it.each([
    [
      ['write', 'new/in/made.txt', 'x'],
      ['new: created', 'new/in: created', 'new/in/made.txt: created'],
    ],
    [['write', 'd/a.txt', 'y'], ['d/a.txt: updated']],
    [['write', 'd/a.txt', 'a'], []],
    [
      ['delete', 'd'],
      ['d: deleted', 'd/a.txt: deleted', 'd/e: deleted'],
    ],
    [
      ['move', 'd', 'new/d'],
      [
        'new: created',
        'd: deleted',
        'd/a.txt: deleted',
        'd/e: deleted',
        'new/d: created',
        'new/d/a.txt: created',
        'new/d/e: created',
      ],
    ],
  ] satisfies [Change, string[]][])(
    'says what %j did, to the caller and to the audit',
    async (change, effects) => {
      await using workspace = tempWorkspace({ 'd/a.txt': 'a' });
      mkdirSync(join(workspace.root, 'd/e'));
      const runtime = await workspace.runtime({ mode: 'auto' });
      const [response] = await work(runtime, 'turn-1', [change]);
      expect(effectsOf(response!).sort()).toEqual(effects.sort());
      expect((await auditedEffects(workspace, runtime, response!.callId)) ?? []).toEqual(response!.effects);
      expect((await runtime.turns()).map(({ entries }) => entries)).toEqual(
        effects.length === 0 ? [] : [effects.length],
      );
    },
  );

  it.each([
    ['write', 'sealed.txt', 'x'],
    ['write', 'new/in/nul', 'x'],
    ['write', 'd', 'x'],
    ['write', 'd/a.txt/below', 'x'],
    ['delete', 'gone'],
    ['delete', 'd/gone'],
    ['move', 'gone', 'new/name'],
    ['move', 'd', 'd/into/itself'],
    ['move', 'd/a.txt', 'new/con'],
  ] satisfies Change[])('keeps no turn and tells no effect of %s %s %s, which fails', async (...change) => {
    await using workspace = tempWorkspace({ 'sealed.txt': 'sealed', 'd/a.txt': 'a' });
    chmodSync(join(workspace.root, 'sealed.txt'), 0o444);
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    const response = await runtime.call(change[0], argumentsOf(change), { turn: 'turn-1' });
    expect({ outcome: response.outcome, effects: response.effects }).toEqual({
      outcome: 'failed',
      effects: [],
    });
    expect(await auditedEffects(workspace, runtime, response.callId)).toBeUndefined();
    expect(await runtime.turns()).toEqual([]);
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('keeps what else the turn of a failed call did', async () => {
    await using workspace = tempWorkspace({ 'sealed.txt': 'sealed' });
    chmodSync(join(workspace.root, 'sealed.txt'), 0o444);
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [['write', 'made.txt', 'x']]);
    const failed = await runtime.call('write', { path: 'sealed.txt', content: 'x' }, { turn: 'turn-1' });
    expect(failed.outcome).toBe('failed');
    expect((await runtime.turns()).map(({ id, entries }) => [id, entries])).toEqual([['turn-1', 1]]);
    await runtime.undo();
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('tells of a deletion that was cut short what it did, and undo gives that back', async () => {
    const folders = Array.from({ length: 40 }, (_, index) => `tree/${index}/file`);
    await using workspace = tempWorkspace(Object.fromEntries(folders.map((path) => [path, path])));
    const before = treeOf(workspace.root);
    const runtime = await workspace.runtime({ mode: 'auto' });
    // Fires once the first folder of the tree is gone: between two of them others have their turn.
    const controller = new AbortController();
    const look = (): void => {
      if (readdirSync(join(workspace.root, 'tree')).length < folders.length) controller.abort();
      else setImmediate(look);
    };
    look();
    const response = await runtime.call(
      'delete',
      { path: 'tree' },
      { turn: 'turn-1', signal: controller.signal },
    );
    const left = Object.keys(treeOf(workspace.root));
    const gone = Object.keys(before).filter((path) => !left.includes(path));
    expect(gone.length).toBeGreaterThan(0);
    expect(left.length).toBeGreaterThan(0);
    expect({ outcome: response.outcome, effects: effectsOf(response).toSorted() }).toEqual({
      outcome: 'cancelled',
      effects: gone.map((path) => `${path}: deleted`).toSorted(),
    });
    expect(await auditedEffects(workspace, runtime, response.callId)).toEqual(response.effects);
    expect(actionsOf(await runtime.undo())).toEqual(
      Object.fromEntries(gone.map((path) => [path, 'restore'])),
    );
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it.each([
    ['write', 'large.bin', 'small now\n'],
    ['delete', 'large.bin'],
  ] satisfies Change[])(
    'says that a %s of a file over the kept size is for good, and undo that it is lost',
    async (...change) => {
      await using workspace = tempWorkspace({ 'large.bin': '', 'small.txt': 'small\n' });
      const { root } = workspace;
      truncateSync(join(root, 'large.bin'), KEPT_BYTES + 1);
      const runtime = await workspace.runtime({ mode: 'auto' });
      const [response] = await work(runtime, 'turn-1', [change, ['write', 'small.txt', 'other\n']]);
      const verb = change[0] === 'write' ? 'updated' : 'deleted';
      expect(effectsOf(response!)).toEqual([`large.bin: ${verb}, for good`]);
      expect(await auditedEffects(workspace, runtime, response!.callId)).toEqual(response!.effects);
      expect(objectsOf(workspace).map((file) => readFileSync(file, 'utf8'))).toEqual(['small\n']);

      const after = existsSync(join(root, 'large.bin')) ? entryOf(join(root, 'large.bin')) : undefined;
      expect(actionsOf(await runtime.undo())).toEqual({
        'large.bin': 'lost: its content was not kept',
        'small.txt': 'restore',
      });
      expect(treeOf(root)['large.bin']).toBe(after);
      expect(readFileSync(join(root, 'small.txt'), 'utf8')).toBe('small\n');
    },
  );

  it('keeps a file of just the kept size', async () => {
    await using workspace = tempWorkspace({ 'large.bin': '' });
    const path = join(workspace.root, 'large.bin');
    truncateSync(path, KEPT_BYTES);
    const before = entryOf(path);
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [response] = await work(runtime, 'turn-1', [['delete', 'large.bin']]);
    expect(effectsOf(response!)).toEqual(['large.bin: deleted']);
    await runtime.undo();
    expect(entryOf(path)).toBe(before);
  });

  it('says that a pipe in a deleted tree is lost for good, and undo gives back the rest', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'a' });
    execFileSync('mkfifo', [join(workspace.root, 'd/pipe')]);
    const runtime = await workspace.runtime({ mode: 'auto' });
    const [response] = await work(runtime, 'turn-1', [['delete', 'd']]);
    expect(effectsOf(response!).sort()).toEqual([
      'd/a.txt: deleted',
      'd/pipe: deleted, for good',
      'd: deleted',
    ]);
    expect(actionsOf(await runtime.undo())).toEqual({
      d: 'restore',
      'd/a.txt': 'restore',
      'd/pipe': 'lost: its content was not kept',
    });
  });

  it.each([
    ['a rule denies to delete', 'delete', { action: 'deny', permission: 'fs.delete', path: '*.lock' }],
    ['a rule denies to read', 'move', { action: 'deny', permission: 'fs.read', path: '*.lock' }],
    [
      'a rule denies to write elsewhere',
      'move',
      { action: 'deny', permission: 'fs.write', path: 'e/*.lock' },
    ],
    ['a human denies', 'delete', undefined],
    ['a human denies', 'move', undefined],
  ] satisfies [string, string, Rule | undefined][])(
    'copies nothing of a tree that %s to %s',
    async (_, tool, rule) => {
      await using workspace = tempWorkspace({ 'd/a.txt': CANARY, 'd/kept.lock': CANARY, 'd/z.txt': CANARY });
      const before = treeOf(workspace.root);
      const approve = approver(rule === undefined ? 'deny' : 'once');
      const runtime = await workspace.runtime({ approve, rules: rule === undefined ? [] : [rule] });
      const args = tool === 'delete' ? { path: 'd' } : { from: 'd', to: 'e' };
      const { outcome, effects } = await runtime.call(tool, args, { turn: 'turn-1' });
      expect({ outcome, effects, turns: await runtime.turns() }).toEqual({
        outcome: 'denied',
        effects: [],
        turns: [],
      });
      expect(holding(workspace, CANARY)).toEqual([]);
      expect(treeOf(workspace.root)).toEqual(before);
    },
  );

  it('keeps a content once, for its owner only', async () => {
    await using workspace = tempWorkspace({ 'a.txt': CANARY, 'b.txt': CANARY });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await work(runtime, 'turn-1', [
      ['delete', 'a.txt'],
      ['write', 'b.txt', 'other'],
    ]);
    const [object, ...others] = objectsOf(workspace);
    expect(others).toEqual([]);
    expect(readFileSync(object!, 'utf8')).toBe(CANARY);
    expect([object!, join(object!, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  });
});
