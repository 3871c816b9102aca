/** The two lines a call leaves in the audit, as long as real ones, for what is measured without a runtime. */
import type { ClosedRecord, OpenedRecord } from '../src/journal/audit-record.ts';

/** The lines of call number `index`. */
export function callLines(index: number): [OpenedRecord, ClosedRecord] {
  const id = String(index).padStart(25, '0');
  const head = {
    call_id: `call_${id}`,
    tool_call_id: `call_${id}`,
    trace_id: id.padStart(32, '0'),
    session: 'ses_0000000000000000000000000',
    turn: 'turn_0000000000000000000000000',
    workspace: '/home/somebody/projects/something',
    dialect: 'bench',
    name: 'nothing',
    args: {},
  };
  const outcome = { ok: true, outcome: 'ok', decision: 'allow', rule: 'no-access', accesses: [] } as const;
  return [
    { event: 'opened', at: index, ...head },
    {
      event: 'closed',
      at: index,
      ...head,
      version: '1.0.0',
      operation: 'bench.nothing',
      ...outcome,
      duration_ms: 0.02,
    },
  ];
}
