/** Commands whose changes are to be known where there can be no view of the workspace: copies are kept of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Commands } from '../../../../src/host/ports.ts';
import { commandsIn, shell, type ShellRequest } from '../../../support/commands.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { contentOf, kinds } from '../copies/fixtures/copies-in.ts';

const ANY = { way: 'any', mustCover: false, label: 'the label' } as const;

/** What a machine lacks: bubblewrap, or the programs that make views. */
const MACHINES = { 'without a sandbox': [], 'in a sandbox that shows no views': ['bwrap'] } as const;

function commandsOn(machine: keyof typeof MACHINES, workspace: TempWorkspace): Commands & Disposable {
  const folder = join(workspace.outside, 'bin');
  mkdirSync(folder);
  for (const program of MACHINES[machine]) symlinkSync(realPlace(program), join(folder, program));
  return commandsIn(workspace, { environment: { PATH: folder } });
}

function realPlace(program: string): string {
  return execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

/** No program but those of the machine is found by its name. */
function run(commands: Commands, line: string, request: ShellRequest = {}) {
  return shell(commands, `PATH=/usr/bin:/bin; ${line}`, { capture: ANY, ...request });
}

describe.each(Object.keys(MACHINES) as (keyof typeof MACHINES)[])('capturedCommands %s', (machine) => {
  it('says that a part can be taken back, and why not all', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsOn(machine, workspace);
    const { undo, undoSays, tier } = await commands.sandbox();
    expect({ undo, tier }).toEqual({ undo: 'part', tier: machine === 'without a sandbox' ? 'C' : 'A' });
    expect(undoSays).toMatch(
      /^There is no view of the workspace, because .* up to 64 MiB each and 1024 MiB in all/,
    );
  });

  it('tells what a command changed, and what was there before', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    using commands = commandsOn(machine, workspace);
    const { changes, exitCode } = await run(commands, 'echo x > a.txt; rm -r b; mkdir d; exit 3');
    await using found = changes!;
    expect({ exitCode, isApplied: found.isApplied, kinds: kinds(found) }).toEqual({
      exitCode: 3,
      isApplied: true,
      kinds: {
        'a.txt': 'file → file',
        b: 'directory → missing',
        'b/c.txt': 'file → missing',
        d: 'missing → directory',
      },
    });
    expect((await contentOf(found.openBefore('b/c.txt'))).toString()).toBe('c\n');
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('x\n');
  });

  it('runs nothing where only a view will do', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsOn(machine, workspace);
    const running = run(commands, ': > ran', { capture: { ...ANY, way: 'view' } });
    await expect(running).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    expect(existsSync(join(workspace.root, 'ran'))).toBe(false);
  });

  it('runs nothing where everything must have a copy and something can not', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsOn(machine, workspace);
    const covered = { capture: { ...ANY, mustCover: true } };
    await using changes = (await run(commands, 'echo b > a.txt', covered)).changes!;
    expect(kinds(changes)).toEqual({ 'a.txt': 'file → file' });
    execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
    await expect(run(commands, ': > ran', covered)).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      message: expect.stringContaining('"pipe" is nothing that could be copied.') as string,
      details: { gaps: ['"pipe" is nothing that could be copied.'] },
    });
    expect([existsSync(join(workspace.root, 'ran')), commands.left.list()]).toEqual([false, []]);
  });

  it('runs all the same where nothing can be copied, and says so, unless everything must be', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    mkdirSync(workspace.locations.state);
    writeFileSync(join(workspace.locations.state, 'copies'), 'in the way');
    using commands = commandsOn(machine, workspace);
    const says = /^What the command changed is not known, because nothing could be copied: /;
    const running = run(commands, 'echo b > a.txt', { capture: { ...ANY, mustCover: true } });
    await expect(running).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('a\n');
    const { changes } = await run(commands, 'echo b > a.txt');
    expect([changes!.entries, changes!.gaps]).toEqual([[], [expect.stringMatching(says)]]);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('b\n');
  });

  it('leaves what a cancelled command changed to whoever looks next', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsOn(machine, workspace);
    const abort = new AbortController();
    const onOutput = (): void => abort.abort();
    const running = run(commands, 'rm a.txt; echo done; sleep 300', { signal: abort.signal, onOutput });
    await expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
    const [left, ...more] = commands.left.list();
    expect([left, more]).toEqual([{ id: left!.id, label: 'the label', isApplied: true }, []]);
    await using changes = await commands.left.reopen(left!.id);
    expect((await contentOf(changes.openBefore('a.txt'))).toString()).toBe('a\n');
  });

  it('looks only once nothing of the command runs any more, also after a time-out', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsOn(machine, workspace);
    const line =
      '(setsid sh -c "while :; do echo x >> a.txt; done" >/dev/null 2>&1 &); until [ $(wc -c < a.txt) -gt 20 ]; do :; done';
    for (const end of ['', '; sleep 300']) {
      const result = await run(commands, line + end, { timeoutMs: 2_000 });
      await using changes = result.changes!;
      expect([result.timedOut, kinds(changes), changes.gaps]).toEqual([
        end !== '',
        { 'a.txt': 'file → file' },
        [],
      ]);
      expect(await changes.conflicts()).toEqual([]);
    }
  });
});

describe('capturedCommands', () => {
  it('copies nothing for a command that can only read', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsOn('in a sandbox that shows no views', workspace);
    const { changes } = await run(commands, 'echo x > a.txt', { confinement: { isReadOnly: true } });
    expect(changes!.entries).toEqual([]);
    expect(existsSync(join(workspace.locations.state, 'copies'))).toBe(false);
  });
});
