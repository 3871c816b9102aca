import { describe, expect, it } from 'vitest';
import { presence } from '../../../src/transports/http/presence.ts';

/** Counts who is there, and takes its time about it. */
function counter(): { there: number; begin: () => Promise<AsyncDisposable> } {
  const counted = {
    there: 0,
    begin: async () => {
      await Promise.resolve();
      counted.there++;
      return {
        async [Symbol.asyncDispose]() {
          await Promise.resolve();
          counted.there--;
        },
      };
    },
  };
  return counted;
}

describe('presence', () => {
  it('begins with the first page and ends with the last, however often each one leaves', async () => {
    const counted = counter();
    const pages = presence(counted.begin);
    const leaveFirst = pages.enter();
    const leaveSecond = pages.enter();
    leaveFirst();
    leaveFirst();
    await expect.poll(() => counted.there).toBe(1);
    leaveSecond();
    await expect.poll(() => counted.there).toBe(0);
    pages.enter();
    await expect.poll(() => counted.there).toBe(1);
    await pages[Symbol.asyncDispose]();
    expect(counted.there).toBe(0);
  });

  it('tries again with the next page where it could not begin', async () => {
    const counted = counter();
    let isBroken = true;
    const pages = presence(async () => {
      if (isBroken) throw new Error('no store');
      return counted.begin();
    });
    const leave = pages.enter();
    leave();
    isBroken = false;
    pages.enter();
    await expect.poll(() => counted.there).toBe(1);
    await pages[Symbol.asyncDispose]();
  });
});
