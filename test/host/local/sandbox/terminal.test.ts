/** Commands with a terminal. */
import { describe, expect, it } from 'vitest';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

const terminal = { columns: 100, rows: 30 };

describe('a command with a terminal', () => {
  it('has one of the size that was asked for, and everything it writes is stdout', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'stty size; [ -t 0 ] && echo in; echo err >&2; exit 3', {
      terminal,
    });
    expect(told(result)).toEqual({
      exitCode: 3,
      stdout: expect.stringContaining('30 100\r\nin\r\nerr\r\n') as string,
      stderr: '',
    });
    expect(result.tier).toBe('A');
  });

  it('reads what is typed, and then its end', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'stty -echo; read a; echo "<$a>"; cat; echo end', {
      terminal,
      stdin: 'typed\n',
    });
    expect(told(result).stdout).toContain('<typed>\r\nend\r\n');
  });

  it('ends with its time', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'echo begun; sleep 300', { terminal, timeoutMs: 1_000 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(told(result).stdout).toContain('begun');
  });

  it('has it outside of the sandbox, too', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'stty size', { terminal, confinement: 'none' });
    expect(told(result).stdout).toContain('30 100\r\n');
  });
});
