/**
 * Commands that ran in a view and whose changes nobody has taken over yet: kept for an hour, a few for each session, and
 * found again by the next process. What is kept is the view itself; applying it runs nothing.
 */
import { Failure } from '../failure.ts';
import type { Clock, CommandChanges, LeftChanges } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import type { Previews as PreviewRow } from '../store/tables.ts';

/** A command that was tried. */
export interface KeptPreview {
  readonly session: string;
  /** Without secrets. */
  readonly command: string;
  readonly startedAt: number;
  readonly changes: CommandChanges;
}

/** A call that waits for an answer about what it would change. */
export interface WaitingCall {
  readonly hash: string;
  /** What it would reply, as JSON. */
  readonly output: string;
}

export interface Previews {
  /** Keeps what a command would change; where it waits for an answer, with what it would reply. */
  keep(preview: KeptPreview, waiting?: WaitingCall): Promise<{ readonly expiresAt: number }>;
  /** One of a session; a failure where there is none any more. */
  open(session: string, id: string): Promise<KeptPreview>;
  /** What a call that is sent again waits for; undefined where nothing does. */
  waiting(session: string, hash: string): Promise<(KeptPreview & { readonly output: string }) | undefined>;
  /** It was taken over, or nobody wants it. */
  forget(id: string): Promise<void>;
}

export interface PreviewParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly workspace: string;
  readonly left: LeftChanges;
  /** Whether a text holds nothing that must not be written down. */
  readonly isHarmless: (text: string) => boolean;
}

const KEPT_MS = 60 * 60 * 1000;
const PER_SESSION = 8;

/** The previews of one runtime. */
export function keptPreviews(parts: PreviewParts): Previews {
  const { database, clock, workspace, left, isHarmless } = parts;
  const own = new Map<string, { readonly preview: KeptPreview; readonly waiting: WaitingCall | undefined }>();
  const rowsOf = (session: string): Promise<PreviewRow[]> =>
    database
      .selectFrom('previews')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('session', '=', session)
      .orderBy('expires_at', 'desc')
      .execute();
  const remove = async (id: string): Promise<void> => {
    await database.deleteFrom('previews').where('id', '=', id).execute();
    await own.get(id)?.preview.changes[Symbol.asyncDispose]();
    own.delete(id);
    await left.drop(id);
  };
  const openRow = async (row: PreviewRow): Promise<KeptPreview> => {
    const known = own.get(row.id);
    if (known !== undefined) return known.preview;
    const { session, command, started_at: startedAt } = row;
    return { session, command, startedAt, changes: await left.reopen(row.id) };
  };
  const isFresh = ({ expires_at }: PreviewRow): boolean => expires_at > clock.now();
  return {
    async keep(preview, waiting) {
      const { session, command, startedAt, changes } = preview;
      const others = (await rowsOf(session)).filter(({ id }) => id !== changes.id);
      const spare = others.filter((row, index) => index >= PER_SESSION - 1 || !isFresh(row));
      for (const { id } of spare) await remove(id);
      const expiresAt = clock.now() + KEPT_MS;
      const row: PreviewRow = {
        id: changes.id,
        workspace,
        session,
        command,
        started_at: startedAt,
        expires_at: expiresAt,
        call_hash: waiting?.hash ?? null,
        output: waiting !== undefined && isHarmless(waiting.output) ? waiting.output : null,
      };
      await database
        .insertInto('previews')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      own.set(changes.id, { preview, waiting });
      return { expiresAt };
    },
    async open(session, id) {
      const row = (await rowsOf(session)).find((one) => one.id === id && isFresh(one));
      if (row === undefined) throw gone(id);
      return openRow(row);
    },
    async waiting(session, hash) {
      const row = (await rowsOf(session)).find((one) => one.call_hash === hash && isFresh(one));
      const output = row && (own.get(row.id)?.waiting?.output ?? row.output);
      if (row === undefined || output === undefined || output === null) return undefined;
      try {
        return { ...(await openRow(row)), output };
      } catch (error) {
        // Its view is gone, or another process has it: then it is tried anew.
        if (error instanceof Failure) return undefined;
        throw error;
      }
    },
    forget: remove,
  };
}

function gone(id: string): Failure {
  return new Failure('E_NOT_FOUND', `There is no preview ${JSON.stringify(id)} in this session any more.`, {
    hint: 'A preview is kept for an hour, and a few in each session. Make it again.',
  });
}

/** The ids of previews that are still wanted; those that are not are forgotten. */
export async function wantedPreviews({
  database,
  clock,
  workspace,
}: Pick<PreviewParts, 'database' | 'clock' | 'workspace'>): Promise<ReadonlySet<string>> {
  await database.deleteFrom('previews').where('expires_at', '<=', clock.now()).execute();
  const rows = await database
    .selectFrom('previews')
    .select('id')
    .where('workspace', '=', workspace)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
