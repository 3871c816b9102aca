/** Processes that ask, about a write or something else, and wait: for answers that come when nobody is left to hear them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRuntime } from '../../src/index.ts';
import { openQuestions } from './questions.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface AskedWrite {
  readonly session: string;
  readonly path: string;
  readonly content: string;
}

export interface Asking {
  /** The outcome of its call, or the result of one that is no write, once it has ended. */
  readonly outcome: Promise<string>;
  kill(): Promise<void>;
}

const PROGRAM = join(import.meta.dirname, '../runtime/fixtures/ask-and-wait.ts');

/** Starts a process that makes the call. */
export function startAsking(workspace: TempWorkspace, { session, ...write }: AskedWrite): Asking {
  return startCall(workspace, session, 'write', write);
}

/** Starts a process that makes a call of any tool. */
export function startCall(
  { root, locations }: TempWorkspace,
  session: string,
  tool: string,
  toolArgs: object,
): Asking {
  const args = [PROGRAM, root, JSON.stringify(locations), session, tool, JSON.stringify(toolArgs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'close');
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    outcome: gone.then(() => said),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Has the question asked by a process that is killed before it gets its answer, a yes. Returns the question's id. */
export async function answeredWhileDead(workspace: TempWorkspace, write: AskedWrite): Promise<string> {
  const { root, locations } = workspace;
  // Makes the store, so that the question can be waited for from the start.
  await (await createRuntime({ workspace: root, locations }))[Symbol.asyncDispose]();
  const asking = startAsking(workspace, write);
  await using questions = openQuestions(locations.state);
  const [open] = await questions.whenOpen();
  await asking.kill();
  expect(await questions.answer(open!.id, { answer: 'once' })).toBe(true);
  return open!.id;
}
