/** Decides a recorded history anew under the policy of today, and says what would differ. */
import type { Effect } from '../policy/access.ts';
import { decide, type Grant, type Mode, type Policy } from '../policy/decide.ts';
import type { AuditedAccess, ClosedRecord } from './audit-record.ts';

export interface Difference {
  readonly call_id: string;
  readonly tool: string;
  readonly before: string;
  readonly after: string;
  /** The rule that would decide. */
  readonly rule: string;
}

export interface Replayed {
  /** How many were looked at. */
  readonly calls: number;
  readonly differences: readonly Difference[];
}

export interface ReplaySources {
  readonly records: AsyncIterable<ClosedRecord> | Iterable<ClosedRecord>;
  /** The policy of a dialect, in the mode that the caller chose where one did. */
  readonly policyFor: (dialect: string, mode: Mode | undefined) => Policy | undefined;
  readonly effectOf: (operation: string) => Effect | undefined;
}

/** Replays calls that got as far as a decision; what failed before has none to compare. */
export async function replay({ records, policyFor, effectOf }: ReplaySources): Promise<Replayed> {
  const policies = new Map<string, Policy | undefined>();
  const differences: Difference[] = [];
  let calls = 0;
  for await (const record of records) {
    const { call_id, dialect, mode, name, operation, accesses, decision } = record;
    const effect = operation === undefined ? undefined : effectOf(operation);
    const key = `${dialect} ${mode}`;
    if (!policies.has(key)) policies.set(key, policyFor(dialect, mode));
    const policy = policies.get(key);
    // What another project's policy said about a visitor is not known here.
    if (record.visitor !== undefined) continue;
    if (effect === undefined || accesses === undefined || decision === undefined || policy === undefined)
      continue;
    calls++;
    // Callers may write `name@version`; rules know the name.
    const [tool = name] = name.split('@');
    const now = decide(
      {
        tool,
        effect,
        accesses: accesses.map(asDecided),
        isSandboxed: record.sandbox === undefined ? undefined : record.sandbox !== 'C',
        extent: record.extent,
        losesContent: record.loses_content,
        undo: record.undo,
        requestedPermissions: record.requested_permissions,
        requiresApproval: record.requires_approval,
      },
      { ...policy, grants: grantsIn(tool, accesses) },
    );
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

/** JSON has no word for a word that is not known. */
function asDecided(access: AuditedAccess): AuditedAccess {
  const { command } = access;
  if (command === undefined) return access;
  return { ...access, command: { ...command, words: command.words.map((word) => word ?? undefined) } };
}

/** A human's yes for the session is no part of the policy: it holds in the replay too. */
function grantsIn(tool: string, accesses: readonly AuditedAccess[]): Grant[] {
  return accesses
    .filter(({ granted }) => granted === true)
    .map(({ permission, resolved }) => ({ tool, permission, resolved }));
}
