/** Starts a supervisor that goes on when this process has ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../../../failure.ts';
import { coveredDescriptors } from '../inherited-descriptors.ts';

/** What the supervisor writes once it can be spoken to. */
export const READY = 'ready\n';

/** Waits until it is ready, or has left the place to another. */
export async function startSupervisor(program: readonly string[]): Promise<void> {
  const [file = '', ...args] = program;
  const child = spawn(file, args, {
    cwd: '/',
    env: { NODE_V8_COVERAGE: undefined },
    stdio: ['ignore', 'pipe', 'ignore', ...coveredDescriptors(3)],
    detached: true,
  });
  try {
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  } catch (cause) {
    throw new Failure('E_EXEC', 'The supervisor of background processes could not be started.', { cause });
  } finally {
    child.stdout?.destroy();
    child.unref();
  }
}
