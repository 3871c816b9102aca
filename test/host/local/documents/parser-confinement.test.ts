/** What the parser's process can't do, tried by a program in its place. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findBubblewrap, parserCommand } from '../../../../src/host/local/documents/parser-confinement.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

const run = promisify(execFile);

/** Runs a program as the parser is run, and gives what it printed. */
async function inItsPlace(bubblewrap: string | undefined, program: string): Promise<unknown> {
  const { program: file, args } = parserCommand(bubblewrap);
  const { stdout } = await run(file, [...args.slice(0, -1), '--input-type=module', '--eval', program], {
    env: { SECRET: 'x' },
    cwd: '/',
  });
  return JSON.parse(stdout);
}

function attempts(path: string, port: number): string {
  return `
    import { execFileSync } from 'node:child_process';
    import { readFileSync, writeFileSync } from 'node:fs';
    import { connect } from 'node:net';
    const tried = {};
    const attempt = (name, deed) => { try { deed(); tried[name] = true; } catch { tried[name] = false; } };
    attempt('read', () => readFileSync(${JSON.stringify(path)}));
    attempt('write', () => writeFileSync(${JSON.stringify(`${path}.new`)}, ''));
    attempt('start', () => execFileSync('/bin/true'));
    attempt('grow', () => { const held = []; for (let i = 0; i < 40; i++) held.push(Buffer.alloc(64 << 20, 1)); });
    const socket = connect(${port}, '127.0.0.1');
    const end = (connected) => { tried.connect = connected; console.log(JSON.stringify(tried)); process.exit(); };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  `;
}

describe('parserCommand', () => {
  const bubblewrap = findBubblewrap();

  it.runIf(bubblewrap !== undefined)(
    'keeps the parser from files, processes, the network and more than its memory',
    async () => {
      await using workspace = tempWorkspace({ 'a.txt': 'a' });
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const nothing = { read: false, write: false, start: false, grow: false, connect: false };
      const program = attempts(`${workspace.root}/a.txt`, port);
      expect(await inItsPlace(bubblewrap, program)).toEqual(nothing);
      // Node's own permissions say nothing about the network.
      expect(await inItsPlace(undefined, program)).toEqual({ ...nothing, connect: true });
      server.close();
    },
  );

  it.runIf(bubblewrap !== undefined)('shows it nothing of the machine and no environment', async () => {
    const program = `
      import { existsSync } from 'node:fs';
      console.log(JSON.stringify({ environment: process.env.SECRET, files: ['/etc/passwd', '/home', '/root', '/tmp/..'].filter((path) => { try { return existsSync(path); } catch { return false; } }) }));
    `;
    expect(await inItsPlace(bubblewrap, program)).toEqual({ files: [] });
  });
});
