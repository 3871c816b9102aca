/**
 * Control groups for commands of root, whom the kernel exempts from other limits on processes. A group is used again
 * for the next command once it is empty: a new one for each would cost more than the command.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { errnoOf, osFailure } from '../os-failure.ts';

export interface ControlGroup extends Disposable {
  /** Moves a process in; what it starts from then on is in, too. */
  add(pid: string): Promise<void>;
  setLimits(processes: number, memoryBytes: number): void;
}

/** Gives out groups; disposing it removes them. */
export interface ControlGroups extends Disposable {
  /** A group that nobody is in; undefined where there can't be one. */
  take(): ControlGroup | undefined;
}

/** Where a group's folders are, and what its files are called. */
interface Layout {
  readonly folders: readonly string[];
  readonly limits: (
    processes: number,
    memoryBytes: number,
  ) => readonly (readonly [file: string, value: number])[];
}

const BASE = '/sys/fs/cgroup';

/** How many this process made: their names are its own. */
let made = 0;

/** The machine's groups for commands of this process. */
export function controlGroups(): ControlGroups {
  const idle: Layout[] = [];
  let isPossible = process.getuid?.() === 0;
  const make = (): Layout | undefined => {
    if (made === 0) removeLeftBehind();
    const layout = isPossible ? makeGroup(`handrail-${process.pid}-${made++}`) : undefined;
    isPossible = layout !== undefined;
    return layout;
  };
  return {
    take() {
      const layout = idle.pop() ?? make();
      if (layout === undefined) return undefined;
      return {
        async add(pid) {
          await Promise.all(layout.folders.map((folder) => moveInto(folder, pid)));
        },
        setLimits(processes, memoryBytes) {
          for (const [file, value] of layout.limits(processes, memoryBytes))
            writeFileSync(file, String(value));
        },
        [Symbol.dispose]: () => void idle.push(layout),
      };
    },
    [Symbol.dispose]() {
      for (const { folders } of idle.splice(0)) for (const folder of folders) remove(folder);
    },
  };
}

async function moveInto(folder: string, pid: string): Promise<void> {
  try {
    await writeFile(`${folder}/cgroup.procs`, pid);
  } catch (error) {
    // A process that has ended needs no limits.
    if (errnoOf(error) !== 'ESRCH') throw osFailure(error, folder);
  }
}

function makeGroup(name: string): Layout | undefined {
  return makeSeparate(name) ?? makeUnified(name);
}

/** Version 1: a tree of groups for each kind of limit. */
function makeSeparate(name: string): Layout | undefined {
  const folders = ['pids', 'memory'].map((kind) => `${BASE}/${kind}/${name}`);
  const [pids = '', memory = ''] = folders;
  return make(folders, (processes, memoryBytes) => [
    [`${pids}/pids.max`, processes],
    [`${memory}/memory.limit_in_bytes`, memoryBytes],
  ]);
}

/** Version 2: one tree for all. */
function makeUnified(name: string): Layout | undefined {
  const folder = `${BASE}/${name}`;
  return make([folder], (processes, memoryBytes) => [
    [`${folder}/pids.max`, processes],
    [`${folder}/memory.max`, memoryBytes],
  ]);
}

function make(folders: readonly string[], limits: Layout['limits']): Layout | undefined {
  try {
    for (const folder of folders) mkdirSync(folder);
    // A folder that is no group has none of these files.
    for (const [file] of limits(0, 0)) readFileSync(file);
    return { folders, limits };
  } catch {
    for (const folder of folders) remove(folder);
    return undefined;
  }
}

/** What killed processes left behind. */
function removeLeftBehind(): void {
  for (const tree of [BASE, `${BASE}/pids`, `${BASE}/memory`]) {
    for (const name of existsSync(tree) ? readdirSync(tree) : []) {
      const [, pid] = /^handrail-(\d+)-\d+$/.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(`${tree}/${name}`);
    }
  }
}

function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was never made, or its last process is still ending.
  }
}
