/** The words of a decision: what is decided, by what, and what the answer is. */
import type { Effect, Extent, Permission, ResolvedAccess } from './access.ts';
import type { Protection } from './places.ts';
import type { Layer } from './rule.ts';

/** From the one that permits least. */
export const MODES = ['read-only', 'ask', 'reversible', 'auto'] as const;
/** How much is asked. */
export type Mode = (typeof MODES)[number];

/** What is to be decided. */
export interface PolicyCall {
  readonly tool: string;
  readonly effect: Effect;
  readonly accesses: readonly ResolvedAccess[];
  /** It would change what undo can't keep, such as a file that is too large. */
  readonly losesContent?: boolean | undefined;
  readonly extent?: Extent | undefined;
  /** Whether the commands it runs are kept in a real sandbox. */
  readonly isSandboxed?: boolean | undefined;
  /** How much of what they change undo takes back. */
  readonly undo?: 'exact' | 'part' | 'none' | undefined;
  /** What the caller limited itself to; an access beyond it is denied. */
  readonly requestedPermissions?: readonly Permission[] | undefined;
  /** The caller wants a human to look; raises allow to ask and lowers nothing. */
  readonly requiresApproval?: boolean | undefined;
}

/** Everything a decision depends on besides the call. */
export interface Policy {
  readonly mode: Mode;
  readonly protection: Protection;
  /** Least specific first. */
  readonly layers: readonly Layer[];
  /** The dialect's own table, under all layers. */
  readonly table: Layer;
  /** What humans granted in this session. */
  readonly grants: readonly Grant[];
}

/** A human's yes for the rest of a session: this tool, this permission, this place. */
export interface Grant {
  readonly tool: string;
  readonly permission: Permission;
  readonly resolved: string;
}

/** How far an answer could reach: this call, the session, or, by a rule, the workspace for good. */
export type AskScope = 'single_action' | 'session' | 'workspace';

export type Decision =
  | { readonly action: 'allow'; readonly rule: string }
  | { readonly action: 'deny'; readonly rule: string; readonly reason: string }
  | {
      readonly action: 'ask';
      readonly rule: string;
      readonly reason: string;
      readonly scope: AskScope;
      /** What a command would change is to be shown. */
      readonly hasPreview?: true;
    };
