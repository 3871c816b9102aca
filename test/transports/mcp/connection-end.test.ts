/** What a client takes with it. */
import { describe, expect, it } from 'vitest';
import { localClock } from '../../../src/host/local/clock.ts';
import { openState } from '../../../src/open-state.ts';
import { sessionRows } from '../../../src/store/sessions.ts';
import { Connection } from '../../../src/transports/mcp/connection.ts';
import { approver } from '../../support/approver.ts';
import { ownSleep } from '../../support/sleepers.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

describe('the end of a Connection', () => {
  it('takes with it what goes on in its own session, and nothing of one that others may name, too', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    const { line, sleepers } = ownSleep();
    const connection = new Connection(async () => runtime);
    for (const id of [undefined, 'ses_named']) {
      const session = await connection.session(runtime, id, 'client');
      await runtime.call('run_background', { command: line }, { session });
    }
    await expect.poll(() => sleepers().length, { timeout: 10_000 }).toBe(2);
    await connection[Symbol.asyncDispose]();
    expect(sleepers()).toHaveLength(1);
    await runtime[Symbol.asyncDispose]();
    expect(sleepers()).toEqual([]);
  });

  it('came before for an own session that was not used for longest: it can not be named again', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    await using state = openState(workspace.locations);
    const rows = sessionRows(state.store.database, localClock, state.processes);
    await using connection = new Connection(async () => runtime);
    const first = await connection.session(runtime, undefined, 'client-0');
    for (let number = 1; number <= 100; number++)
      await connection.session(runtime, undefined, `client-${number}`);
    const alive = async (): Promise<string[]> =>
      (await rows.list({ workspace: workspace.root, limit: 200 })).flatMap(({ id, isAlive }) =>
        isAlive ? [id] : [],
      );
    await expect.poll(async () => (await alive()).length).toBe(100);
    expect(await alive()).not.toContain(first.id);
  });
});
