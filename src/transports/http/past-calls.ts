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
  const asked: ClosedRecord[] = [];
  let calls = 0;
  for await (const record of audit.closed(runtime.workspace.root, MAX_CALLS)) {
    if (record.decision !== undefined) calls++;
    if (record.decision === 'ask') asked.push(record);
  }
  const today = await passedIn(asked, runtime);
  const passed = await passedIn(asked, runtime, [rule]);
  return { covered: [...passed].filter((call) => !today.has(call)).length, calls };
}

/** Which calls would not be asked about. */
async function passedIn(
  records: readonly ClosedRecord[],
  runtime: Runtime,
  rules: readonly Rule[] = [],
): Promise<Set<string>> {
  const { differences } = await replayCalls(runtime, records, { rules });
  return new Set(differences.filter(({ after }) => after === 'allow').map(({ call_id }) => call_id));
}
