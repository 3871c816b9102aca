/** What the tests of a suite have together, because it is dear: a server, a browser, a client of either. */
import { afterAll, beforeAll, beforeEach } from 'vitest';

/**
 * Makes it before the first test, and disposes what it put on the stack after the last. A test that is tried again gets a
 * new one, without what its first try left behind.
 */
export function shared<Thing>(make: (stack: AsyncDisposableStack) => Promise<Thing>): () => Thing {
  let stack = new AsyncDisposableStack();
  let thing: Thing;
  const begin = async (): Promise<void> => void (thing = await make(stack));
  beforeAll(begin);
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount !== 1) return;
    await stack.disposeAsync();
    stack = new AsyncDisposableStack();
    await begin();
  });
  afterAll(() => stack.disposeAsync());
  return () => thing;
}
