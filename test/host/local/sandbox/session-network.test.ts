/** Commands of one session in one network, and nobody else. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { LocalCommands } from '../../../../src/host/local/sandbox/commands.ts';
import type { RunningCommand } from '../../../../src/host/ports.ts';
import { commandsIn, CONFINED, shell, told } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

const SERVER =
  "require('node:http').createServer((_, answer) => answer.end('hello\\n')).listen(4567, '127.0.0.1', () => console.log('up'))";

type Network = NonNullable<Awaited<ReturnType<LocalCommands['openNetwork']>>>;

async function serving(commands: LocalCommands, network: Network): Promise<RunningCommand> {
  const running = await commands.start({
    program: 'node',
    args: ['-e', SERVER],
    directory: '.',
    env: {},
    confinement: { ...CONFINED, network },
    signal: new AbortController().signal,
  });
  await once(running.stdout, 'data');
  return running;
}

const CALL = 'curl -s --max-time 5 http://127.0.0.1:4567/ || echo nobody';

describe("a session's network", () => {
  it('is shared by those who are started in it, and by nobody else', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    using network = (await commands.openNetwork())!;
    using other = (await commands.openNetwork())!;
    const running = await serving(commands, network);
    const answers = await Promise.all([
      shell(commands, CALL, { confinement: { network } }),
      shell(commands, CALL, { confinement: { network: other } }),
      shell(commands, CALL),
      shell(commands, CALL, { confinement: 'none' }),
    ]);
    expect(answers.map((answer) => told(answer).stdout)).toEqual([
      'hello\n',
      'nobody\n',
      'nobody\n',
      'nobody\n',
    ]);
    await running.stop();
  });

  it.for<User>(['root', 'nobody', 'masked'])('works for %s', async (user, { skip }) => {
    const whyNot = whyNotAs(user);
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    const server = `node -e "${SERVER}"`;
    const answers = await runCommands(workspace, user, [
      [server, { isStarted: true, inNetwork: true }],
      [CALL, { inNetwork: true }],
      [CALL],
      [`touch made; ${CALL}`, { inNetwork: true, capture: { way: 'view', mustCover: true, label: '' } }],
    ]);
    expect(answers.map(({ stdout }) => stdout)).toEqual(['hello\n', 'nobody\n', 'hello\n']);
    expect(existsSync(`${workspace.root}/made`)).toBe(false);
  });

  it('is gone when it is disposed, and what was to enter it does not run', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const network = (await commands.openNetwork())!;
    network[Symbol.dispose]();
    await expect.poll(() => existsSync(`/proc/${network.pid}/ns/net`), { timeout: 10_000 }).toBe(false);
    await expect(shell(commands, 'touch ran', { confinement: { network } })).rejects.toMatchObject({
      code: 'E_EXEC',
    });
    await expect(
      shell(commands, 'touch ran', { confinement: { network: { ...network, pid: process.pid } } }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/E_CONFLICT|E_EXEC/) as string });
    expect(existsSync(`${workspace.root}/ran`)).toBe(false);
  });

  it('lets each command reach only what was granted to itself', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    using network = (await commands.openNetwork())!;
    const server = createServer((_, answer) => answer.end('outside\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hosts = ['127.0.0.1'];
    const granted = await commands.start({
      program: '/bin/sh',
      args: ['-c', 'echo "$HTTP_PROXY"; sleep 300'],
      directory: '.',
      env: {},
      confinement: { ...CONFINED, network, hosts },
      signal: new AbortController().signal,
    });
    const [said] = (await once(granted.stdout, 'data')) as [Buffer];
    const proxy = said.toString().trim();
    const call = (through: string): string =>
      `curl -s --noproxy '' --max-time 5 -o /dev/null -w '%{http_code}' -x '${through}' http://127.0.0.1:${port}/`;
    const withoutToken = proxy.replace(/handrail:\w+@/, '');
    const guessed = proxy.replace(/:\w+@/, ':guessed@');
    const ran = await shell(commands, [withoutToken, guessed, proxy].map(call).join('; echo; '), {
      confinement: { network },
    });
    // Who was told the token by its owner is let in by its owner.
    expect(told(ran).stdout.split('\n')).toEqual(['407', '407', '200']);
    expect([granted.hosts().reached, ran.hostsReached]).toEqual([['127.0.0.1'], []]);
    server.close();
  });

  it('is left by the usual tools through the proxy, by a name and a token in its address', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    using network = (await commands.openNetwork())!;
    const asked: string[] = [];
    const server = createServer(({ url }, answer) => {
      asked.push(url ?? '');
      answer.writeHead(404).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines = [
      `curl -s ${at}/by-curl`,
      `git ls-remote ${at}/by-git`,
      `npm view by-npm --registry ${at}/`,
      `/run/handrail/node -e "fetch('${at}/by-node').then(({ status }) => console.log(status))"`,
      `/run/handrail/node -e "require('node:http').get('${at}/by-http')"`,
    ];
    // The server is on the loopback outside, which tools would look for inside.
    const line = ['export NO_PROXY= no_proxy=', ...lines].join('\n');
    const ran = await shell(commands, line, { confinement: { network, hosts: ['127.0.0.1'] } });
    expect(asked.map((url) => /by-[a-z]+/.exec(url)?.[0])).toEqual(
      expect.arrayContaining(['by-curl', 'by-git', 'by-npm', 'by-node', 'by-http']),
    );
    expect(ran.hostsReached).toEqual(['127.0.0.1']);
    server.close();
  });
});
