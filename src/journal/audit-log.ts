/**
 * The audit as a running process writes it. A line is with the kernel before its call goes on; syncing to the
 * disk and indexing happen in batches. What can't be opened in the audit does not run; what can't be closed in
 * it is held back and written before the next call opens.
 */
import { Failure } from '../failure.ts';
import type { AppendFile, Clock, Ids, ProcessTable, StateDirectory } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { AuditChains } from '../store/tables.ts';
import type { AuditRecord } from './audit-record.ts';
import { type Anchor, CHAIN_BYTES, claimChain, indexRecords, releaseChain } from './audit-index.ts';
import { type ChainHead, nextLine } from './chain.ts';

export interface AuditParts {
  readonly state: StateDirectory;
  readonly database: Database;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  readonly ids: Ids;
}

const BATCH_MS = 50;

/** The file of a chain, below the state folder. */
export function chainFile(id: string): string {
  return `audit/${id}.jsonl`;
}

export class AuditLog implements AsyncDisposable {
  /** Chains that were not as they were left, and are not continued. */
  readonly putAside: readonly string[];
  readonly #parts: AuditParts;
  #chain: OpenChain;
  #unsynced: AuditRecord[] = [];
  #heldBack: AuditRecord[] = [];
  #isDisposed = false;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  private constructor(parts: AuditParts, chain: OpenChain, putAside: readonly string[]) {
    this.#parts = parts;
    this.#chain = chain;
    this.putAside = putAside;
  }

  /** Claims a chain and is ready to write. */
  static async open(parts: AuditParts): Promise<AuditLog> {
    const putAside: string[] = [];
    return new AuditLog(parts, await openChain(parts, putAside), putAside);
  }

  /** Writes a line that must be there before the call goes on; fails where it can't be. */
  write(record: AuditRecord): void {
    try {
      this.#appendHeldBack();
      this.#append(record);
    } catch (error) {
      throw new Failure('E_IO', 'The audit can not be written, so nothing is run.', {
        hint: 'Make room, or repair the permissions of the state folder; `handrail doctor` shows it.',
        cause: error,
      });
    }
  }

  /** Writes a line about something that has happened already; never fails, holds it back instead. */
  writeLater(record: AuditRecord): void {
    try {
      this.write(record);
    } catch {
      this.#heldBack.push(record);
    }
  }

  /** Waits until every line so far is on the disk and in the index. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#flushBatch());
    await this.#flushing;
  }

  /** Writes the last lines and gives the chain back; where that fails, the next start finds the chain and goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    try {
      this.#appendHeldBack();
      await this.flush();
      await releaseChain(
        this.#parts.database,
        this.#chain.id,
        this.#anchor(),
        stateFor(this.#chain.file.size),
      );
    } finally {
      this.#chain.file.close();
    }
  }

  #appendHeldBack(): void {
    for (let held = this.#heldBack[0]; held !== undefined; held = this.#heldBack[0]) {
      this.#append(held);
      this.#heldBack.shift();
    }
  }

  #append(record: AuditRecord): void {
    const { text, after } = nextLine(this.#chain.head, record);
    this.#chain.file.append(Buffer.from(`${text}\n`));
    this.#chain.head = after;
    this.#unsynced.push(record);
    this.#timer ??= setTimeout(() => this.#flushInBackground(), BATCH_MS).unref();
  }

  #flushInBackground(): void {
    this.flush().catch(() => {
      // The lines are in the file and kept for the next batch.
    });
  }

  async #flushBatch(): Promise<void> {
    const records = this.#unsynced;
    if (records.length === 0) return;
    this.#unsynced = [];
    const anchor = this.#anchor();
    try {
      await this.#chain.file.sync();
      await indexRecords(this.#parts.database, this.#chain.id, records, anchor);
    } catch (error) {
      this.#unsynced.unshift(...records);
      throw error;
    }
    if (this.#chain.file.size > CHAIN_BYTES) await this.#startNewChain();
  }

  async #startNewChain(): Promise<void> {
    const full = this.#chain;
    const next = await openChain(this.#parts);
    // Between here and the next line nothing else runs: lines go to the full chain or to the next, never to both.
    const rest = this.#unsynced.splice(0);
    const anchor = this.#anchor();
    this.#chain = next;
    await full.file.sync();
    await indexRecords(this.#parts.database, full.id, rest, anchor);
    full.file.close();
    await releaseChain(this.#parts.database, full.id, anchor, 'full');
  }

  #anchor(): Anchor {
    return { ...this.#chain.head, bytes: this.#chain.file.size };
  }
}

interface OpenChain {
  readonly id: string;
  readonly file: AppendFile;
  head: ChainHead;
}

/** Claims an idle chain; one whose file is not as it was left is put aside, and another one is taken. */
async function openChain(parts: AuditParts, putAside: string[] = []): Promise<OpenChain> {
  for (;;) {
    const chain = await claimChain(parts.database, parts.processes.self, parts.ids.next('chain'));
    const file = parts.state.openAppend(chainFile(chain.id));
    if (file.size === chain.bytes)
      return { id: chain.id, file, head: { lines: chain.lines, head: chain.head } };
    file.close();
    putAside.push(chain.id);
    await releaseChain(parts.database, chain.id, chain, 'damaged');
  }
}

/** Whether a chain of this size is to be continued. */
export function stateFor(bytes: number): AuditChains['state'] {
  return bytes > CHAIN_BYTES ? 'full' : 'open';
}
