/** Background processes of every workspace, for people: whoever started one, its supervisor takes their word. */
import { wholeCharacters } from './capabilities/process/whole-characters.ts';
import { Failure } from './failure.ts';
import { readLog } from './host/local/supervisor/process-log.ts';
import type { BackgroundProcess, BackgroundProcesses } from './host/ports.ts';
import { openBackground, settleBackground } from './open-background.ts';
import type { State } from './open-state.ts';
import type { Locations } from './policy/places.ts';
import { processRecords } from './store/processes.ts';

/** A part of what a process wrote. */
export interface OutputText {
  readonly text: string;
  /** The byte it starts at; later than asked for where older output is gone. */
  readonly position: number;
  /** Where to read on. */
  readonly next: number;
  /** Bytes that were written so far. */
  readonly total: number;
  /** Nothing more will come. */
  readonly isEnded: boolean;
}

export interface EveryProcess {
  /** Running ones, and those that ended lately; newest first. */
  list(): Promise<readonly BackgroundProcess[]>;
  /** Output from a byte on; without one, the last of it. */
  read(id: string, from: number | undefined, maxBytes: number): Promise<OutputText>;
  /** Types into one; `isLast` closes its input. */
  write(id: string, text: string, isLast: boolean): Promise<BackgroundProcess>;
  resize(id: string, columns: number, rows: number): Promise<BackgroundProcess>;
  /** Asks it to end, then makes it; one that has ended stays so. */
  stop(id: string): Promise<BackgroundProcess>;
  /** Opens a port of this machine's loopback onto one of the process's; says which. */
  forward(id: string, port: number): Promise<number>;
}

/** Those of a user's state. */
export function openProcesses(state: State, locations: Locations): EveryProcess {
  const records = processRecords(state.store.database);
  const list = async (): Promise<BackgroundProcess[]> => {
    await settleBackground(state);
    return records.list();
  };
  const find = async (id: string): Promise<BackgroundProcess> => {
    const found = (await list()).find((process) => process.id === id);
    if (found !== undefined) return found;
    throw new Failure('E_NOT_FOUND', `There is no background process ${JSON.stringify(id)}.`);
  };
  const tell = async <Result>(
    { workspace }: BackgroundProcess,
    say: (background: BackgroundProcesses) => Promise<Result>,
  ): Promise<Result> => {
    await using background = openBackground(state, { workspace, locations });
    return await say(background);
  };
  return {
    list,
    async read(id, from, maxBytes) {
      // Before the look at its output: what it wrote last is not missed.
      const { ended } = await find(id);
      const { bytes, position, end: total } = readLog(state.directory, id, from, maxBytes);
      const isLast = ended !== undefined && position + bytes.length === total;
      const { start, end } = wholeCharacters(bytes);
      // What the rest of a character would be is not waited for at the end of everything.
      const text = Buffer.from(bytes.subarray(start, isLast ? undefined : end)).toString();
      const next = isLast ? total : position + end;
      return { text, position: position + start, next, total, isEnded: isLast };
    },
    async write(id, text, isLast) {
      await tell(await find(id), (background) => background.write(id, text, isLast));
      return find(id);
    },
    async resize(id, columns, rows) {
      await tell(await find(id), (background) => background.resize(id, columns, rows));
      return find(id);
    },
    async stop(id) {
      const process = await find(id);
      if (process.ended !== undefined) return process;
      await tell(process, (background) => background.stop(id));
      return find(id);
    },
    forward: async (id, port) => tell(await find(id), (background) => background.forward(id, port)),
  };
}
