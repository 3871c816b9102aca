/** The person at the terminal. What was typed before a question was on the screen is no answer to it, and is dropped. */
import { once } from 'node:events';
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

/** Keys as they are pressed, unseen. */
export interface Keys extends Disposable {
  /** The next key; undefined where the input ended, by Ctrl-C or Ctrl-D too, or the signal fired. */
  next(signal: AbortSignal): Promise<string | undefined>;
  say(text: string): void;
}

const ENDING = new Set(['\u0003', '\u0004']);

/** Shows a text, and reads keys from then on. Only for a stdin that is a terminal; dispose it after use. */
export async function openKeys(text: string): Promise<Keys> {
  await dropTypedAhead();
  const { stdin, stderr } = process;
  stderr.write(text);
  stdin.resume();
  return {
    async next(signal) {
      const done = new AbortController();
      const until = { signal: AbortSignal.any([signal, done.signal]) };
      try {
        const pressed = once(stdin, 'data', until) as Promise<[Buffer | string]>;
        const [key] = await Promise.race([pressed, once(stdin, 'end', until).then(() => [undefined])]);
        if (key !== undefined && !ENDING.has(String(key))) return String(key);
        stderr.write('\n');
        return undefined;
      } catch {
        return undefined;
      } finally {
        done.abort();
      }
    },
    say: (said) => void stderr.write(said),
    [Symbol.dispose]() {
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
