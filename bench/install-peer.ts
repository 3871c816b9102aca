/** Packages of others that are measured beside ours, installed for the run. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a package beside the project, once a machine; returns its folder. */
export async function installPeer(name: string, version: string): Promise<string> {
  const place = join(tmpdir(), 'handrail-bench-peers');
  mkdirSync(place, { recursive: true });
  const folder = join(place, 'node_modules', name);
  if (!existsSync(folder)) {
    console.error(`installing ${name}@${version} for comparison …`);
    await run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', place, `${name}@${version}`]);
  }
  return folder;
}
