/** Processes whose supervisor is gone: they died with it, and where one did not, it is ended here. */
import type { Clock, ProcessRecords, ProcessTable } from '../../ports.ts';
import { killMarked } from '../sandbox/marked-processes.ts';

export interface SettleParts {
  readonly records: ProcessRecords;
  readonly processes: ProcessTable;
  readonly clock: Clock;
}

/** Puts the record right; gives the ids of processes that were on it as running. */
export async function settleProcesses({ records, processes, clock }: SettleParts): Promise<string[]> {
  const running = await records.running();
  const orphaned = running.filter(({ supervisor }) => !processes.isAlive(supervisor));
  for (const { id, identity, tier } of orphaned) {
    if (identity !== null && processes.isAlive(identity)) killGroup(processes.pidOf(identity));
    // Only outside of a sandbox can anything be left besides; before it was on record, nobody knows where it ran.
    if (tier === null || tier === 'C') killMarked(id);
    await records.ended(id, { at: clock.now(), by: 'supervisor-gone', exitCode: undefined, hosts: [] });
  }
  return orphaned.map(({ id }) => id);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
