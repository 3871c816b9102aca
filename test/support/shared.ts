/** What the tests of a suite have together, because it is dear: a server, a browser, a client of either. */
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Makes it before the first test and disposes it after the last. A test that is tried again gets a new one, without what its first try left behind. */
export function shared<Thing extends AsyncDisposable>(make: () => Promise<Thing>): () => Thing {
  let thing: Thing | undefined;
  const dispose = async (): Promise<void> => {
    await thing?.[Symbol.asyncDispose]();
    thing = undefined;
  };
  beforeAll(async () => void (thing = await make()));
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount !== 1) return;
    await dispose();
    thing = await make();
  });
  afterAll(dispose);
  return () => thing!;
}
