/** What a command can take of the machine. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';
import { commandsIn, shell, told } from '../../../support/commands.ts';

/** Not without end: should nothing hold it, the machine lives on. */
const BOMB = 'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); sleep 20 & done; echo all of them';

describe('limits', () => {
  it.for<User>(['root', 'nobody'])(
    'hold a command of %s that starts more and more processes',
    async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = tempWorkspace();
      const limits = { processes: 100 };
      const [bomb, after, outside] = await runCommands(workspace, user, [
        [BOMB, { limits }],
        ['echo fine'],
        [BOMB, { confinement: 'none' }],
      ]);
      expect(bomb!.stdout).toBe('');
      expect(after).toMatchObject({ exitCode: 0, stdout: 'fine\n' });
      expect(outside!.stdout).toBe('all of them\n');
    },
  );

  it('hold a command that takes ever more memory, and are named', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = "perl -e '$x .= q(x) x 1e6 while length $x < 5e8; print q(got it)'";
    const limits = { memoryBytes: 100 * 2 ** 20, processes: 50 };
    const result = await shell(commands, line, { limits });
    expect(told(result).exitCode).not.toBe(0);
    expect(told(result).stdout).toBe('');
    expect(result.limitsInForce).toEqual([expect.stringMatching(/^memory: 100 MiB /), 'processes: 50']);
  });
});

describe('output', () => {
  it('keeps head and tail of a flood, and counts the rest', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(commands, 'echo start; head -c 100000000 /dev/zero; echo end', {
      maxOutputBytes: 1_000,
    });
    expect(result.truncated).toEqual({ stdout: true, stderr: false });
    expect(result.totalBytes.stdout).toBe(100_000_010);
    const { stdout } = told(result);
    expect(stdout.startsWith('start\n\0')).toBe(true);
    expect(stdout.endsWith('\0end\n')).toBe(true);
    expect(stdout).toContain('\n[output truncated]\n');
  });

  it('goes to the spool as it comes, up to its size', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const chunks: Uint8Array[] = [];
    const file = { append: (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes)) };
    await shell(commands, 'echo out; echo err >&2; head -c 1000 /dev/zero', {
      spool: { file, maxBytes: 100 },
    });
    expect(Buffer.concat(chunks)).toHaveLength(100);
  });
});
