/** Reads calls page by page: from the audit, or where there is no approval key what everybody may see of it. */
import type { Client, InputOf } from '../../../src/client/index.ts';
import type { Page } from '../lists/pages.ts';
import type { Call } from './call.ts';

/** Which calls; every word narrows. */
export type Wanted = Omit<NonNullable<InputOf<'listAudit'>>, 'before' | 'limit'>;

export interface ReadOptions {
  readonly wanted: Wanted;
  readonly mayAnswer: boolean;
  /** The last call that was seen. */
  readonly before: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export async function readCalls(client: Client, options: ReadOptions): Promise<Page<Call>> {
  const { wanted, mayAnswer, before, limit, signal } = options;
  const page = { limit, ...(before === undefined ? {} : { before }) };
  const items = mayAnswer
    ? (await client.listAudit({ ...wanted, ...page }, { signal })).calls.map(toCall)
    : (await client.listCalls({ ...wanted, ...page }, { signal })).calls.map((call) => ({
        ...call,
        about: null,
      }));
  return { items, next: items.length < limit ? null : items.at(-1)!.id };
}

type AuditedCall = Awaited<ReturnType<Client['listAudit']>>['calls'][number];

function toCall({ call_id, name, error_code, duration_ms, ...rest }: AuditedCall): Call {
  const { at, workspace, session, dialect, outcome, decision, rule, about } = rest;
  return {
    id: call_id,
    tool: name,
    errorCode: error_code,
    durationMs: duration_ms,
    at,
    workspace,
    session,
    dialect,
    outcome,
    decision,
    rule,
    about,
  };
}
