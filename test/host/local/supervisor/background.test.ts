/** Background processes: from their start to their end, of which nothing is left. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessEvent } from '../../../../src/host/ports.ts';
import { backgroundIn } from '../../../support/background.ts';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { ownSleep, stubborn } from '../../../support/sleepers.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

const { signal } = new AbortController();
const SERVER = `node -e "require('node:http').createServer((_, answer) => answer.end('hello')).listen(4567, () => console.log('up'))"`;
const CALL = 'curl -s --max-time 5 http://127.0.0.1:4567/ || echo nobody';

function outputOf(events: readonly ProcessEvent[]): string {
  return events.map((event) => (event.type === 'output' ? Buffer.from(event.bytes).toString() : '')).join('');
}

describe('background processes', () => {
  it('are a server that is waited for, called, watched and stopped, and nothing is left', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await using background = backgroundIn(workspace);
    const { processes, start, find, events } = background;
    const server = await start(SERVER);
    expect(await processes.wait(server.id, { port: 4567 }, 30_000, signal)).toEqual({ outcome: 'met' });
    const network = await processes.network('ses_test');
    expect(told(await shell(commands, CALL, { confinement: { network } })).stdout).toBe('hello');
    expect(await processes.network('ses_other')).toBeUndefined();
    const port = await processes.forward(server.id, 4567);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
    await processes.stop(server.id);
    expect(await find(server.id)).toMatchObject({
      command: SERVER,
      pid: expect.any(Number) as number,
      ended: { by: 'stopped', exitCode: 143 },
    });
    await expect
      .poll(() => events.at(-1), { timeout: 10_000 })
      .toMatchObject({ type: 'ended', ended: { by: 'stopped' } });
    expect(outputOf(events)).toBe('up\n');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
    await expect.poll(() => existsSync(`/proc/${network!.pid}/ns/net`), { timeout: 10_000 }).toBe(false);
    expect(await processes.network('ses_test')).toBeUndefined();
  });

  it('can be written to, and waited for by what they say', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const { processes, start, output, find } = background;
    const { id } = await start('echo first; read a; echo "got <$a>"; cat; exit 4');
    await processes.write(id, 'typed\n', false);
    const waited = await processes.wait(id, { text: 'got <*>', from: 0 }, 30_000, signal);
    expect(waited).toEqual({ outcome: 'met', line: 'got <typed>' });
    expect(await processes.wait(id, { text: 'never', from: 0 }, 1, signal)).toEqual({ outcome: 'timed-out' });
    const exit = processes.wait(id, { exit: true }, 30_000, signal);
    const never = processes.wait(id, { text: 'never', from: 0 }, 30_000, signal);
    await processes.write(id, 'the rest', true);
    expect([await exit, await never]).toEqual([{ outcome: 'met' }, { outcome: 'ended' }]);
    expect(output(id)).toBe('first\ngot <typed>\nthe rest');
    await expect
      .poll(async () => (await find(id)).ended, { timeout: 10_000 })
      .toMatchObject({ by: 'itself', exitCode: 4 });
    const afterwards = [
      { exit: true },
      { text: 'got *', from: 0 },
      { text: 'never', from: 0 },
      { port: 1 },
    ] as const;
    expect(await Promise.all(afterwards.map((what) => processes.wait(id, what, 30_000, signal)))).toEqual([
      { outcome: 'met' },
      { outcome: 'met', line: 'got <typed>' },
      { outcome: 'ended' },
      { outcome: 'ended' },
    ]);
    await expect(processes.write(id, 'x', false)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('are waited for until the caller gives up', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const { id } = await background.start('sleep 300');
    const controller = new AbortController();
    const waiting = background.processes.wait(id, { port: 1 }, 300_000, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow(/cancelled|aborted/);
  });

  it('have a terminal whose size can change', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const { processes, start } = background;
    const terminal = { columns: 80, rows: 25 };
    const { id } = await start('stty size; read _; stty size; sleep 300', { terminal });
    await processes.wait(id, { text: '25 80', from: 0 }, 30_000, signal);
    await processes.resize(id, 120, 40);
    await processes.write(id, '\n', false);
    expect(await processes.wait(id, { text: '40 120', from: 0 }, 30_000, signal)).toMatchObject({
      outcome: 'met',
    });
  });

  it.each(['confined', 'none'] as const)(
    'that ignore every request are ended with all they started (%s)',
    async (way) => {
      await using workspace = tempWorkspace();
      await using background = backgroundIn(workspace);
      const { line, sleepers } = ownSleep();
      const { id } = await background.start(stubborn(line), way === 'none' ? { confinement: 'none' } : {});
      await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(2);
      await background.processes.stop(id);
      await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
    },
  );

  it('end with their session and with their owner, unless they are kept', async () => {
    await using workspace = tempWorkspace();
    const { line, sleepers } = ownSleep();
    await using other = backgroundIn(workspace);
    const background = backgroundIn(workspace);
    const [first, second, kept] = await Promise.all([
      background.start(line, { session: 'ses_first' }),
      background.start(line, { session: 'ses_second' }),
      background.start(`touch /tmp/mine; ${line}`, { session: 'ses_first', isKept: true }),
    ]);
    await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(3);
    await background.processes.endSession('ses_first');
    expect(sleepers()).toHaveLength(2);
    await background[Symbol.asyncDispose]();
    expect(sleepers()).toHaveLength(1);
    const ends = await Promise.all([first, second, kept].map(({ id }) => other.find(id)));
    expect(ends.map(({ ended }) => ended?.by)).toEqual(['owner-gone', 'owner-gone', undefined]);
    await other.processes.stop(kept.id);
    expect(sleepers()).toEqual([]);
  });

  it('leave neither a supervisor nor its socket behind when there is nothing to do', async () => {
    await using workspace = tempWorkspace();
    const background = backgroundIn(workspace);
    const { id } = await background.start('true');
    const supervisor = await background.supervisor();
    await background.processes.wait(id, { exit: true }, 30_000, signal);
    await background.processes[Symbol.asyncDispose]();
    await expect
      .poll(() => background.state.processes.identityOf(supervisor), { timeout: 30_000 })
      .toBeUndefined();
    const sockets = readdirSync(join(workspace.locations.state, 'supervisor')).filter(
      (name) => name !== '.private',
    );
    expect(sockets).toEqual([]);
    await background[Symbol.asyncDispose]();
  });

  it('are watched over however long the path of the state is', async () => {
    await using workspace = tempWorkspace();
    const state = join(workspace.locations.state, 'deep'.repeat(40));
    await using background = backgroundIn({ ...workspace, locations: { ...workspace.locations, state } });
    const { id } = await background.start('echo fine');
    await background.processes.wait(id, { exit: true }, 30_000, signal);
    expect(background.output(id)).toBe('fine\n');
  });
});
