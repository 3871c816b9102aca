/** What the console shows and changes besides the runtime: the store that every Handrail process of the user shares. */
import type { AuditReader } from '../../journal/audit-reader.ts';
import type { EveryProcess } from '../../open-processes.ts';
import type { ApprovalRows } from '../../store/approvals.ts';
import type { MessageRows } from '../../store/messages.ts';
import type { Section } from '../../store/section.ts';
import type { SessionRows } from '../../store/sessions.ts';

export interface Records {
  readonly audit: AuditReader;
  readonly approvals: ApprovalRows;
  readonly messages: MessageRows;
  /** Background processes of every workspace. */
  readonly processes: EveryProcess;
  readonly sessions: SessionRows;
  /** Differs from the last one whenever something was written. */
  version(): Promise<string>;
  /** How often each part of the store was written to, by whatever process. */
  sections(): Promise<ReadonlyMap<Section, number>>;
  /** Says that somebody answers questions here, until it is disposed. */
  beApprover(): Promise<AsyncDisposable>;
}
