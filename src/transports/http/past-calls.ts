/** What a rule would have let pass in the past. */
import type { AuditReader } from '../../journal/audit-reader.ts';
import type { ClosedRecord } from '../../journal/audit-record.ts';
import type { Rule } from '../../policy/rule.ts';
import { replayCalls } from '../../replay-calls.ts';
import type { Runtime } from '../../runtime-types.ts';

/** Enough to tell a rule that saves much from one that saves nothing. */
const MAX_CALLS = 10_000;

/** How many of the newest calls of a workspace were asked about, and would pass by this rule and not without it. */
export async function pastCalls(
  runtime: Runtime,
  audit: AuditReader,
  rule: Rule,
): Promise<{ readonly covered: number; readonly calls: number }> {
  await runtime.flush();
  const records: ClosedRecord[] = [];
  for await (const record of audit.closed(runtime.workspace.root, MAX_CALLS)) records.push(record);
  const { differences: today } = await replayCalls(runtime, records);
  const { differences, calls } = await replayCalls(runtime, records, { rules: [rule] });
  const known = new Set(today.map(({ call_id, after }) => `${call_id} ${after}`));
  const passed = differences.filter(
    ({ call_id, before, after }) =>
      before === 'ask' && after === 'allow' && !known.has(`${call_id} ${after}`),
  );
  return { covered: passed.length, calls };
}
