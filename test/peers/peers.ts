/** Where the programs of others are, and how one is run. They are installed by `npm test`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../../.tmp/peers/node_modules');

/** Why they are not there; undefined where they are. */
export function whyNoPeers(): string | undefined {
  return existsSync(MODULES)
    ? undefined
    : 'the peers are not installed: run `node scripts/test.js test/peers`';
}

export interface RanPeer {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs a script of a package, in a folder where it may leave things. */
export function runPeer(script: string, args: readonly string[], folder: string): Promise<RanPeer> {
  const child = spawn(process.execPath, [join(MODULES, script), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}
