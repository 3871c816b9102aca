/** What a start makes of changes that processes which are gone left behind. */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/index.ts';
import type { LeftChanges } from '../../src/host/ports.ts';
import { labelOf, recoverCommands } from '../../src/journal/left-changes.ts';
import { recordChanges } from '../../src/journal/pre-images.ts';
import type { UndoParts } from '../../src/journal/undo.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { folderChanges } from './fixtures/folder-changes.ts';
import { journalParts } from './fixtures/journal-parts.ts';
import { treeOf } from './fixtures/tree.ts';

const OWNER = { turn: 'turn-1', callId: 'call_1', session: 'ses_1', command: 'make', startedAt: 0 };
const ABOUT = 'The command `make` of call_1 was cut short:';

interface Left {
  readonly isApplied?: boolean;
  readonly label?: string;
}

/** Changes left in a folder: a.txt replaced, b.txt made, c.txt removed. */
function leave(
  workspace: TempWorkspace,
  { isApplied = false, label = labelOf(OWNER) }: Left = {},
): LeftChanges {
  const { root, outside, locations } = workspace;
  const view = join(outside, 'view');
  cpSync(root, view, { recursive: true });
  writeFileSync(join(view, 'a.txt'), 'changed\n');
  writeFileSync(join(view, 'b.txt'), 'made\n');
  rmSync(join(view, 'c.txt'));
  return {
    list: () => (existsSync(view) ? [{ id: 'view_1', label, isApplied }] : []),
    reopen: async (id) => folderChanges({ id, workspace: root, view, home: locations.home, isApplied }),
    drop: async () => rmSync(view, { recursive: true }),
  };
}

/** Records the changes as a process would that is gone now, and that got no further than into this step. */
async function dieIn(step: 'takeOver' | 'dispose', parts: UndoParts, left: LeftChanges): Promise<void> {
  const changes = await left.reopen('view_1');
  const forEver = (): Promise<never> => new Promise(() => undefined);
  const isAlive = (identity: string): boolean => parts.processes.isAlive(identity);
  const dead = { ...parts, processes: { ...parts.processes, self: 'gone', isAlive } };
  const isRecorded = Promise.withResolvers<void>();
  const stuck = {
    ...changes,
    async takeOver() {
      if (step === 'dispose') await changes.takeOver();
      isRecorded.resolve();
      if (step === 'takeOver') await forEver();
    },
    [Symbol.asyncDispose]: forEver,
  };
  void recordChanges(dead, OWNER).takeOver(stuck, OWNER);
  await isRecorded.promise;
}

const BEFORE = { 'a.txt': 'file 644 a\n', 'c.txt': 'file 644 c\n' };
const AFTER = { 'a.txt': 'file 644 changed\n', 'b.txt': 'file 644 made\n' };

async function opened(): Promise<TempWorkspace & { parts: UndoParts }> {
  const workspace = tempWorkspace({ 'a.txt': 'a\n', 'c.txt': 'c\n' });
  return { ...workspace, parts: journalParts(workspace.root, workspace.locations) };
}

/** What is there once a start has put things right, and what it says. */
async function recovered(workspace: { root: string; parts: UndoParts }, left: LeftChanges): Promise<object> {
  const { parts, root } = workspace;
  const fates = await recoverCommands({ ...parts, left });
  const again = await recoverCommands({ ...parts, left });
  const changes = await parts.database.selectFrom('changes').select('path').execute();
  return {
    said: fates.map(({ says }) => says),
    again,
    tree: treeOf(root),
    changes: changes.length,
    left: left.list(),
  };
}

describe('recoverCommands', () => {
  it.each(['takeOver', 'dispose'] as const)('takes over whole what died in %s', async (step) => {
    await using workspace = await opened();
    const left = leave(workspace);
    await dieIn(step, workspace.parts, left);
    expect(await recovered(workspace, left)).toEqual({
      said: [`${ABOUT} its changes were taken over whole.`],
      again: [],
      tree: AFTER,
      changes: 3,
      left: [],
    });
  });

  it('knows what was taken over whole and is not there any more', async () => {
    await using workspace = await opened();
    const left = leave(workspace);
    await dieIn('dispose', workspace.parts, left);
    await left.drop('view_1');
    const said = [`${ABOUT} its changes were taken over whole.`];
    expect(await recovered(workspace, left)).toEqual({ said, again: [], tree: AFTER, changes: 3, left: [] });
  });

  it('drops what nobody had begun to take over', async () => {
    await using workspace = await opened();
    const said = [`${ABOUT} nothing of it was taken over.`];
    const rest = { again: [], tree: BEFORE, changes: 0, left: [] };
    expect(await recovered(workspace, leave(workspace))).toEqual({ said, ...rest });
    expect(await recovered(workspace, leave(workspace, { label: 'a try' }))).toEqual({ said: [], ...rest });
  });

  it('takes back what it can not take over, since somebody changed it after the crash', async () => {
    await using workspace = await opened();
    const left = leave(workspace);
    await dieIn('takeOver', workspace.parts, left);
    workspace.write('c.txt', 'by hand\n');
    const tree = { ...BEFORE, 'c.txt': 'file 644 by hand\n' };
    const { said, ...rest } = (await recovered(workspace, refusing(left, 'c.txt'))) as { said: string[] };
    expect(said).toEqual([`${ABOUT} c.txt was changed. Nothing of what the command changed was taken over.`]);
    expect(rest).toEqual({ again: [], tree, changes: 0, left: [] });
  });

  it('records what the workspace has already, and undo takes it back', async () => {
    await using workspace = await opened();
    const left = leave(workspace, { isApplied: true });
    expect(await recovered(workspace, left)).toEqual({
      said: [`${ABOUT} the 3 entries it had changed are on record, for undo.`],
      again: [],
      tree: BEFORE,
      changes: 3,
      left: [],
    });
  });

  it('leaves alone what a living process is at', async () => {
    await using workspace = await opened();
    const left = leave(workspace);
    await dieIn('takeOver', workspace.parts, left);
    await workspace.parts.database
      .updateTable('takeovers')
      .set({ owner: workspace.parts.processes.self })
      .execute();
    const alive = { ...left, list: () => [] };
    expect(await recoverCommands({ ...workspace.parts, left: alive })).toEqual([]);
    expect(treeOf(workspace.root)).toEqual(BEFORE);
  });
});

/** The same changes, of which one entry is no longer what it was. */
function refusing(left: LeftChanges, path: string): LeftChanges {
  return {
    ...left,
    async reopen(id) {
      const changes = await left.reopen(id);
      const takeOver = async (): Promise<void> => {
        throw new Failure('E_CONFLICT', `${path} was changed.`, { details: { path } });
      };
      return { ...changes, takeOver };
    },
  };
}
