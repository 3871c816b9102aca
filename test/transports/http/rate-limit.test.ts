import { describe, expect, it } from 'vitest';
import { rateLimit } from '../../../src/transports/http/rate-limit.ts';

describe('rateLimit', () => {
  it('lets so many through at once, and then so many a second, saving no more than that', () => {
    let now = 0;
    const take = rateLimit({ atOnce: 2, perSecond: 4 }, { now: () => 0, monotonic: () => now });
    expect([take(), take(), take()]).toEqual([true, true, false]);
    now = 250;
    expect([take(), take()]).toEqual([true, false]);
    now = 60_000;
    expect([take(), take(), take()]).toEqual([true, true, false]);
  });
});
