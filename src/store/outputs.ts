/** Output that did not fit into a reply: kept for a day, for the session it belongs to. What is too large for a row is a file. */
import { Failure } from '../failure.ts';
import type { AppendFile, Clock, Ids, StateDirectory } from '../host/ports.ts';
import type { Database } from './store.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
/** What is written while it comes in stays in memory up to this. */
const HELD_BYTES = 256 * 1024;
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

export interface KeptOutputs {
  keep(session: string, whole: unknown[] | string): Promise<string>;
  /** For output that is still being written. */
  spool(session: string): Spool;
  pagesOf(session: string): { page(id: string, offset: number, limit: number): Promise<Page> };
}

/** The whole of an output while it comes in; in the end it is kept or dropped. */
export interface Spool {
  write(bytes: Uint8Array): void;
  /** Keeps it; says under which id, and whether all of it is there. */
  keep(): Promise<{ id: string; isWhole: boolean }>;
  drop(): Promise<void>;
}

interface Page {
  readonly part: readonly unknown[] | string;
  readonly total: number;
  /** Where the next page starts, of one that is counted in bytes. */
  readonly next?: number;
}

export interface OutputParts {
  readonly database: Database;
  readonly workspace: string;
  readonly state: StateDirectory;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Bodies are JSON: a list, a text, or the name of a file. */
type Body = unknown[] | string | { readonly file: string };

/** Kept outputs in the store. */
export function keptOutputs(parts: OutputParts): KeptOutputs {
  const { database, workspace, state, clock, ids } = parts;
  const insert = async (id: string, session: string, body: Body): Promise<void> => {
    await forgetOld(parts);
    const row = { id, workspace, session, at: clock.now(), body: JSON.stringify(body) };
    await database.insertInto('outputs').values(row).execute();
  };
  return {
    async keep(session, whole) {
      const id = ids.next('out');
      await insert(id, session, whole);
      return id;
    },
    spool: (session) => {
      const id = ids.next('out');
      return new FileSpool(`outputs/${id}`, state, {
        id,
        insert: (body) => insert(id, session, body),
        remove: async () => {
          await database.deleteFrom('outputs').where('id', '=', id).execute();
        },
      });
    },
    pagesOf: (session) => ({
      async page(id, offset, limit) {
        const row = await database
          .selectFrom('outputs')
          .select('body')
          .where('id', '=', id)
          .where('workspace', '=', workspace)
          .where('session', '=', session)
          .executeTakeFirst();
        if (row === undefined) throw notKept(id);
        const body = JSON.parse(row.body) as Body;
        if (typeof body === 'object' && 'file' in body) return pageOfFile(state, body.file, offset, limit);
        return { part: body.slice(offset, offset + limit), total: body.length };
      },
    }),
  };
}

function notKept(id: string): Failure {
  return new Failure('E_NOT_FOUND', `No output ${JSON.stringify(id)} is kept for this session.`, {
    hint: 'Output is kept for a day; make the call again.',
  });
}

async function forgetOld({ database, state, clock }: OutputParts): Promise<void> {
  const old = await database
    .deleteFrom('outputs')
    .where('at', '<', clock.now() - KEPT_MS)
    .returning('body')
    .execute();
  for (const { body } of old) {
    if (!body.startsWith('{')) continue;
    state.remove((JSON.parse(body) as { file: string }).file);
  }
}

interface SpoolRow {
  readonly id: string;
  insert(body: Body): Promise<void>;
  remove(): Promise<void>;
}

class FileSpool implements Spool {
  readonly #name: string;
  readonly #state: StateDirectory;
  readonly #row: SpoolRow;
  readonly #held: Uint8Array[] = [];
  #bytes = 0;
  #isWhole = true;
  #file: AppendFile | undefined;
  /** A file has its row from the start, so that what a crash leaves is forgotten with the rest. */
  #inserted: Promise<void> | undefined;

  constructor(name: string, state: StateDirectory, row: SpoolRow) {
    this.#name = name;
    this.#state = state;
    this.#row = row;
  }

  write(bytes: Uint8Array): void {
    if (!this.#isWhole) return;
    this.#bytes += bytes.length;
    try {
      if (this.#file !== undefined) this.#append(bytes);
      else this.#hold(bytes);
    } catch {
      // A full disk must not end the command whose output this is.
      this.#isWhole = false;
    }
  }

  async keep(): Promise<{ id: string; isWhole: boolean }> {
    const { id } = this.#row;
    if (this.#file === undefined) await this.#row.insert(Buffer.concat(this.#held).toString());
    await this.#inserted;
    this.#file?.close();
    return { id, isWhole: this.#isWhole };
  }

  async drop(): Promise<void> {
    if (this.#file === undefined) return;
    this.#file.close();
    await this.#inserted?.catch(() => {});
    await this.#row.remove();
    this.#state.remove(this.#name);
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    if (this.#bytes <= HELD_BYTES) return;
    this.#file = this.#state.openAppend(this.#name);
    this.#inserted = this.#row.insert({ file: this.#name });
    // It is waited for at the end; until then its failure is nobody's.
    this.#inserted.catch(() => {});
    for (const held of this.#held.splice(0)) this.#append(held);
  }

  #append(bytes: Uint8Array): void {
    if (this.#file!.size + bytes.length > MAX_FILE_BYTES) this.#isWhole = false;
    else this.#file!.append(bytes);
  }
}

/** Bytes of a file as text; a page starts and ends between characters. */
function pageOfFile(state: StateDirectory, name: string, offset: number, limit: number): Page {
  const LONGEST = 4;
  const { bytes, size } = state.readPart(name, offset, limit + LONGEST);
  const start = nextCharacter(bytes, 0);
  const end = offset + limit >= size ? bytes.length : nextCharacter(bytes, limit);
  return { part: Buffer.from(bytes.subarray(start, end)).toString(), total: size, next: offset + end };
}

function nextCharacter(bytes: Uint8Array, from: number): number {
  let at = Math.min(from, bytes.length);
  while (at < bytes.length && at < from + 3 && (bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}
