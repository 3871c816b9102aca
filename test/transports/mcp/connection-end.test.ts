/** What a client takes with it. */
import { describe, expect, it } from 'vitest';
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
});
