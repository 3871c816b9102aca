/** The keyboard of a terminal in raw mode, from the first key to the last. */
import type { ReadStream } from 'node:tty';
import { decodeKeys, type Key, settleKeys } from './keys.ts';

/** A terminal sends a sequence in one go; an escape that stays alone so long is the key. */
const ALONE_MS = 40;

/** Hears every key until it is disposed, which gives the terminal back as it was. */
export function listenToKeys(input: ReadStream, onKey: (key: Key) => void): Disposable {
  const decoder = new TextDecoder();
  let rest = '';
  let alone: NodeJS.Timeout | undefined;
  const hear = (chunk: Buffer): void => {
    clearTimeout(alone);
    const decoded = decodeKeys(rest + decoder.decode(chunk, { stream: true }));
    ({ rest } = decoded);
    decoded.keys.forEach(onKey);
    if (rest === '\u001b')
      alone = setTimeout(() => {
        const keys = settleKeys(rest);
        rest = '';
        keys.forEach(onKey);
      }, ALONE_MS);
  };
  input.setRawMode(true);
  input.on('data', hear);
  input.resume();
  return {
    [Symbol.dispose]() {
      clearTimeout(alone);
      input.off('data', hear);
      input.setRawMode(false);
      input.pause();
    },
  };
}
