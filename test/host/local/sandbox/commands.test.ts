/** Commands through the real sandbox of this machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

describe('localCommands', () => {
  it('runs a command in the workspace, confined by bubblewrap', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsIn(workspace);
    expect((await commands.sandbox()).tier).toBe('A');
    const result = await shell(commands, 'pwd; cat a.txt; echo b > b.txt; echo err >&2; exit 3');
    expect(result).toMatchObject({
      tier: 'A',
      timedOut: false,
      hostsReached: [],
      truncated: { stdout: false, stderr: false },
    });
    expect(told(result)).toEqual({ exitCode: 3, stdout: `${workspace.root}\na\n`, stderr: 'err\n' });
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('b\n');
  });

  it('runs in a directory of the workspace', async () => {
    await using workspace = tempWorkspace({ 'd/e/f.txt': '' });
    using commands = commandsIn(workspace);
    expect(told(await shell(commands, 'ls', { directory: 'd/e' })).stdout).toBe('f.txt\n');
  });

  it('takes stdin, and closes it where nothing is given', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    expect(told(await shell(commands, 'cat', { stdin: 'grüße' })).stdout).toBe('grüße');
    expect(told(await shell(commands, 'cat'))).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('gives 128 and the signal for a command that was ended by one', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    expect((await shell(commands, 'kill -9 $$')).exitCode).toBe(137);
  });

  it('gives 124 after the time-out', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'echo begun; sleep 300', { timeoutMs: 500 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(told(result).stdout).toBe('begun\n');
  });

  it('lets a command tidy up before it is killed', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = "trap 'echo tidy; exit 0' TERM; sleep 300 & wait";
    expect(told(await shell(commands, line, { timeoutMs: 500 })).stdout).toBe('tidy\n');
  });

  it('returns when the command exits, whoever holds its pipes', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    expect(told(await shell(commands, 'sleep 300 & echo done'))).toMatchObject({
      exitCode: 0,
      stdout: 'done\n',
    });
  });

  it.each([
    ['an empty program', { program: ' ' }, 'E_INVALID_ARGS', 'There is no command to run.'],
    ['a NUL byte', { args: ['-c', 'a\0b'] }, 'E_INVALID_ARGS', 'NUL'],
    ['a directory that is gone', { directory: 'gone' }, 'E_EXEC', 'can not be its directory'],
  ])('refuses %s', async (_, request, code, message) => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const failure = await failureOf(shell(commands, 'true', request));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(message);
  });

  it('removes the temporary files of its sessions when it is disposed', async () => {
    await using workspace = tempWorkspace();
    const kept = join(workspace.locations.state, 'sandbox/tmp');
    {
      using commands = commandsIn(workspace);
      await shell(commands, 'echo kept > /tmp/a.txt');
      expect(told(await shell(commands, 'cat /tmp/a.txt')).stdout).toBe('kept\n');
      const other = await shell(commands, 'cat /tmp/a.txt', { confinement: { session: 'ses_other' } });
      expect(told(other).exitCode).toBe(1);
      expect(readdirSync(kept)).not.toEqual([]);
    }
    expect(readdirSync(kept)).toEqual([]);
  });
});

async function failureOf(running: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await running.catch((error: unknown) => error);
  if (thrown instanceof Failure) return thrown;
  throw new Error('This did not end in a failure.', { cause: thrown });
}
