/** A call: what the audit knows of it. */
import type { Context } from 'hono';
import type { ClosedRecord, OpenedRecord } from '../../journal/audit-record.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Records } from './records.ts';

/** What is known of a call so far. */
export type CallFacts = OpenedRecord & Partial<Omit<ClosedRecord, keyof OpenedRecord>>;

export interface CallParts {
  readonly runtime: Runtime;
  readonly records: Records;
}

/** All its lines as one; those of calls in other workspaces are not told. */
export async function showCall(context: Context, { runtime, records }: CallParts): Promise<Response> {
  const lines = (await records.audit.show(context.req.param('id')!)) ?? [];
  const facts = Object.assign({}, ...lines) as Partial<CallFacts>;
  if (facts.workspace === runtime.workspace.root) return context.json(facts);
  return context.json({ message: 'There is no such call in this workspace.' }, 404);
}
