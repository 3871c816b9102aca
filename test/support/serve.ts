/** Runs `handrail serve` as a person would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { environmentOf, LAUNCHER } from './command-line.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Serving extends AsyncDisposable {
  readonly url: URL;
  readonly child: ChildProcess;
}

/** Starts the server on a free port and waits for its address. */
export async function serve(workspace: TempWorkspace): Promise<Serving> {
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0'], {
    cwd: workspace.root,
    env: environmentOf(workspace),
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('http://')) continue;
    return {
      url: new URL(line),
      child,
      async [Symbol.asyncDispose]() {
        if (child.exitCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('The server printed no address.');
}
