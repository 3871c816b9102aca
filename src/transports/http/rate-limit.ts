/** How often something may happen: so many at once, and then so many a second. */
import type { Clock } from '../../host/ports.ts';

export interface Rate {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Takes one each time it is called; false where there is none left. */
export function rateLimit({ atOnce, perSecond }: Rate, clock: Clock): () => boolean {
  let left = atOnce;
  let countedAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    left = Math.min(atOnce, left + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (left < 1) return false;
    left--;
    return true;
  };
}
