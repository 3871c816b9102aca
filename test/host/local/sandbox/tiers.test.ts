/** Which sandbox there is, and what holds without the best one. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { tempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, whyNotAs } from './fixtures/commands-in-a-child.ts';

/** A folder with a program in place of bubblewrap. */
function withProgram(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  return folder;
}

function without(workspace: TempWorkspace) {
  const PATH = `${withProgram(workspace.outside, 'exit 1')}:/usr/bin:/bin`;
  return commandsIn(workspace, { environment: { PATH } });
}

describe('sandbox', () => {
  it('is A where bubblewrap does all that is asked of it', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    expect(await commands.sandbox()).toMatchObject({
      tier: 'A',
      says: expect.stringContaining('bubblewrap') as string,
    });
  });

  it('is A- where the kernel refuses a new /proc, and the walls still stand', async ({ skip }) => {
    const whyNot = whyNotAs('masked');
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ '.git/config': '' });
    const lines = [
      'grep -c SECRET_OF_PARENT /proc/$PARENT/environ',
      'ls /proc/$PARENT/root',
      'readlink /proc/$PARENT/fd/0',
      `cat ${workspace.outside}/s.txt`,
      'echo x > .git/config',
      'unshare -U true',
      'kill -0 $PARENT',
    ];
    const answers = await runCommands(workspace, 'masked', [
      ['echo fine'],
      ...lines.map((line) => [line] as const),
    ]);
    expect(answers.map(({ tier, stdout, exitCode }) => `${tier} ${exitCode === 0} ${stdout}`)).toEqual([
      'A- true fine\n',
      ...lines.map(() => 'A- false '),
    ]);
  });

  it.each([
    ['bubblewrap is missing', () => '/nowhere', 'bubblewrap is not installed'],
    [
      'it is only in the workspace',
      ({ root }: TempWorkspace) => `${withProgram(join(root, 'bin'), 'exit 0')}:/nowhere`,
      'not installed',
    ],
    ['it does not run', ({ outside }: TempWorkspace) => withProgram(outside, 'exit 1'), 'does not run'],
    [
      'name spaces are refused',
      ({ outside }: TempWorkspace) =>
        withProgram(
          outside,
          'case $1 in --version) echo bubblewrap 0.8.0;; *) echo "bwrap: No permissions to create new namespace" >&2; exit 1;; esac',
        ),
      'No permissions to create new namespace',
    ],
  ])('is C where %s', async (_, pathIn, says) => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace, { environment: { PATH: pathIn(workspace) } });
    const report = await commands.sandbox();
    expect(report).toMatchObject({ tier: 'C', says: expect.stringContaining(says) as string });
    expect(report.hint).toContain(says.includes('namespace') ? 'sysctl' : 'install bubblewrap');
  });
});

describe('minimum', () => {
  it.each(['A', 'A-', 'seatbelt'] as const)('%s refuses to run without a sandbox', async (minimum) => {
    await using workspace = tempWorkspace();
    using commands = without(workspace);
    const running = shell(commands, 'touch ran', { confinement: { minimum } });
    await expect(running).rejects.toMatchObject({
      code: 'E_UNSUPPORTED',
      message: expect.stringContaining(`tier ${minimum} at least`) as string,
    });
  });
});

describe('a command without a sandbox', () => {
  it('has the same clean environment and says that nothing confines it', async () => {
    await using workspace = tempWorkspace({ 'd/a.txt': '' });
    using commands = without(workspace);
    const result = await shell(commands, 'pwd; ls; env | grep -c VITEST', { directory: 'd' });
    expect(told(result)).toMatchObject({ stdout: `${workspace.root}/d\na.txt\n0\n` });
    expect(result.tier).toBe('C');
  });

  it('leaves no process behind that carries its mark', async () => {
    await using workspace = tempWorkspace();
    using commands = without(workspace);
    const line =
      "(setsid sh -c 'echo $$ > pid; exec sleep 300' >/dev/null 2>&1 &); until [ -s pid ]; do :; done; cat pid";
    const pid = Number(told(await shell(commands, line)).stdout);
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it('is refused a directory that is not there', async () => {
    await using workspace = tempWorkspace();
    using commands = without(workspace);
    await expect(shell(commands, 'true', { directory: 'gone' })).rejects.toMatchObject({
      code: 'E_EXEC',
      message: 'The command was not started, because "gone" can not be its directory.',
    });
  });

  it('is one that a person approved to run outside, whatever the machine could do', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, `cat ${workspace.outside}/s.txt`, { confinement: 'none' });
    expect(result).toMatchObject({ exitCode: 0, tier: 'C' });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
