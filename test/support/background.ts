/** Background processes of a temporary workspace, with a supervisor of its own, told briefly. */
import { localClock } from '../../src/host/local/clock.ts';
import { localIds } from '../../src/host/local/ids.ts';
import { type BackgroundParts, localBackground } from '../../src/host/local/supervisor/background.ts';
import type {
  BackgroundProcess,
  BackgroundProcesses,
  BackgroundRequest,
  ProcessEvent,
} from '../../src/host/ports.ts';
import { openState, type State } from '../../src/open-state.ts';
import { ownProgram } from '../../src/own-program.ts';
import { processRecords } from '../../src/store/processes.ts';
import { CONFINED } from './commands.ts';
import type { TempWorkspace } from './temp-workspace.ts';

export interface Background extends AsyncDisposable {
  readonly processes: BackgroundProcesses & AsyncDisposable;
  readonly state: State;
  readonly events: ProcessEvent[];
  /** Starts a line of shell. */
  readonly start: (line: string, request?: Partial<BackgroundRequest>) => Promise<BackgroundProcess>;
  /** All it wrote so far, as far as it is kept. */
  readonly output: (id: string) => string;
  readonly find: (id: string) => Promise<BackgroundProcess>;
  /** The pid of the supervisor. */
  readonly supervisor: () => Promise<number>;
}

/** As one runtime has them. */
export function backgroundIn(workspace: TempWorkspace, parts: Partial<BackgroundParts> = {}): Background {
  const { home, config } = workspace.locations;
  const state = openState(workspace.locations);
  const records = processRecords(state.store.database);
  const events: ProcessEvent[] = [];
  const processes = localBackground({
    state: state.directory,
    records,
    processes: state.processes,
    clock: localClock,
    ids: localIds(localClock),
    workspace: workspace.root,
    surroundings: { home, config, environment: { PATH: process.env['PATH'] } },
    program: ownProgram(['supervise', workspace.locations.state]),
    onEvent: (event) => events.push(event),
    ...parts,
  });
  return {
    processes,
    state,
    events,
    start: (line, request = {}) =>
      processes.start({
        program: '/bin/sh',
        args: ['-c', line],
        directory: '.',
        env: {},
        confinement: CONFINED,
        session: 'ses_test',
        isKept: false,
        command: line,
        name: undefined,
        ...request,
      }),
    output: (id) => Buffer.from(processes.read(id, undefined, 10_000_000).bytes).toString(),
    find: async (id) => (await processes.list()).find((process) => process.id === id)!,
    supervisor: async () => state.processes.pidOf((await records.supervisor())!.owner),
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}
