/** The ground of the rename race: a second process that flips a folder between itself and a link to the outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTSIDE_SECRET, type TempWorkspace } from '../support/temp-workspace.ts';

export interface Flipping extends AsyncDisposable {
  /** How often it has flipped; fails once it no longer does. */
  flips(): number;
}

/** Flips `d` until it is disposed: inside, `d/g` is harmless; outside, the secret. */
export async function startFlipping({ root, outside, ...workspace }: TempWorkspace): Promise<Flipping> {
  writeFileSync(join(outside, 'g'), OUTSIDE_SECRET);
  workspace.write('d/g', 'inside\n');
  symlinkSync(outside, join(root, 'd.link'));
  const program = join(import.meta.dirname, 'fixtures/flip-directory.ts');
  const child = spawn(process.execPath, [program, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let flips = 0;
  child.stdout.on('data', (chunk: Buffer) => (flips = Number(chunk.toString().trim().split('\n').at(-1))));
  await once(child.stdout, 'data');
  return {
    flips() {
      if (child.exitCode !== null) throw new Error('The flipping has ended.');
      return flips;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
