/** The person at the terminal. What was typed before a question was on the screen is no answer to it, and is dropped. */
import { createInterface, type Interface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';

/** Shows a text, and reads lines from then on. Only for a stdin that is a terminal; close it after use. */
export async function openTerminal(text: string): Promise<Interface> {
  await dropTypedAhead();
  process.stderr.write(text);
  return createInterface({ input: process.stdin, output: process.stderr });
}

/** Long enough for what the kernel holds to come in. */
const TYPED_AHEAD_MS = 20;

async function dropTypedAhead(): Promise<void> {
  const { stdin } = process;
  const drop = (): void => undefined;
  // Raw, or a line without its end would stay behind and become the start of the answer.
  stdin.setRawMode(true);
  stdin.on('data', drop);
  await setTimeout(TYPED_AHEAD_MS);
  stdin.off('data', drop);
}
