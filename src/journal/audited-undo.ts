/** An undo as the audit sees it: lines like those of a call, so that the record of a file's life has no gap. */
import type { ResolvedAccess } from '../policy/access.ts';
import { auditedAct } from './audited-act.ts';
import type { AuditLog } from './audit-log.ts';
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
  if (dryRun)
    return undo(parts, query, {
      dryRun,
      callId: parts.ids.next('call'),
      session,
      onPlan: () => undefined,
    });
  return auditedAct(
    parts,
    audit,
    { session, dialect: 'human', name: 'undo', args: query, rule: 'human', by },
    ({ callId, decided }) =>
      undo(parts, query, { dryRun, callId, session, onPlan: (steps) => decided(steps.flatMap(toAccess)) }),
    ({ steps }) => ({ files_changed: steps.filter(isChange).map(({ path }) => redactText(path)) }),
  );
}

function toAccess(step: UndoStep): ResolvedAccess[] {
  if (!isChange(step)) return [];
  const permission = step.action === 'remove' ? 'fs.delete' : 'fs.write';
  return [{ permission, resource: step.path, resolved: step.path }];
}
