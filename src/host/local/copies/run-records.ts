/** Which commands run with copies, each a small file: what a process that was killed had begun is known from them. */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProcessTable } from '../../ports.ts';
import { errnoOf } from '../os-failure.ts';

export interface RunRecord {
  readonly id: string;
  readonly label: string;
  /** The process that runs it. */
  readonly owner: string;
  /** The workspace as it was before. */
  readonly tree: string;
  readonly startedAt: number;
  /** The command has ended, and what it changed is known. */
  readonly isOver?: true;
}

/** A record that is being written: maybe this moment, by another process. */
const UNFINISHED = 'unfinished-';

export class RunRecords {
  readonly #folder: string;
  readonly #processes: ProcessTable;

  constructor(folder: string, processes: ProcessTable) {
    this.#folder = join(folder, 'runs');
    this.#processes = processes;
  }

  /** A run of this process begins; whoever runs here already learns that it is not alone. */
  add(run: Pick<RunRecord, 'label' | 'tree'>): RunRecord {
    const others = this.owned().filter(({ isOver }) => isOver !== true);
    const record = {
      ...run,
      id: `copies_${randomUUID()}`,
      owner: this.#processes.self,
      startedAt: Date.now(),
    };
    this.#write(record);
    // A file of its own, so that a record which is removed this moment does not come back.
    for (const { id } of others.length === 0 ? [] : [...others, record])
      writeFileSync(this.#sharedMark(id), '', { mode: 0o600 });
    return record;
  }

  /** Whether another command ran in the workspace meanwhile. */
  wasShared(id: string): boolean {
    return existsSync(this.#sharedMark(id));
  }

  all(): RunRecord[] {
    return namesIn(this.#folder).flatMap((name) => {
      const record = name.endsWith('.json') ? this.find(name.slice(0, -'.json'.length)) : undefined;
      return record === undefined ? [] : [record];
    });
  }

  find(id: string): RunRecord | undefined {
    if (!isId(id)) return undefined;
    try {
      return JSON.parse(readFileSync(this.#file(id), 'utf8')) as RunRecord;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Those that a living process looks after. */
  owned(): RunRecord[] {
    return this.all().filter((record) => this.#isOwned(record));
  }

  /** Those that nobody looks after any more. */
  left(): RunRecord[] {
    return this.all().filter((record) => !this.#isOwned(record));
  }

  end(id: string): void {
    this.#change(id, { isOver: true });
  }

  /** Nobody looks after it from now on. */
  leave(id: string): void {
    this.#change(id, { owner: '' });
  }

  /** This process looks after it; false where another one does. */
  take(id: string): boolean {
    const record = this.find(id);
    if (record === undefined || this.#isOwned(record)) return false;
    this.#change(id, { owner: this.#processes.self });
    return true;
  }

  remove(id: string): void {
    if (!isId(id)) return;
    rmSync(this.#file(id), { force: true });
    rmSync(this.#sharedMark(id), { force: true });
  }

  /** Removes what was left behind before a time, and the marks of runs that are over. */
  removeOlderThan(time: number): void {
    for (const { id, startedAt } of this.left()) if (startedAt < time) this.remove(id);
    const known = new Set(this.all().map(({ id }) => id));
    for (const name of namesIn(this.#folder)) {
      const file = join(this.#folder, name);
      const isStray = name.startsWith(UNFINISHED) ? isOlder(file, time) : !known.has(name.split('.', 1)[0]!);
      if (isStray) rmSync(file, { force: true });
    }
  }

  #isOwned({ owner }: RunRecord): boolean {
    return owner !== '' && this.#processes.isAlive(owner);
  }

  #change(id: string, change: Partial<RunRecord>): void {
    const record = this.find(id);
    if (record !== undefined) this.#write({ ...record, ...change });
  }

  #write(record: RunRecord): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = join(this.#folder, `${UNFINISHED}${randomUUID()}`);
    writeFileSync(unfinished, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, this.#file(record.id));
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #sharedMark(id: string): string {
    return join(this.#folder, `${id}.shared`);
  }
}

/** Whether something can be the id of a run with copies. */
function isId(id: string): boolean {
  return /^copies_[0-9a-f-]+$/.test(id);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function isOlder(file: string, time: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < time;
}
