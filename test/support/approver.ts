/** Approvers that answer at once and remember what they were asked. */
import type { ApprovalRequest, Approver } from '../../src/index.ts';

export type RecordingApprover = Approver & { readonly asked: ApprovalRequest[] };

/** Always gives the same answer. */
export function approver(answer: 'once' | 'session' | 'always' | 'deny', reason?: string): RecordingApprover {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = async (request) => {
    asked.push(request);
    return answer === 'deny' ? { answer, ...(reason === undefined ? {} : { reason }) } : { answer };
  };
  return Object.assign(approve, { asked });
}
