/** Whether somebody is there to answer: as long as at least one page that may answer is connected. */

export interface Presence extends AsyncDisposable {
  /** A page has come; the returned function says that it has gone. */
  enter(): () => void;
  /** Waits until what was said is so. */
  settled(): Promise<void>;
}

/** Calls `begin` for the first page, and disposes what it gave after the last. */
export function presence(begin: () => Promise<AsyncDisposable>): Presence {
  let pages = 0;
  let current: AsyncDisposable | undefined;
  let settled: Promise<void> = Promise.resolve();
  // One after the other, and by what is wanted when its time comes: pages that are loaded again leave and come at once.
  const settle = async (): Promise<void> => {
    if (pages > 0 && current === undefined) current = await begin();
    if (pages === 0 && current !== undefined) {
      const ended = current;
      current = undefined;
      await ended[Symbol.asyncDispose]();
    }
  };
  const change = (by: number): void => {
    pages += by;
    // A store that is in trouble says so to the pages; presence is tried again with the next of them.
    settled = settled.then(settle).catch(() => undefined);
  };
  return {
    enter() {
      change(1);
      let isHere = true;
      return () => {
        if (isHere) change(-1);
        isHere = false;
      };
    },
    settled: () => settled,
    async [Symbol.asyncDispose]() {
      change(-pages);
      await settled;
    },
  };
}
