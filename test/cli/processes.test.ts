/** `handrail ps`, `logs`, `stop` and `forward`, as a person would use them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localProcessTable } from '../../src/host/local/process-table.ts';
import type { BackgroundProcess } from '../../src/host/ports.ts';
import { openState } from '../../src/open-state.ts';
import { processRecords } from '../../src/store/processes.ts';
import { handrail } from '../support/command-line.ts';
import { ownSleep, stubborn } from '../support/sleepers.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const SERVER = `node -e "require('node:http').createServer((_, answer) => answer.end('hello')).listen(4567, () => console.log('up'))"`;

async function call(workspace: TempWorkspace, tool: string, args: object): Promise<Record<string, unknown>> {
  const { stdout } = await handrail(workspace, [
    'call',
    tool,
    JSON.stringify(args),
    '--yes',
    '--session',
    'ses_one',
  ]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function list(workspace: TempWorkspace): Promise<BackgroundProcess[]> {
  return JSON.parse((await handrail(workspace, ['ps', '--json'])).stdout) as BackgroundProcess[];
}

async function supervisorOf({ locations }: TempWorkspace): Promise<number> {
  await using state = openState({ state: join(locations.state, '..', 'xdg-state', 'handrail') });
  const place = await processRecords(state.store.database).supervisor();
  return localProcessTable().pidOf(place!.owner);
}

describe('handrail', () => {
  it('starts a server by one call, which the next ones call, and a person follows, forwards and stops it', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['ps'])).toMatchObject({ exitCode: 0, stdout: '' });
    const { id } = await call(workspace, 'run_background', { command: SERVER, wait_port: 4567 });
    expect(await call(workspace, 'bash', { command: 'curl -s http://127.0.0.1:4567/' })).toMatchObject({
      stdout: 'hello',
    });
    const follows = handrail(workspace, ['logs', '-f', String(id)]);
    const { stdout: url } = await handrail(workspace, ['forward', String(id), '4567']);
    expect(await (await fetch(url.trim())).text()).toBe('hello');
    expect((await handrail(workspace, ['ps'])).stdout).toMatch(/^PROCESS +STATE[^]*runs, kept +\d+/);
    expect(await handrail(workspace, ['stop', String(id)])).toMatchObject({
      exitCode: 0,
      stdout: `Stopped ${String(id)}: ${SERVER}\n`,
    });
    expect(await follows).toMatchObject({ exitCode: 0, stdout: 'up\n' });
    expect(await list(workspace)).toMatchObject([{ id, ended: { by: 'stopped', exitCode: 143 } }]);
    expect((await handrail(workspace, ['stop', '--all'])).stderr).toBe('No background process runs.\n');
  });

  it('says what ended with a supervisor that was killed', async () => {
    await using workspace = tempWorkspace();
    const { line, sleepers } = ownSleep();
    const { id } = await call(workspace, 'run_background', { command: stubborn(line), wait_text: 'up' });
    process.kill(await supervisorOf(workspace), 'SIGKILL');
    const said = `The background process ${String(id)} (`;
    const { stderr } = await handrail(workspace, ['ps']);
    expect(stderr).toContain(said);
    expect(stderr).toContain('ended with its supervisor');
    await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
    expect((await handrail(workspace, ['ps'])).stderr).toBe('');
    expect(await list(workspace)).toMatchObject([{ id, ended: { by: 'supervisor-gone' } }]);
    const again = await call(workspace, 'run_background', { command: 'echo fine', wait_text: 'fine' });
    expect(again).toMatchObject({ output: 'fine\n' });
  });

  it.each([
    [['logs', 'nobody'], 'There is no background process "nobody"'],
    [['stop'], 'name a process, or say --all'],
    [['stop', 'proc_x', '--all'], 'name a process, or say --all'],
    [['forward', 'proc_x', 'http'], 'http is not a port'],
  ])('refuses %j', async (args, message) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, args);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});
