/** What a process writes, told now and then: however much comes, a listener gets little of it, and the last. */

export interface OutputTold extends Disposable {
  add(chunk: Uint8Array, position: number): void;
}

const EVERY_MS = 100;
const MOST_BYTES = 8 * 1024;

/** Tells the newest bytes and where they start; what is left is told when it is disposed. */
export function outputTold(tell: (bytes: Buffer, position: number) => void): OutputTold {
  let newest = Buffer.alloc(0);
  let end = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (newest.length > 0) tell(newest, end - newest.length);
    newest = Buffer.alloc(0);
  };
  return {
    add(chunk, position) {
      const last = chunk.subarray(-MOST_BYTES);
      newest = Buffer.concat([newest, last]).subarray(-MOST_BYTES);
      end = position + chunk.length;
      timer ??= setTimeout(flush, EVERY_MS);
    },
    [Symbol.dispose]: flush,
  };
}
