/** `handrail ps`, `logs`, `stop` and `forward`: background processes of every workspace, for people. */
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { readLog } from '../host/local/supervisor/process-log.ts';
import type { BackgroundProcess } from '../host/ports.ts';
import { settleBackground } from '../open-background.ts';
import { type EveryProcess, openProcesses } from '../open-processes.ts';
import { openState, type State } from '../open-state.ts';
import { shown } from '../shown.ts';
import { FINE, UsageError } from './exit-code.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

const PAGE_BYTES = 64 * 1024;
const FOLLOW_EVERY_MS = 200;
const SHOWN_CHARACTERS = 60;

/** Those that run, and those that ended lately. */
export async function ps(
  { json }: { readonly json?: boolean },
  { locations, isTerminal }: Surroundings,
): Promise<void> {
  await using state = openState(locations);
  await noteSettled(state);
  const found = await openProcesses(state, locations).list();
  if (json === true) printJson(found, isTerminal);
  else if (found.length === 0) note('There is no background process, and none ended lately.');
  else print(table(['PROCESS', 'STATE', 'PID', 'STARTED', 'WORKSPACE', 'COMMAND'], found.map(row)));
}

async function noteSettled(state: State): Promise<void> {
  for (const sentence of await settleBackground(state)) note(`Note: ${shown(sentence)}`);
}

function row(process: BackgroundProcess): string[] {
  const { id, name, pid, startedAt, workspace, command } = process;
  return [
    name === undefined ? id : `${id} (${name})`,
    stateOf(process),
    String(pid ?? ''),
    new Date(startedAt).toISOString().slice(0, 19).replace('T', ' '),
    workspace,
    command.length > SHOWN_CHARACTERS ? `${command.slice(0, SHOWN_CHARACTERS)}…` : command,
  ];
}

const ENDS = {
  itself: 'ended',
  stopped: 'stopped',
  'owner-gone': 'ended with its session',
  'supervisor-gone': 'ended with its supervisor',
} as const;

function stateOf({ ended, isKept }: BackgroundProcess): string {
  if (ended === undefined) return isKept ? 'runs, kept' : 'runs';
  return ended.exitCode === undefined ? ENDS[ended.by] : `${ENDS[ended.by]} (${ended.exitCode})`;
}

/** What one wrote; with `follow`, until it ends. */
export async function logs(
  id: string,
  { follow }: { readonly follow?: boolean },
  { locations, isTerminal }: Surroundings,
): Promise<void> {
  await using state = openState(locations);
  const processes = openProcesses(state, locations);
  const process = await find(processes, id);
  const write = writerFor(isTerminal);
  let position = 0;
  for (;;) {
    // Before the look at its output: what it wrote last is not missed.
    const { ended } = await find(processes, process.id);
    const read = readLog(state.directory, process.id, position, PAGE_BYTES);
    if (read.position > position) note(`(${read.position - position} bytes are no longer kept)`);
    write(read.bytes);
    position = read.position + read.bytes.length;
    if (position < read.end) continue;
    if (follow !== true || ended !== undefined) return;
    await pause(FOLLOW_EVERY_MS);
  }
}

/** A terminal would obey what a process writes; it gets only text. */
function writerFor(isTerminal: boolean): (bytes: Uint8Array) => void {
  if (!isTerminal) return (bytes) => void process.stdout.write(bytes);
  const decoder = new TextDecoder();
  return (bytes) => {
    const text = stripVTControlCharacters(decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n');
    process.stdout.write(text.replaceAll(/[^\n\t]+/g, shown));
  };
}

export interface StopArguments {
  readonly all?: boolean;
}

/** Ends one, or all that run. */
export async function stop(
  id: string | undefined,
  { all }: StopArguments,
  { locations }: Surroundings,
): Promise<number> {
  if ((id === undefined) === (all !== true)) throw new UsageError('name a process, or say --all.');
  await using state = openState(locations);
  await noteSettled(state);
  const processes = openProcesses(state, locations);
  const chosen = id === undefined ? await processes.list() : [await find(processes, id)];
  const running = chosen.filter(({ ended }) => ended === undefined);
  if (running.length === 0) note(id === undefined ? 'No background process runs.' : 'It does not run.');
  for (const process of running) {
    await processes.stop(process.id);
    print(`Stopped ${process.id}: ${shown(process.command)}`);
  }
  return FINE;
}

/** Opens a port of this machine onto one of a process. */
export async function forward(id: string, port: string, { locations }: Surroundings): Promise<void> {
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`${port} is not a port.`);
  await using state = openState(locations);
  const processes = openProcesses(state, locations);
  const process = await find(processes, id);
  print(`http://127.0.0.1:${await processes.forward(process.id, Number(port))}/`);
  note('It is open until the process ends, to everybody on this machine.');
}

/** By its id or the beginning of it, or by its name. */
async function find(processes: EveryProcess, wanted: string): Promise<BackgroundProcess> {
  const all = await processes.list();
  const exact = all.find(({ id }) => id === wanted);
  if (exact !== undefined) return exact;
  const fitting = all.filter(({ id, name }) => name === wanted || id.startsWith(wanted));
  const running = fitting.filter(({ ended }) => ended === undefined);
  const [found, another] = running.length > 0 ? running : fitting;
  if (found !== undefined && another === undefined) return found;
  const many = another === undefined ? 'There is no' : 'There is more than one';
  throw new UsageError(`${many} background process ${JSON.stringify(wanted)}; \`handrail ps\` lists them.`);
}
