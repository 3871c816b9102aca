/**
 * The lines of the audit. A call has an `opened` line, a `decided` line where it may change something, and a
 * `closed` line. Fields that are undefined are not written.
 */
import type { Extent, Permission, ResolvedAccess } from '../policy/access.ts';
import type { Mode, PolicyCall } from '../policy/decide.ts';
import type { ChangeEffect } from './change-rows.ts';

/** Who called what; the same on every line of a call. */
export interface CallHead {
  readonly call_id: string;
  readonly tool_call_id: string;
  readonly trace_id: string;
  readonly session: string;
  readonly turn: string;
  readonly workspace: string;
  /** The workspace of its session, where the call came from another one. */
  readonly visitor?: string | undefined;
  readonly dialect: string;
  readonly name: string;
  readonly version?: string | undefined;
  /** Redacted and bounded. */
  readonly args: unknown;
  /** How much is asked, where the caller chose it and not the settings. */
  readonly mode?: Mode | undefined;
  /** What the caller limited itself to. */
  readonly requested_permissions?: readonly Permission[] | undefined;
  /** The caller wants a human to look. */
  readonly requires_approval?: boolean | undefined;
}

/** What a call touches, and whether a human had granted it for the session when it was decided. */
export interface AuditedAccess extends ResolvedAccess {
  readonly granted?: true | undefined;
}

export interface OpenedRecord extends CallHead {
  readonly event: 'opened';
  readonly at: number;
}

/** Written before anything is changed: what is about to be touched, and why it may. */
export interface DecidedRecord {
  readonly event: 'decided';
  readonly at: number;
  readonly call_id: string;
  readonly workspace: string;
  readonly decision: string;
  readonly rule: string;
  readonly approver?: string | undefined;
  readonly accesses: readonly AuditedAccess[];
}

/** Complete in itself: everything there is to know about a call that ended. */
export interface ClosedRecord extends CallHead {
  readonly event: 'closed';
  readonly at: number;
  /** What a human put in place of the arguments. */
  readonly edited_args?: unknown;
  readonly operation?: string | undefined;
  /** How much it was to change, where its arguments told. */
  readonly extent?: Extent | undefined;
  /** It was to change what undo can't keep. */
  readonly loses_content?: boolean | undefined;
  /** How much of what commands change undo could take back when it was decided. */
  readonly undo?: PolicyCall['undo'];
  readonly ok: boolean;
  readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled' | 'interrupted';
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly decision?: string | undefined;
  readonly rule?: string | undefined;
  readonly approver?: string | undefined;
  /** Who answered what it asked the user. */
  readonly answered_by?: string | undefined;
  readonly accesses?: readonly AuditedAccess[] | undefined;
  readonly artifacts?:
    | {
        readonly files_changed?: readonly string[] | undefined;
        readonly commands_run?: readonly string[] | undefined;
        /** What goes on after the call. */
        readonly processes_started?: readonly { id: string; pid: number; command: string }[] | undefined;
      }
    | undefined;
  /** What was changed, and whether undo can take it back. */
  readonly effects?: readonly ChangeEffect[] | undefined;
  /** How many there were, where not all are listed. */
  readonly effects_total?: number | undefined;
  /** What commands reached; what left the machine is not taken back. */
  readonly hosts_reached?: readonly string[] | undefined;
  /** The sandbox tier that was in force, where something was run. */
  readonly sandbox?: string | undefined;
  readonly duration_ms: number;
}

/** What a chain notes about itself, such as a torn line that a crash left. */
export interface NoteRecord {
  readonly event: 'note';
  readonly at: number;
  readonly note: string;
}

export type AuditRecord = OpenedRecord | DecidedRecord | ClosedRecord | NoteRecord;

/** A record in its place in a chain. */
export type AuditLine = { readonly seq: number; readonly prev: string } & AuditRecord;
