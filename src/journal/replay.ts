/** Decides a recorded history anew under the policy of today, and says what would differ. */
import type { Effect } from '../policy/access.ts';
import { decide, type Policy } from '../policy/decide.ts';
import type { ClosedRecord } from './audit-record.ts';

export interface Difference {
  readonly call_id: string;
  readonly tool: string;
  readonly before: string;
  readonly after: string;
  /** The rule that would decide. */
  readonly rule: string;
}

export interface ReplaySources {
  readonly records: AsyncIterable<ClosedRecord>;
  readonly policyFor: (dialect: string) => Policy | undefined;
  readonly effectOf: (operation: string) => Effect | undefined;
}

/** Replays calls that got as far as a decision; what failed before has none to compare. */
export async function replay({
  records,
  policyFor,
  effectOf,
}: ReplaySources): Promise<{ calls: number; differences: Difference[] }> {
  const policies = new Map<string, Policy | undefined>();
  const differences: Difference[] = [];
  let calls = 0;
  for await (const { call_id, dialect, name, operation, accesses, decision } of records) {
    const effect = operation === undefined ? undefined : effectOf(operation);
    if (!policies.has(dialect)) policies.set(dialect, policyFor(dialect));
    const policy = policies.get(dialect);
    if (effect === undefined || accesses === undefined || decision === undefined || policy === undefined)
      continue;
    calls++;
    const now = decide({ tool: name, effect, accesses }, policy);
    if (now.action !== decision)
      differences.push({
        call_id,
        tool: `${dialect}:${name}`,
        before: decision,
        after: now.action,
        rule: now.rule,
      });
  }
  return { calls, differences };
}
