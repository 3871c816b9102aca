/** What is told about a call: its audit lines, its events, and its span. Secrets are masked here, before anything is kept. */
import type { AuditedAccess, CallHead } from '../journal/audit-record.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import { redactId, redactText, redactValue } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import type { CommandPart } from '../policy/command/command-analysis.ts';
import type { Decision, PolicyCall } from '../policy/decide.ts';
import { unusableArguments } from './arguments.ts';
import type { CallSpan } from './call-span.ts';
import type { CallRequest, Outcome, Spine } from './spine.ts';
import type { ToolCallResult } from './envelope.ts';
import type { EventListener, RuntimeEvent } from './events.ts';
import { type Session, turnAt } from './session.ts';
import type { Tool } from './tool.ts';

const MAX_NAME = 200;
const MAX_VERSION = 50;
const MAX_EFFECTS = 1_000;

/** An event without what every event about a call has. */
type NewEvent = RuntimeEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'callId' | 'session' | 'at'>
    : never
  : never;

export class CallRecord {
  readonly head: CallHead;
  readonly span: CallSpan;
  // What is known so far; the closing line has it all.
  tool: Tool | undefined;
  decision: Decision | undefined;
  accesses: readonly ResolvedAccess[] | undefined;
  /** Those that a human had granted for the session before. */
  granted: readonly ResolvedAccess[] = [];
  /** The call as it was decided on. */
  judged: PolicyCall | undefined;
  approver: string | undefined;
  /** Who answered what the call asked its user; that allows nothing. */
  answeredBy: string | undefined;
  /** The tier that confined what it ran. */
  sandbox: string | undefined;
  /** Whether what it runs is seen in a view before it counts. */
  hasView = false;
  readonly #hosts = new Set<string>();
  readonly #spine: Spine;
  readonly #listener: EventListener | undefined;
  readonly #startedAt: number;
  #isOpen = false;
  #edited: unknown;

  constructor(request: CallRequest, session: Session, spine: Spine, span: CallSpan) {
    const { clock, ids } = spine.host;
    this.#spine = spine;
    this.span = span;
    this.#listener = request.listener;
    this.#startedAt = clock.monotonic();
    const id = ids.next('call');
    this.head = {
      call_id: id,
      tool_call_id: request.id === undefined ? id : redactId(request.id),
      trace_id: request.traceId === undefined ? (span.traceId ?? ids.trace()) : redactId(request.traceId),
      session: redactId(session.id),
      // A turn is of one workspace: a visitor's calls are turns of their own there.
      turn:
        (session.visit === undefined ? request.turn : undefined) ??
        turnAt(session, clock.now(), () => ids.next('turn')),
      workspace: spine.workspace.root,
      visitor: session.visit?.from,
      dialect: session.dialect.name,
      name: toolName(request),
      version: request.version === undefined ? undefined : cut(request.version, MAX_VERSION),
      args: keepable(request.args),
      mode: session.chosenMode,
      requested_permissions: request.requestedPermissions && [...new Set(request.requestedPermissions)],
      requires_approval: request.requiresApproval === true ? true : undefined,
    };
  }

  /** The first line; fails where it can't be written, and then nothing runs. */
  opened(): void {
    this.#spine.audit.write({ event: 'opened', at: this.#spine.host.clock.now(), ...this.head });
    this.#isOpen = true;
    const { dialect, name: tool, args } = this.head;
    this.emit({ type: 'call-started', dialect, tool, args });
  }

  /** A command ended. */
  ran(tier: string, hosts: readonly string[]): void {
    this.sandbox = tier;
    for (const host of hosts) this.#hosts.add(host);
  }

  /** Arguments that a human put in place of the caller's. */
  edit(args: unknown): unknown {
    this.#edited = keepable(args);
    return args;
  }

  /** What a call touches besides, since where it went led there. */
  redirected(access: ResolvedAccess): void {
    this.accesses = [...(this.accesses ?? []), access];
  }

  /** The line before anything is changed: what will be touched, and why it may. */
  decided(): void {
    this.#spine.audit.write({
      event: 'decided',
      at: this.#spine.host.clock.now(),
      call_id: this.head.call_id,
      workspace: this.head.workspace,
      decision: this.decision!.action,
      rule: this.decision!.rule,
      approver: this.approver,
      accesses: this.#auditedAccesses()!,
    });
  }

  /** The last line, complete in itself. */
  closed(result: ToolCallResult, outcome: Outcome, effects: readonly ChangeEffect[]): void {
    const { head, tool, decision } = this;
    this.span.end(
      {
        'gen_ai.tool.call.id': head.tool_call_id,
        'handrail.dialect': head.dialect,
        'handrail.session': head.session,
        'handrail.outcome': outcome,
        'handrail.decision': decision?.action,
        'handrail.rule': decision?.rule,
      },
      result.error?.code,
    );
    if (this.#isOpen) {
      this.#spine.audit.writeLater({
        event: 'closed',
        at: this.#spine.host.clock.now(),
        ...this.head,
        edited_args: this.#edited,
        version: this.tool?.version ?? this.head.version,
        operation: this.tool?.operation.name,
        ok: result.ok,
        outcome,
        error:
          result.error === null
            ? undefined
            : { code: result.error.code, message: redactText(result.error.message) },
        decision: this.decision?.action,
        rule: this.decision?.rule,
        approver: this.approver,
        answered_by: this.answeredBy,
        accesses: this.#auditedAccesses(),
        extent: this.judged?.extent,
        loses_content: this.judged?.losesContent,
        undo: this.judged?.undo,
        artifacts: result.artifacts && {
          files_changed: result.artifacts.files_changed?.map(redactText),
          commands_run: result.artifacts.commands_run?.map(redactText),
          processes_started: result.artifacts.processes_started,
        },
        sandbox: this.sandbox,
        effects:
          effects.length === 0
            ? undefined
            : effects.slice(0, MAX_EFFECTS).map((effect) => ({ ...effect, path: redactText(effect.path) })),
        effects_total: effects.length > MAX_EFFECTS ? effects.length : undefined,
        hosts_reached: this.#hosts.size === 0 ? undefined : [...this.#hosts],
        duration_ms: result.duration_ms,
      });
    }
    this.emit({
      type: 'call-ended',
      dialect: head.dialect,
      tool: tool?.name,
      outcome,
      decision: decision?.action,
      result,
    });
  }

  /** Tells who listens; false where nobody does. */
  emit(event: NewEvent): boolean {
    const { events, host } = this.#spine;
    const isHeard = events.hasListeners || this.#listener !== undefined;
    if (!isHeard && !events.hasObservers) return false;
    const about = { callId: this.head.call_id, session: this.head.session, at: host.clock.now() };
    events.emit({ ...about, ...event }, this.#listener);
    return isHeard;
  }

  #auditedAccesses(): AuditedAccess[] | undefined {
    return this.accesses?.map((access) => {
      const { permission, resource, resolved, url, command, isOutside } = access;
      return {
        permission,
        resource: redactText(resource),
        resolved: redactText(resolved),
        url: url && redactText(url),
        command: command && redactCommand(command),
        isOutside,
        granted: this.granted.includes(access) ? true : undefined,
      };
    });
  }

  /** Milliseconds since the call came in. */
  duration(): number {
    return Math.round((this.#spine.host.clock.monotonic() - this.#startedAt) * 1000) / 1000;
  }
}

/** What a call asks for, as it may be told. */
export function toolName({ tool }: Pick<CallRequest, 'tool'>): string {
  return cut(tool, MAX_NAME);
}

function redactCommand(command: CommandPart): CommandPart {
  const words = command.words.map((word) => word && redactText(word));
  return { ...command, words, text: redactText(command.text) };
}

/** Arguments as they may be written down; what is too much to look at is not. */
function keepable(args: unknown): unknown {
  try {
    return unusableArguments(args) === undefined ? redactValue(args) : '[not kept]';
  } catch {
    // An object that can't even be looked at; the call says so when it comes to its arguments.
    return '[not kept]';
  }
}

/** Masked before it is cut: half a secret is not recognised. */
function cut(text: unknown, length: number): string {
  return redactText(String(text).slice(0, 10 * length)).slice(0, length);
}
