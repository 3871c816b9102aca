/** Commands that go on: their streams, their end, and that nothing of them is left. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Commands, RunningCommand, StartRequest } from '../../../../src/host/ports.ts';
import { commandsIn, CONFINED } from '../../../support/commands.ts';
import { ownSleep, stubborn } from '../../../support/sleepers.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { startCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

function start(
  commands: Commands,
  line: string,
  request: Partial<StartRequest> = {},
): Promise<RunningCommand> {
  return commands.start({
    program: '/bin/sh',
    args: ['-c', line],
    directory: '.',
    env: {},
    confinement: CONFINED,
    signal: new AbortController().signal,
    ...request,
  });
}

async function firstText(running: RunningCommand): Promise<string> {
  const [chunk] = (await once(running.stdout, 'data')) as [Buffer];
  return chunk.toString();
}

describe('commands.start', () => {
  it.each([CONFINED, 'none'] as const)('gives streams of its own to a command (%s)', async (confinement) => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const running = await start(commands, 'read a; echo "<$a>"; echo wrong >&2; exit 3', { confinement });
    running.stdin.end('typed\n');
    expect(await Promise.all([text(running.stdout), text(running.stderr), running.exited])).toEqual([
      '<typed>\n',
      'wrong\n',
      { exitCode: 3 },
    ]);
    expect(running.tier).toBe(confinement === 'none' ? 'C' : 'A');
  });

  it('gives it a terminal whose size can change', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = 'stty -echo; stty size; read _; stty size';
    const running = await start(commands, line, { terminal: { columns: 80, rows: 25 } });
    expect(await firstText(running)).toBe('25 80\r\n');
    running.resize(120, 40);
    const rest = text(running.stdout);
    running.stdin.write('\n');
    await running.exited;
    expect(await rest).toBe('40 120\r\n');
  });

  it('says why nothing runs', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await expect(start(commands, 'true', { directory: 'missing' })).rejects.toMatchObject({
      code: 'E_EXEC',
      message: expect.stringContaining('can not be its directory') as string,
    });
  });

  it('asks a command to end that has a terminal and a session of its own', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    // The signal meets its `sleep` too, and the shell may say so first.
    const line = "exec 2>/dev/null; trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.1; done";
    const running = await start(commands, line, { terminal: { columns: 80, rows: 25 } });
    expect(await firstText(running)).toBe('up\r\n');
    const rest = text(running.stdout);
    await running.stop();
    expect([await rest, await running.exited]).toEqual(['bye\r\n', { exitCode: 7 }]);
  });

  it('asks a command to end first', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const running = await start(
      commands,
      "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.1; done",
    );
    expect(await firstText(running)).toBe('up\n');
    const rest = text(running.stdout);
    await running.stop();
    expect([await rest, await running.exited]).toEqual(['bye\n', { exitCode: 7 }]);
  });

  it.each([CONFINED, 'none'] as const)('ends what does not want to (%s)', async (confinement) => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const { line, sleepers } = ownSleep();
    const running = await start(commands, stubborn(line), { confinement });
    await firstText(running);
    await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(2);
    await running.stop();
    await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
  });

  it('ends it with its signal, and with its host', async () => {
    await using workspace = tempWorkspace();
    const { line, sleepers } = ownSleep();
    const commands = commandsIn(workspace);
    const controller = new AbortController();
    const first = await start(commands, stubborn(line), { signal: controller.signal });
    const second = await start(commands, stubborn(line), { confinement: 'none' });
    const third = await start(commands, stubborn(line));
    await Promise.all([first, second, third].map(firstText));
    controller.abort();
    commands[Symbol.dispose]();
    await Promise.all([first.exited, second.exited, third.exited]);
    await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
  });

  it.for<User>(['root', 'nobody'])(
    'ends it when the process of %s that started it is killed',
    async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = tempWorkspace();
      const { line, sleepers } = ownSleep();
      const runtime = startCommands(workspace, user, [[stubborn(line), { isStarted: true }]]);
      await once(runtime.stderr!, 'data');
      await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(2);
      runtime.kill('SIGKILL');
      await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
    },
  );
});
