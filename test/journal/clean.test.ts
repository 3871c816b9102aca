/** What undo keeps is forgotten again: by age, by size, oldest first, and never what is still needed. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localStateDirectory } from '../../src/host/local/state-directory.ts';
import { createRuntime, type Locations, type Runtime } from '../../src/index.ts';
import { cleanUndo, keptBytes, type UndoLimits } from '../../src/journal/clean.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { treeOf } from './fixtures/tree.ts';
import { inStore } from './fixtures/used-state.ts';
import { actionsOf, work } from './fixtures/work.ts';

const DAY_MS = 86_400_000;
const NO_LIMITS: UndoLimits = {
  keepMs: Number.MAX_SAFE_INTEGER,
  quotaBytes: Number.MAX_SAFE_INTEGER,
};

function storeOf({ state }: Locations): Store {
  return openStore(join(state, 'handrail.sqlite'));
}

/** Cleans as a runtime would that ends at the given moment. */
async function clean(
  { root, locations }: TempWorkspace,
  limits: Partial<UndoLimits>,
  now = Date.now(),
  user = NO_LIMITS,
): Promise<unknown> {
  const state = localStateDirectory(locations.state);
  await using store = storeOf(locations);
  const clock = { now: () => now, monotonic: () => 0 };
  const parts = { state, database: store.database, clock, workspace: root };
  return await cleanUndo(parts, { own: { ...NO_LIMITS, ...limits }, user });
}

async function bytesKept({ locations }: TempWorkspace): Promise<number> {
  await using store = storeOf(locations);
  return await keptBytes(store.database);
}

function objects({ locations }: TempWorkspace): string[] {
  const entries = readdirSync(join(locations.state, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The contents that are kept, sorted. */
function contents(workspace: TempWorkspace): string[] {
  return objects(workspace)
    .map((file) => readFileSync(file, 'latin1'))
    .sort();
}

const idsOf = async (runtime: Runtime): Promise<string[]> => (await runtime.turns()).map(({ id }) => id);

/** Turns of day 1 to 3, each of which replaced a content of ten bytes; the second one, one that the first replaced too. */
async function threeDays(): Promise<TempWorkspace & { readonly worker: Runtime }> {
  const workspace = tempWorkspace({ a: 'content-a.', b: 'content-b.', c: 'content-a.', d: 'content-d.' });
  const worker = await workspace.runtime({ mode: 'auto' });
  await work(worker, 'turn-1', [
    ['write', 'a', '1'],
    ['write', 'b', '1'],
  ]);
  await work(worker, 'turn-2', [['write', 'c', '2']]);
  await work(worker, 'turn-3', [['write', 'd', '3']]);
  for (const day of [1, 2, 3])
    inStore(workspace.locations, `update turns set started_at = ${day * DAY_MS} where id = 'turn-${day}'`);
  return { ...workspace, worker };
}

describe('cleanUndo', () => {
  it('forgets turns that are too old, with the contents that only they need', async () => {
    await using workspace = await threeDays();
    const { worker } = workspace;
    expect(await bytesKept(workspace)).toBe(30);
    // On day 4: a turn of just three days ago stays.
    expect(await clean(workspace, { keepMs: 3 * DAY_MS }, 4 * DAY_MS)).toEqual({ turns: 0, objects: 0 });
    expect(await clean(workspace, { keepMs: 3 * DAY_MS }, 4 * DAY_MS + 1)).toEqual({ turns: 1, objects: 1 });
    expect(await idsOf(worker)).toEqual(['turn-3', 'turn-2']);
    expect(contents(workspace)).toEqual(['content-a.', 'content-d.']);
    expect(await bytesKept(workspace)).toBe(20);

    expect(actionsOf(await worker.undo({ last: 9 }))).toEqual({ c: 'restore', d: 'restore' });
    expect(Object.values(treeOf(workspace.root)).map((entry) => entry.split(' ')[2])).toEqual([
      '1',
      '1',
      'content-a.',
      'content-d.',
    ]);
    await expect(worker.undo({ turn: 'turn-1' })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it.each([
    [30, ['turn-3', 'turn-2', 'turn-1'], ['content-a.', 'content-b.', 'content-d.']],
    [29, ['turn-3', 'turn-2'], ['content-a.', 'content-d.']],
    [20, ['turn-3', 'turn-2'], ['content-a.', 'content-d.']],
    [19, ['turn-3'], ['content-d.']],
    [10, ['turn-3'], ['content-d.']],
    [9, [], []],
  ])('forgets the oldest turns until %i bytes are enough', async (quotaBytes, turns, kept) => {
    await using workspace = await threeDays();
    expect(await clean(workspace, { quotaBytes })).toEqual({
      turns: 3 - turns.length,
      objects: 3 - kept.length,
    });
    expect(await idsOf(workspace.worker)).toEqual(turns);
    expect(contents(workspace)).toEqual(kept);
    expect(await bytesKept(workspace)).toBe(kept.length * 10);
  });

  it('holds a workspace to its own limits, and the others to those of the user', async () => {
    await using workspace = await threeDays();
    await using elsewhere = tempWorkspace({ e: 'content-e.' });
    const { locations, worker } = workspace;
    await using other = await createRuntime({ workspace: elsewhere.root, locations, mode: 'auto' });
    await work(other, 'turn-elsewhere', [['write', 'e', '1']]);
    inStore(locations, `update turns set started_at = ${DAY_MS} where id = 'turn-elsewhere'`);

    await clean(workspace, { keepMs: DAY_MS, quotaBytes: 0 }, 4 * DAY_MS);
    expect([await idsOf(worker), await idsOf(other)]).toEqual([[], ['turn-elsewhere']]);
    expect(contents(workspace)).toEqual(['content-e.']);

    // Nobody but its own runtime knows the limits of a workspace whose settings are trusted.
    inStore(locations, `insert into trust values ('${elsewhere.root}', '.handrail', 'hash', 0)`);
    const strict = { keepMs: DAY_MS, quotaBytes: 0 };
    await clean(workspace, strict, 4 * DAY_MS, strict);
    expect(await idsOf(other)).toEqual(['turn-elsewhere']);
    inStore(locations, 'delete from trust');
    await clean(workspace, {}, 4 * DAY_MS, strict);
    expect([await idsOf(other), contents(workspace)]).toEqual([[], []]);
  });

  it('is done when a runtime ends, by the limits of the settings', async () => {
    await using workspace = await threeDays();
    const { root, locations, worker } = workspace;
    await worker[Symbol.asyncDispose]();
    const idsAfter = async (): Promise<string[]> => {
      await using store = storeOf(locations);
      const turns = await store.database.selectFrom('turns').select('id').orderBy('id').execute();
      return turns.map(({ id }) => id);
    };
    // The turns are of 1970: the default of thirty days has forgotten them.
    expect(await idsAfter()).toEqual([]);

    mkdirSync(locations.config);
    writeFileSync(join(locations.config, 'config.jsonc'), '{"mode":"auto","undo":{"keepDays":10}}');
    {
      await using runtime = await createRuntime({ workspace: root, locations, readConfig: true });
      await work(runtime, 'turn-4', [['write', 'a', '4']]);
      await work(runtime, 'turn-5', [['write', 'a', '5']]);
      inStore(locations, `update turns set started_at = ${Date.now() - 11 * DAY_MS} where id = 'turn-4'`);
      inStore(locations, `update turns set started_at = ${Date.now() - 9 * DAY_MS} where id = 'turn-5'`);
    }
    expect(await idsAfter()).toEqual(['turn-5']);
  });
});
