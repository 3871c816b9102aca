/** The policy's word on a call, which may depend on whether undo could give back what the call would change. */
import { isChange } from '../policy/access.ts';
import { decide, type Decision, type Policy, type PolicyCall } from '../policy/decide.ts';

/** What was decided, and the call as it was decided on. */
export interface Judgement {
  readonly decision: Decision;
  readonly call: PolicyCall;
}

/**
 * Decides a call; files are looked at only where the answer depends on it, and never for a call that only reads. What
 * a command changes is known once it has run: a human is asked then, where undo can't keep some of it.
 */
export async function judge(
  call: PolicyCall,
  policy: Policy,
  canKeep: (path: string) => Promise<boolean>,
): Promise<Judgement> {
  const decision = decide(call, policy);
  if (call.effect === 'read' || call.effect === 'exec') return { decision, call };
  const losing = { ...call, losesContent: true };
  const ifLost = decide(losing, policy);
  if (ifLost.action === decision.action) return { decision, call };
  for (const { permission, resolved } of call.accesses) {
    if (isChange(permission) && !(await canKeep(resolved))) return { decision: ifLost, call: losing };
  }
  return { decision, call };
}
