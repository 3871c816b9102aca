/** The supervisor, and those who mean it no good: floods, too many, a kill, another version, a sandbox that wants to talk to it. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { MAX_PROCESSES } from '../../../../src/host/local/supervisor/supervisor.ts';
import { messageLines } from '../../../../src/host/local/supervisor/message-lines.ts';
import { socketFolder } from '../../../../src/host/local/supervisor/supervisor-socket.ts';
import { processRecords } from '../../../../src/store/processes.ts';
import { backgroundIn } from '../../../support/background.ts';
import { ownSleep, stubborn } from '../../../support/sleepers.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { startAs, type User, whyNotAs } from '../sandbox/fixtures/commands-in-a-child.ts';

const { signal } = new AbortController();
const PROGRAM = join(import.meta.dirname, 'fixtures/use-background.ts');
const SERVER = (sleep: string): string =>
  `${sleep} & node -e "require('node:http').createServer((_, answer) => answer.end('hello')).listen(4567)"`;
const CALL = 'curl -s --max-time 5 http://127.0.0.1:4567/';

describe('the supervisor', () => {
  it('when killed takes all with it, and the next start puts the record right', async () => {
    await using workspace = tempWorkspace();
    const { line, sleepers } = ownSleep();
    await using background = backgroundIn(workspace);
    const confined = await background.start(stubborn(line));
    const open = await background.start(stubborn(line), { confinement: 'none', isKept: true });
    await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(4);
    process.kill(await background.supervisor(), 'SIGKILL');
    await expect
      .poll(() => background.events.filter(({ type }) => type === 'ended').length, { timeout: 10_000 })
      .toBe(2);
    await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
    const found = await Promise.all([confined, open].map(({ id }) => background.find(id)));
    expect(found.map(({ ended }) => ended)).toMatchObject([
      { by: 'supervisor-gone', exitCode: undefined },
      { by: 'supervisor-gone', exitCode: undefined },
    ]);
    const { id } = await background.start('echo again');
    await background.processes.wait(id, { exit: true }, 30_000, signal);
    expect(background.output(id)).toBe('again\n');
  });

  it('when asked to end, ends all in good order and says so', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const { id } = await background.start("trap 'exit 9' TERM; echo up; while :; do sleep 0.1; done");
    await background.processes.wait(id, { text: 'up', from: 0 }, 30_000, signal);
    process.kill(await background.supervisor(), 'SIGTERM');
    await expect
      .poll(async () => (await background.find(id)).ended, { timeout: 10_000 })
      .toMatchObject({ by: 'stopped', exitCode: 9 });
  });

  it.for<User>(['root', 'nobody'])(
    'ends what %s started when the runtime is killed',
    async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = tempWorkspace();
      const { line, sleepers } = ownSleep();
      const given = { line: SERVER(line), port: 4567, call: CALL };
      const goes = startAs(workspace, user, PROGRAM, { ...given, after: 'leave' });
      expect(await text(goes.stdout!)).toBe('{"waited":"met","called":"hello"}\n');
      await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
      const stays = startAs(workspace, user, PROGRAM, { ...given, after: 'stay' });
      await once(stays.stdout!, 'data');
      expect(sleepers()).toHaveLength(1);
      stays.kill('SIGKILL');
      await expect.poll(sleepers, { timeout: 10_000 }).toEqual([]);
    },
  );

  it('keeps a flood of output within bounds', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const { id } = await background.start("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end");
    const waited = await background.processes.wait(id, { text: 'end', from: 0 }, 60_000, signal);
    expect(waited).toEqual({ outcome: 'met', line: 'end' });
    const folder = join(workspace.locations.state, 'processes', id);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(background.processes.read(id, 0, 10)).toMatchObject({
      position: expect.toSatisfy((position: number) => position > 90_000_000) as number,
      end: 100_000_005,
    });
    const status = readFileSync(`/proc/${await background.supervisor()}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)![1])).toBeLessThan(400 * 1024);
    const told = background.events.reduce(
      (sum, event) => sum + (event.type === 'output' ? event.bytes.length : 0),
      0,
    );
    expect(told).toBeLessThan(10_000_000);
  });

  it('refuses more processes than a session may have, and says so', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    const starts = Array.from({ length: MAX_PROCESSES + 1 }, () =>
      background.start('sleep 300', { confinement: 'none' }).catch((error: unknown) => error),
    );
    const refused = (await Promise.all(starts)).filter((started) => started instanceof Error);
    expect(refused).toMatchObject([
      { code: 'E_TOO_LARGE', message: expect.stringContaining('50') as string },
    ]);
    expect(await background.start('true', { session: 'ses_other' })).toMatchObject({ session: 'ses_other' });
    expect(await background.processes.list()).toHaveLength(MAX_PROCESSES + 1);
  });

  it('is out of reach for what runs in a sandbox', async () => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    await background.start('sleep 300');
    const folder = join(workspace.locations.state, 'supervisor');
    const socket = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.sock'))!,
    );
    expect(statSync(folder).mode & 0o077).toBe(0);
    const dial = `node -e "require('node:net').connect('${socket}').on('error', ({ code }) => console.log(code)).on('connect', () => console.log('in'))"`;
    const { id } = await background.start(`ls ${folder}; kill -9 ${await background.supervisor()}; ${dial}`);
    await background.processes.wait(id, { exit: true }, 30_000, signal);
    expect(background.output(id)).toMatch(/No such file[^]*(No such process|kill)[^]*(ENOENT|EAFNOSUPPORT)/);
    expect(background.output(id)).not.toContain('in\n');
  });

  it.each([
    ['makes room for another version when it has nothing to do', 0, { command: 'true' }],
    ['of another version is not pushed aside while it has processes', 2, { code: 'E_UNSUPPORTED' }],
  ])('%s', async (_, running, outcome) => {
    await using workspace = tempWorkspace();
    await using background = backgroundIn(workspace);
    using folder = socketFolder(background.state.directory);
    const records = processRecords(background.state.store.database);
    const place = { owner: background.state.processes.self, socket: 'old.sock' };
    await records.supersede(undefined, place);
    const old = createServer((socket) => {
      const lines = messageLines(socket, (message) => {
        const { number, name } = message as { number: number; name: string };
        lines.send({ number, answer: name === 'hello' ? { protocol: 0 } : { processes: running } });
        if (name === 'retire' && running === 0) void records.retire(place.owner).then(() => socket.end());
      });
    }).listen(folder.path('old.sock'));
    await once(old, 'listening');
    const started = await background.start('true').catch((error: unknown) => error);
    expect(started).toMatchObject(outcome);
    old.close();
  });
});
