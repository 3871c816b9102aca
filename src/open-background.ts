/** Background processes of a workspace, put together: what is on record, and a supervisor that is started when needed. */
import { localClock } from './host/local/clock.ts';
import { localIds } from './host/local/ids.ts';
import { localBackground } from './host/local/supervisor/background.ts';
import { settleProcesses } from './host/local/supervisor/settle.ts';
import type { BackgroundProcesses, ProcessEvent } from './host/ports.ts';
import { ownProgram } from './own-program.ts';
import type { State } from './open-state.ts';
import type { Locations } from './policy/places.ts';
import { processRecords } from './store/processes.ts';

export interface BackgroundOptions {
  readonly workspace: string;
  readonly locations: Locations;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onEvent?: (event: ProcessEvent) => void;
}

/** Disposing it ends what was started through it and not kept. */
export function openBackground(
  { directory, store, processes }: State,
  { workspace, locations, environment = {}, onEvent = () => {} }: BackgroundOptions,
): BackgroundProcesses & AsyncDisposable {
  const { home, config, state } = locations;
  return localBackground({
    state: directory,
    records: processRecords(store.database),
    processes,
    clock: localClock,
    ids: localIds(localClock),
    workspace,
    surroundings: { home, config, environment },
    program: ownProgram(['supervise', state]),
    onEvent,
  });
}

/** Ends what a supervisor that is gone may have left; a sentence for each process of a workspace, or of all. */
export async function settleBackground({ store, processes }: State, workspace?: string): Promise<string[]> {
  const records = processRecords(store.database);
  const settled = new Set(await settleProcesses({ records, processes, clock: localClock }));
  if (settled.size === 0) return [];
  return (await records.list(workspace))
    .filter(({ id }) => settled.has(id))
    .map(({ id, command }) => `The background process ${id} (${command}) ended with its supervisor.`);
}
