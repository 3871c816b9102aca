/** `handrail clean`, and what is forgotten without it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import { treeOf } from '../journal/fixtures/tree.ts';
import { inStore } from '../journal/fixtures/used-state.ts';
import { copiesIn } from '../host/local/copies/fixtures/copies-in.ts';
import { actionsOf, work } from '../journal/fixtures/work.ts';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { change, locationsOf, turnsOf, verify, workedIn } from './fixtures/turns.ts';

describe('handrail clean', () => {
  const objectsOf = (workspace: TempWorkspace): string[] => {
    const folder = join(locationsOf(workspace).state, 'objects');
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };

  it('shows what there is, and deletes nothing where nobody says yes', async () => {
    await using workspace = await workedIn();
    const ran = await handrail(workspace, ['clean']);
    expect(ran).toMatchObject({ exitCode: 3, stderr: 'Nothing was deleted.\n' });
    expect(ran.stdout).toContain(`${locationsOf(workspace).state}\n`);
    expect(ran.stdout).toMatch(/turns that can be taken back +3 +0\.0 MB +deleted\n/);
    expect(ran.stdout).toMatch(/audit chains +1 +\d+\.\d MB +kept \(--audit deletes them\)\n/);
    expect(objectsOf(workspace)).toHaveLength(2);
    expect(await handrail(workspace, ['undo', '--last', '3'])).toMatchObject({ exitCode: 0 });
  });

  it('deletes turns and contents with --yes; the workspace and the audit stay, and the audit holds', async () => {
    await using workspace = await workedIn();
    const before = treeOf(workspace.root);
    const audit = treeOf(join(locationsOf(workspace).state, 'audit'));
    expect(await handrail(workspace, ['clean', '--yes'])).toMatchObject({
      exitCode: 0,
      stderr: 'Deleted.\n',
    });
    expect(objectsOf(workspace)).toEqual([]);
    expect(await turnsOf(workspace)).toEqual([]);
    expect(treeOf(join(locationsOf(workspace).state, 'audit'))).toEqual(audit);
    expect(await verify(workspace)).toMatchObject({
      exitCode: 0,
      stdout: 'The audit holds: 9 lines in 1 chain.\n',
    });
    expect(await handrail(workspace, ['undo'])).toMatchObject({ exitCode: 1 });
    expect(treeOf(workspace.root)).toEqual(before);
  });

  it('deletes copies of workspaces, but not those that a running command may need', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a'.repeat(200_000) });
    const { state } = locationsOf(workspace);
    const copies = copiesIn({ ...workspace, locations: { ...workspace.locations, state } });
    const running = await copies.prepare('test');
    const first = await handrail(workspace, ['clean', '--yes']);
    expect(first.stdout).toMatch(/workspaces copied before commands +1 +0\.2 MB +deleted\n/);
    expect(first.stderr).toBe('Copies of 1 workspace stay, because commands run there.\nDeleted.\n');
    running.forget();
    expect(await handrail(workspace, ['clean', '--yes'])).toMatchObject({ stderr: 'Deleted.\n' });
    expect(readdirSync(join(state, 'copies'))).toEqual([]);
  });

  it('deletes indexes of code', async () => {
    await using workspace = tempWorkspace({ 'a.ts': 'const ledger = 1;\n' });
    await handrail(workspace, ['call', 'code_search', '{"query":"ledger"}']);
    const { state } = locationsOf(workspace);
    expect(existsSync(join(state, 'code-index'))).toBe(true);
    const { stdout } = await handrail(workspace, ['clean', '--yes']);
    expect(stdout).toMatch(/indexes of code +1 +\d\.\d MB +deleted\n/);
    expect(existsSync(join(state, 'code-index'))).toBe(false);
  });

  it('keeps the files of clients as they were before a setup, and says so', async () => {
    const settings = '{ "servers": {} }';
    await using workspace = tempWorkspace({ '.vscode/mcp.json': settings });
    expect(await handrail(workspace, ['setup', 'vscode', '--yes'])).toMatchObject({ exitCode: 0 });
    const kept = readdirSync(join(locationsOf(workspace).state, 'setup')).length;
    expect(kept).toBeGreaterThan(0);
    const { stdout } = await handrail(workspace, ['clean', '--yes']);
    expect(stdout).toMatch(new RegExp(`clients' files as they were before a setup +${kept} +kept \\(`));
    expect(await handrail(workspace, ['setup', 'vscode', '--remove', '--yes'])).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(join(workspace.root, '.vscode/mcp.json'), 'utf8')).toBe(settings);
  });

  it('deletes the audit too with --audit, and starts a new one that holds', async () => {
    await using workspace = await workedIn();
    const ran = await handrail(workspace, ['clean', '--audit', '--yes']);
    expect(ran.stdout).toMatch(/audit chains +1 +\d+\.\d MB +deleted\n/);
    expect(existsSync(join(locationsOf(workspace).state, 'audit'))).toBe(false);
    expect(await verify(workspace)).toMatchObject({ exitCode: 0 });
    await change(workspace, [['write', 'again.txt', 'x']]);
    expect(await verify(workspace)).toMatchObject({
      exitCode: 0,
      stdout: 'The audit holds: 3 lines in 1 chain.\n',
    });
    expect(await handrail(workspace, ['undo'])).toMatchObject({ exitCode: 0 });
  });

  it('deletes contents that no change came to rely on', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const locations = locationsOf(workspace);
    await using runtime = await createRuntime({ workspace: workspace.root, locations, mode: 'auto' });
    inStore(locations, "create trigger full before insert on changes begin select raise(abort, 'full'); end");
    expect(await runtime.call('write', { path: 'a.txt', content: 'x' })).toMatchObject({ outcome: 'failed' });
    inStore(locations, 'drop trigger full');
    expect(objectsOf(workspace)).toHaveLength(1);
    expect(await handrail(workspace, ['clean', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(objectsOf(workspace)).toEqual([]);

    // Who works on meanwhile keeps what it needs as before.
    await work(runtime, 'turn-1', [['write', 'a.txt', 'x']]);
    expect(actionsOf(await runtime.undo())).toEqual({ 'a.txt': 'restore' });
  });

  it('leaves an audit alone that another Handrail is writing', async () => {
    await using workspace = await workedIn();
    const locations = locationsOf(workspace);
    await using runtime = await createRuntime({ workspace: workspace.root, locations, mode: 'auto' });
    await work(runtime, 'turn-4', [['write', 'd.txt', 'made\n']]);
    await runtime.flush();
    expect(await handrail(workspace, ['clean', '--audit', '--yes'])).toMatchObject({
      exitCode: 1,
      stderr: 'handrail: another Handrail is writing the audit; stop it first.\n',
    });
    expect(await runtime.turns()).toHaveLength(4);
    expect(await verify(workspace)).toMatchObject({ exitCode: 0 });
  });
});

describe('the limits of undo', () => {
  it("of a trusted workspace's settings hold for that workspace only", async () => {
    const settings = '{"mode":"auto","undo":{"keepDays":2}}';
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', '.handrail/config.jsonc': settings });
    await using elsewhere = tempWorkspace({ 'b.txt': 'b\n' });
    expect(await handrail(workspace, ['trust', '--yes'])).toMatchObject({ exitCode: 0 });
    const locations = locationsOf(workspace);
    await using other = await createRuntime({ workspace: elsewhere.root, locations, mode: 'auto' });
    await work(other, 'turn-elsewhere', [['write', 'b.txt', 'replaced\n']]);
    await change(workspace, [['write', 'a.txt', 'replaced\n']]);
    inStore(locations, `update turns set started_at = ${Date.now() - 3 * 86_400_000}`);
    expect(await turnsOf(workspace)).toHaveLength(1);
    // The first command forgot, when it ended, what the settings do not keep.
    expect(await turnsOf(workspace)).toEqual([]);
    expect((await other.turns()).map(({ id }) => id)).toEqual(['turn-elsewhere']);
  });
});
