/** An undo as the audit sees it: lines like those of a call, so that the record of a file's life has no gap. */
import { toFailure } from '../failure.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import type { AuditLog } from './audit-log.ts';
import type { CallHead, ClosedRecord } from './audit-record.ts';
import { redactText } from './redact.ts';
import type { TurnQuery } from './turns.ts';
import { undo, type UndoParts, type UndoReport } from './undo.ts';
import { isChange, type UndoStep } from './undo-plan.ts';

export interface UndoCommand {
  readonly query: TurnQuery;
  readonly dryRun: boolean;
  readonly session: string;
  /** Who wants it. */
  readonly by: string;
}

/** Takes turns back and writes it down; a dry run touches nothing and is not written down. */
export async function auditedUndo(
  parts: UndoParts,
  audit: AuditLog,
  command: UndoCommand,
): Promise<UndoReport> {
  const { query, dryRun, session, by } = command;
  const callId = parts.ids.next('call');
  if (dryRun) return undo(parts, query, { dryRun, callId, session, onPlan: () => undefined });
  const startedAt = parts.clock.monotonic();
  const head: CallHead = {
    call_id: callId,
    tool_call_id: callId,
    trace_id: parts.ids.trace(),
    session,
    turn: '',
    workspace: parts.workspace,
    dialect: 'human',
    name: 'undo',
    args: query,
  };
  const close = (rest: Pick<ClosedRecord, 'ok' | 'outcome' | 'error' | 'artifacts'>): void =>
    audit.writeLater({
      event: 'closed',
      at: parts.clock.now(),
      ...head,
      ...rest,
      decision: 'allow',
      rule: 'human',
      approver: by,
      duration_ms: parts.clock.monotonic() - startedAt,
    });
  audit.write({ event: 'opened', at: parts.clock.now(), ...head });
  try {
    const onPlan = (steps: readonly UndoStep[]): void =>
      audit.write({
        event: 'decided',
        at: parts.clock.now(),
        call_id: callId,
        workspace: parts.workspace,
        decision: 'allow',
        rule: 'human',
        approver: by,
        accesses: steps.flatMap(toAccess),
      });
    const report = await undo(parts, query, { dryRun, callId, session, onPlan });
    close({
      ok: true,
      outcome: 'ok',
      artifacts: { files_changed: report.steps.filter(isChange).map(({ path }) => redactText(path)) },
    });
    return report;
  } catch (error) {
    const { code, message } = toFailure(error);
    close({ ok: false, outcome: 'failed', error: { code, message } });
    throw error;
  }
}

function toAccess(step: UndoStep): ResolvedAccess[] {
  if (!isChange(step)) return [];
  const permission = step.action === 'remove' ? 'fs.delete' : 'fs.write';
  const path = redactText(step.path);
  return [{ permission, resource: path, resolved: path }];
}
