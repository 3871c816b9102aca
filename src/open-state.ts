/** Handrail's state of a user, opened: for the runtime, and for commands that only look at it. */
import { localProcessTable } from './host/local/process-table.ts';
import { localStateDirectory } from './host/local/state-directory.ts';
import type { ProcessTable, StateDirectory } from './host/ports.ts';
import type { Locations } from './policy/places.ts';
import { openStore, type Store } from './store/store.ts';

export interface State extends AsyncDisposable {
  readonly directory: StateDirectory;
  readonly store: Store;
  readonly processes: ProcessTable;
}

/** Opens the state folder and the store in it. */
export function openState(locations: Pick<Locations, 'state'>): State {
  const directory = localStateDirectory(locations.state);
  const store = openStore(directory.privateFile('handrail.sqlite'));
  return {
    directory,
    store,
    processes: localProcessTable(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
