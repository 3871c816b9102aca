/** Which calls of the audit somebody wants to see, and the rows of the index that fit. */
import { sql } from 'kysely';
import type { Database } from '../store/store.ts';
import type { AuditCalls } from '../store/tables.ts';

/** Every word narrows; what is not said does not count. */
export interface AuditQuery {
  readonly workspace?: string | undefined;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  /** `running` has none yet. */
  readonly outcome?: string | undefined;
  readonly decision?: string | undefined;
  /** Stands somewhere in what the index knows of the call, in capitals or not. */
  readonly text?: string | undefined;
  /** Whether it may stand in what the call touched: that comes from its arguments, which are not for everybody. */
  readonly looksIntoAbout?: boolean;
  /** When it began: at this time or later, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The last call that was seen: those after it in the list. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The newest first. */
export function findCalls(database: Database, wanted: AuditQuery): Promise<AuditCalls[]> {
  const { workspace, session, tool, outcome, decision, text, from, to, before, limit } = wanted;
  const searched = wanted.looksIntoAbout === true ? sql`concat_ws(char(10), about, ${KNOWN})` : KNOWN;
  return database
    .selectFrom('audit_calls')
    .selectAll()
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace!))
    .$if(session !== undefined, (query) => query.where('session', '=', session!))
    .$if(tool !== undefined, (query) => query.where('name', '=', tool!))
    .$if(outcome !== undefined, (query) =>
      query.where('outcome', 'is', outcome === 'running' ? null : outcome!),
    )
    .$if(decision !== undefined, (query) => query.where('decision', '=', decision!))
    .$if(from !== undefined, (query) => query.where('at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('at', '<', to!))
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(at, rowid) < (select at, rowid from audit_calls where call_id = ${before})`),
    )
    .$if(text !== undefined, (query) =>
      query.where(sql<boolean>`${searched} like ${around(text!)} escape '\\'`),
    )
    .orderBy('at', 'desc')
    .orderBy(sql`rowid`, 'desc')
    .limit(limit)
    .execute();
}

const KNOWN = sql`concat_ws(char(10), name, dialect, outcome, error_code, decision, rule, call_id, tool_call_id, trace_id, session, workspace)`;

function around(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
