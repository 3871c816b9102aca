/** Signs of life of a call. */
import { describe, expect, it } from 'vitest';
import { type Reporting, startProgress } from '../../../src/transports/mcp/progress.ts';

/** A request that asked for progress. */
function asked(told: unknown[]): Reporting {
  return { _meta: { progressToken: 7 }, notify: async ({ params }) => void told.push(params) };
}

describe('startProgress', () => {
  it('says what a call is doing, each time with more progress', () => {
    const told: unknown[] = [];
    using progress = startProgress(asked(told));
    progress.say('Waiting');
    progress.say('Running');
    expect(told).toEqual([
      { progressToken: 7, progress: 1, message: 'Waiting' },
      { progressToken: 7, progress: 2, message: 'Running' },
    ]);
  });

  it('does not flood a client, however much there is to say', () => {
    const told: unknown[] = [];
    using progress = startProgress(asked(told));
    for (let line = 0; line < 1_000; line++) progress.say('Running');
    expect(told).toHaveLength(10);
  });

  it('says again what it said last, by the clock', async () => {
    const told: unknown[] = [];
    using progress = startProgress(asked(told), 10);
    progress.say('Waiting');
    await expect.poll(() => told.length).toBeGreaterThan(2);
    expect(told.slice(0, 3)).toEqual(
      [1, 2, 3].map((count) => ({ progressToken: 7, progress: count, message: 'Waiting' })),
    );
  });

  it('says nothing once the request has its answer', () => {
    const told: unknown[] = [];
    const progress = startProgress(asked(told));
    progress[Symbol.dispose]();
    progress.say('Running');
    expect(told).toEqual([]);
  });
});
