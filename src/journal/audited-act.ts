/** What is done besides calls, as the audit sees it: lines like those of a call, so that its record has no gap. */
import { toFailure } from '../failure.ts';
import type { Clock, Ids } from '../host/ports.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditedAccess, CallHead, ClosedRecord } from './audit-record.ts';
import { redactText } from './redact.ts';

export interface ActParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workspace: string;
}

/** Who does what, and why they may. */
export interface Act extends Pick<CallHead, 'session' | 'dialect' | 'name' | 'args'> {
  readonly rule: string;
  /** Who wants it. */
  readonly by: string;
}

/** An act that has begun. */
export interface OpenAct {
  readonly callId: string;
  /** To be said before anything is touched. */
  readonly decided: (accesses: readonly AuditedAccess[]) => void;
}

/** Does it, and writes it down from its beginning to its end. */
export async function auditedAct<Result>(
  { clock, ids, workspace }: ActParts,
  audit: AuditLog,
  { rule, by, ...about }: Act,
  work: (act: OpenAct) => Promise<Result>,
  artifactsOf: (result: Result) => ClosedRecord['artifacts'] = () => undefined,
): Promise<Result> {
  const callId = ids.next('call');
  const startedAt = clock.monotonic();
  const head: CallHead = {
    call_id: callId,
    tool_call_id: callId,
    trace_id: ids.trace(),
    turn: '',
    workspace,
    ...about,
  };
  const allowed = { decision: 'allow', rule, approver: by } as const;
  const close = (rest: Pick<ClosedRecord, 'ok' | 'outcome' | 'error' | 'artifacts'>): void =>
    audit.writeLater({
      event: 'closed',
      at: clock.now(),
      ...head,
      ...rest,
      ...allowed,
      duration_ms: clock.monotonic() - startedAt,
    });
  audit.write({ event: 'opened', at: clock.now(), ...head });
  try {
    const decided = (accesses: readonly AuditedAccess[]): void =>
      audit.write({
        event: 'decided',
        at: clock.now(),
        call_id: callId,
        workspace,
        ...allowed,
        accesses: accesses.map(withoutSecrets),
      });
    const result = await work({ callId, decided });
    close({ ok: true, outcome: 'ok', artifacts: artifactsOf(result) });
    return result;
  } catch (error) {
    const { code, message } = toFailure(error);
    close({ ok: false, outcome: 'failed', error: { code, message } });
    throw error;
  }
}

function withoutSecrets(access: AuditedAccess): AuditedAccess {
  const { resource, resolved } = access;
  return { ...access, resource: redactText(resource), resolved: redactText(resolved) };
}
