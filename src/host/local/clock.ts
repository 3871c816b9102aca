/** The machine's clock. */
import type { Clock } from '../ports.ts';

export const localClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
