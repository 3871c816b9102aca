/** A command's changes, taken over from where they wait; and the way back from them. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandChanges } from '../../src/host/ports.ts';
import { recordChanges } from '../../src/journal/pre-images.ts';
import { undo } from '../../src/journal/undo.ts';
import { Failure } from '../../src/index.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { folderChanges } from './fixtures/folder-changes.ts';
import { journalParts } from './fixtures/journal-parts.ts';
import { treeOf, writeOneOfEach } from './fixtures/tree.ts';
import { actionsOf } from './fixtures/work.ts';

const OWNER = { turn: 'turn-1', callId: 'call_1', session: 'ses_1' };
const COMMAND = { command: 'make', startedAt: 0 };
const UNDO = { dryRun: false, callId: 'call_undo', session: 'ses_1', onPlan: () => undefined };

/** Changes of a copy of the workspace. */
function changesOf(
  workspace: TempWorkspace,
  change: (view: string) => void,
  onEntry?: (path: string) => void,
): ReturnType<typeof folderChanges> {
  const view = join(workspace.outside, 'view');
  cpSync(workspace.root, view, { recursive: true, verbatimSymlinks: true });
  change(view);
  const { root, locations } = workspace;
  return folderChanges({
    id: 'view_1',
    workspace: root,
    view,
    home: locations.home,
    ...(onEntry && { onEntry }),
  });
}

/** Something of everything that a command may do. */
function changeMuch(view: string): void {
  const at = (path: string): string => join(view, path);
  writeFileSync(at('made.txt'), 'made\n');
  mkdirSync(at('new/in/it'), { recursive: true });
  writeFileSync(at('new/in/it.txt'), 'made\n');
  writeFileSync(at('one/bytes.bin'), 'replaced\n');
  chmodSync(at('one/run.sh'), 0o700);
  chmodSync(at('one/sealed.txt'), 0o000);
  renameSync(at('one/deep'), at('two'));
  rmSync(at('one/empty.txt'));
  rmSync(at('one/link'));
  symlinkSync('elsewhere', at('one/link'));
  // Each kind where another one was.
  rmSync(at('one/text.txt'));
  mkdirSync(at('one/text.txt'));
  writeFileSync(at('one/text.txt/inside'), 'x');
  rmSync(at('one/nothing'), { recursive: true });
  writeFileSync(at('one/nothing'), 'a file now\n');
  rmSync(at('one/dangling'));
  mkdirSync(at('one/dangling'));
  chmodSync(at('one/closed'), 0o700);
}

describe('recorder.takeOver', () => {
  it('brings changes of every kind into the workspace, and undo brings back what was there, to the byte', async () => {
    await using workspace = tempWorkspace({ 'kept.txt': 'kept\n' });
    writeOneOfEach(workspace, 'one');
    const { root, locations } = workspace;
    const before = treeOf(root);
    const parts = journalParts(root, locations);
    const changes = changesOf(workspace, changeMuch);
    const after = treeOf(join(workspace.outside, 'view'));
    const recorder = recordChanges(parts, OWNER);
    await recorder.takeOver(changes, COMMAND);
    expect(treeOf(root)).toEqual(after);
    expect(recorder.effects.map(({ path }) => path)).toEqual(changes.entries.map(({ path }) => path));
    expect(recorder.effects.filter(({ reversible }) => !reversible)).toEqual([]);
    expect(await parts.database.selectFrom('takeovers').selectAll().execute()).toEqual([]);
    const { steps } = await undo(parts, { last: 1 }, UNDO);
    expect(treeOf(root)).toEqual(before);
    const { steps: back } = await undo(parts, { turn: (await onlyUndo(parts))! }, UNDO);
    expect(treeOf(root)).toEqual(after);
    expect([...steps, ...back].filter(({ reason }) => reason !== undefined)).toEqual([]);
  });

  it('keeps no content of a file whose mode alone changes', async () => {
    await using workspace = tempWorkspace({ 'a.sh': 'a\n' });
    const parts = journalParts(workspace.root, workspace.locations);
    await recordChanges(parts, OWNER).takeOver(
      changesOf(workspace, (view) => chmodSync(join(view, 'a.sh'), 0o755)),
      COMMAND,
    );
    expect(await parts.database.selectFrom('objects').selectAll().execute()).toEqual([]);
    const before = treeOf(workspace.root);
    expect(actionsOf(await undo(parts, { last: 1 }, UNDO))).toEqual({ 'a.sh': 'restore' });
    expect([before, treeOf(workspace.root)]).toEqual([
      { 'a.sh': 'file 755 a\n' },
      { 'a.sh': 'file 644 a\n' },
    ]);
  });

  it('takes back what it did where it can not go on, and says so', async () => {
    await using workspace = tempWorkspace();
    writeOneOfEach(workspace, 'one');
    const { root, locations } = workspace;
    const before = treeOf(root);
    const parts = journalParts(root, locations);
    for (const stop of [1, 5, 12]) {
      let entry = 0;
      const changes = changesOf(workspace, changeMuch, () => {
        if (++entry === stop) throw new Failure('E_IO', 'The disk is full.');
      });
      await expect(recordChanges(parts, OWNER).takeOver(changes, COMMAND)).rejects.toMatchObject({
        code: 'E_IO',
        message: 'The disk is full. Nothing of what the command changed was taken over.',
      });
      expect(treeOf(root)).toEqual(before);
      await changes[Symbol.asyncDispose]();
    }
    for (const table of ['takeovers', 'changes', 'turns'] as const)
      expect(await parts.database.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('leaves on record what it could not take back', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { root, locations } = workspace;
    const parts = journalParts(root, locations);
    const change = (view: string): void => {
      for (const name of ['a.txt', 'b.txt']) writeFileSync(join(view, name), 'changed\n');
    };
    const changes = changesOf(workspace, change, (path) => {
      if (path !== 'b.txt') return;
      rmSync(join(locations.state, 'objects'), { recursive: true });
      throw new Failure('E_IO', 'The disk is full.');
    });
    await expect(recordChanges(parts, OWNER).takeOver(changes, COMMAND)).rejects.toMatchObject({
      message: 'The disk is full. What was taken over before could not be put back: "a.txt".',
    });
    const rows = await parts.database.selectFrom('changes').select('path').execute();
    expect(rows).toEqual([{ path: 'a.txt' }]);
  });

  it('says what it can not keep, and goes on', async () => {
    await using workspace = tempWorkspace({
      'a.txt': '12345\n',
      'b.txt': '12345\n',
      'c.txt': '1\n',
      'd.txt': '1',
    });
    const { root, locations } = workspace;
    const parts = journalParts(root, locations, { maxFileBytes: 6, quotaBytes: 8 });
    const changes = changesOf(workspace, (view) => {
      for (const name of ['a', 'b', 'c', 'd']) rmSync(join(view, `${name}.txt`));
    });
    const recorder = recordChanges(parts, OWNER);
    expect(recorder.lossesOf(changes)).toEqual(['b.txt', 'd.txt']);
    await recorder.takeOver(changes, COMMAND);
    expect(recorder.effects.map(({ path, reversible }) => [path, reversible])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
      ['c.txt', true],
      ['d.txt', false],
    ]);
    expect(readdirSync(root)).toEqual([]);
    await undo(parts, { last: 1 }, UNDO);
    expect(readdirSync(root)).toEqual(['a.txt', 'c.txt']);
  });

  it('records what the workspace has already', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const { root, locations } = workspace;
    const applied = appliedChanges(workspace, () => {
      workspace.write('a.txt', 'changed\n');
      workspace.write('b.txt', 'made\n');
    });
    const parts = journalParts(root, locations);
    await recordChanges(parts, OWNER).takeOver(applied, COMMAND);
    expect(actionsOf(await undo(parts, { last: 1 }, UNDO))).toEqual({
      'a.txt': 'restore',
      'b.txt': 'remove',
    });
    expect(treeOf(root)).toEqual({ 'a.txt': 'file 644 a\n' });
  });

  it('records nothing as its own that another call did meanwhile', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const { root, locations } = workspace;
    const parts = journalParts(root, locations);
    const other = recordChanges(parts, { ...OWNER, turn: 'turn-2', callId: 'call_2' });
    const began = parts.clock.now();
    const write = (path: string, text: string): Promise<unknown> =>
      other.write(path, Buffer.from(text), async () => workspace.write(path, text));
    const before = join(workspace.outside, 'copy');
    cpSync(root, before, { recursive: true });
    await write('a.txt', 'theirs\n');
    await write('b.txt', 'theirs\n');
    const applied = appliedChanges(
      workspace,
      () => {
        workspace.write('b.txt', 'of both\n');
        workspace.write('c.txt', 'ours\n');
      },
      before,
    );
    const recorder = recordChanges(parts, OWNER);
    await recorder.takeOver(applied, { ...COMMAND, startedAt: began });
    expect(recorder.effects).toEqual([
      { path: 'b.txt', change: 'updated', reversible: false },
      { path: 'c.txt', change: 'updated', reversible: true },
    ]);
    expect(actionsOf(await undo(parts, { turn: 'turn-1' }, UNDO))).toEqual({ 'c.txt': 'restore' });
  });
});

/** What was done to the workspace itself, with a copy of it from before. */
function appliedChanges(
  { root, outside, locations }: TempWorkspace,
  change: () => void,
  before = join(outside, 'before'),
): CommandChanges {
  cpSync(root, before, { recursive: true, force: false });
  change();
  const options = { id: 'copies_1', workspace: root, view: before, home: locations.home, isApplied: true };
  const changes = folderChanges(options);
  const entries = changes.entries.map((entry) => ({
    path: entry.path,
    before: entry.after,
    after: entry.before,
    bytesBefore: entry.bytesAfter,
  }));
  return {
    ...changes,
    entries,
    open: (path) => changes.openBefore(path),
    openBefore: (path) => changes.open(path),
  };
}

async function onlyUndo({ database }: ReturnType<typeof journalParts>): Promise<string | undefined> {
  const found = await database.selectFrom('turns').select('id').where('kind', '=', 'undo').execute();
  return found.length === 1 ? found[0]!.id : undefined;
}
