/** What a command reaches of the network: nothing, or the hosts that were granted, through a proxy that keeps a record. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(
    (request, response) => void request.pipe(response.writeHead(200, { seen: request.url })),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** `curl` through the proxy also for this machine itself. */
const CURL = 'NO_PROXY= no_proxy= curl --silent --show-error --max-time 20';

describe('hosts', () => {
  it('are out of reach unless they are granted', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await shell(
      commands,
      `curl --silent ${origin}/; echo $?; tail -n +3 /proc/net/dev | cut -d: -f1`,
    );
    expect(told(result).stdout).toBe('7\n    lo\n');
  });

  it('are reached by plain requests and tunnels, and kept on record', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = `${CURL} --data plain ${origin}/a; ${CURL} --proxytunnel --data tunnel ${origin}/b`;
    const result = await shell(commands, line, { confinement: { hosts: ['127.0.0.1'] } });
    expect(told(result)).toEqual({ exitCode: 0, stdout: 'plaintunnel', stderr: '' });
    expect(result).toMatchObject({ hostsReached: ['127.0.0.1'], hostsDenied: [] });
  });

  it('carries more than any buffer holds, both ways', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = `head -c 30000000 /dev/urandom > big; ${CURL} --data-binary @big ${origin}/ | cmp - big && echo same`;
    const result = await shell(commands, line, { confinement: { hosts: ['127.0.0.1'] } });
    expect(told(result)).toEqual({ exitCode: 0, stdout: 'same\n', stderr: '' });
  });

  it('that were not granted are answered with the reason', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = `${CURL} http://other.example/; ${CURL} https://third.example/`;
    const result = await shell(commands, line, { confinement: { hosts: ['granted.example'] } });
    expect(told(result).stdout).toBe(
      'handrail: This command may reach granted hosts only; other.example is not among them: granted.example.\n',
    );
    expect(told(result).stderr).toContain('403');
    expect(result).toMatchObject({ hostsReached: [], hostsDenied: ['other.example', 'third.example'] });
  });

  it.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost'])(
    'of the machine itself are not what everything public means: %s',
    async (host) => {
      await using workspace = tempWorkspace();
      using commands = commandsIn(workspace);
      const line = `${CURL} --proxytunnel ${origin.replace('127.0.0.1', host)}/`;
      const result = await shell(commands, line, { confinement: { hosts: ['*'] } });
      expect(told(result)).toMatchObject({ stdout: '' });
      expect(result.hostsReached).toEqual([]);
    },
  );

  it('are not reached around the proxy', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = `curl --silent --noproxy '*' ${origin}/; echo $?`;
    const result = await shell(commands, line, { confinement: { hosts: ['127.0.0.1'] } });
    expect(told(result).stdout).toBe('7\n');
  });

  it('leave the command without descriptors and children that are not its own', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = 'ls /proc/$$/fd; read children < /proc/$$/task/$$/children; echo "children: $children"';
    const result = await shell(commands, line, { confinement: { hosts: ['127.0.0.1'] } });
    const descriptors = told(result).stdout.trim().split('\n');
    expect(descriptors).toEqual(expect.not.arrayContaining(['3', '4', '5', '6']));
    expect(descriptors.at(-1)).toBe('children:');
  });
});
