/** `handrail supervise`: watches over background processes until there are none; started by who needs it, not by people. */
import { localClock } from '../host/local/clock.ts';
import { READY } from '../host/local/supervisor/start-supervisor.ts';
import { supervise as superviseProcesses } from '../host/local/supervisor/supervisor.ts';
import { openState } from '../open-state.ts';
import { processRecords } from '../store/processes.ts';

const IDLE_MS = 5_000;

/** For the state in a folder. */
export async function supervise(folder: string): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  await using state = openState({ state: folder });
  // Whoever started it listens no longer than that.
  process.stdout.on('error', () => {});
  await superviseProcesses(
    {
      state: state.directory,
      records: processRecords(state.store.database),
      processes: state.processes,
      clock: localClock,
      idleMs: IDLE_MS,
    },
    () => process.stdout.write(READY),
    stop.signal,
  );
}
