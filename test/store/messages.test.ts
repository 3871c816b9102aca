/** What agents showed: newest first, of one workspace, for a day. */
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import type { Clock } from '../../src/host/ports.ts';
import { messageRows } from '../../src/store/messages.ts';
import { openStore } from '../../src/store/store.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const HOUR_MS = 60 * 60 * 1000;

describe('messageRows', () => {
  it('lists the newest of a workspace, and forgets what is older than a day', async () => {
    await using workspace = tempWorkspace();
    await workspace.runtime();
    await using store = openStore(join(workspace.locations.state, 'handrail.sqlite'));
    let hours = 0;
    const clock: Clock = { now: () => hours * HOUR_MS, monotonic: () => 0 };
    const rows = messageRows(store.database, clock);
    for (const content of ['one', 'two', 'three']) {
      await rows.keep('/a', 'ses_1', { content, level: 'info' });
      await rows.keep('/b', 'ses_2', { content, level: 'info' });
      hours += 10;
    }
    const contents = async (limit: number): Promise<string[]> =>
      (await rows.list('/a', limit)).map(({ message }) => message.content);
    expect(await contents(2)).toEqual(['three', 'two']);
    hours = 30;
    await rows.keep('/b', 'ses_2', { content: 'four', level: 'info' });
    expect(await contents(10)).toEqual(['three', 'two']);
  });
});
