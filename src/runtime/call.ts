/**
 * One call from start to end. The steps, in order: receive, open, resolve, decode, access, decide, approve, run,
 * render, close. One try/catch: whatever goes wrong between open and close becomes an outcome, and is audited.
 */
import { Failure, type FailureCode, toFailure } from '../failure.ts';
import type { Host } from '../host/ports.ts';
import type { AuditLog } from '../journal/audit-log.ts';
import { maskTokens, maskTokensIn, redactText } from '../journal/redact.ts';
import { isPathPermission, type Permission, type ResolvedAccess } from '../policy/access.ts';
import { approvalHash, type ApprovalRequest, type Approver, ask } from '../policy/approvals.ts';
import { decide, type Decision, isDenied, type Policy, type PolicyCall } from '../policy/decide.ts';
import { bound } from './bound.ts';
import { CallRecord } from './call-record.ts';
import { type Scope, scopeFiles, scopeForPreview } from './context.ts';
import { decode } from './decode.ts';
import { envelopeError, type ToolCallResult } from './envelope.ts';
import type { Events } from './events.ts';
import type { OperationContext, OutputPages } from './operation.ts';
import { isEnabled, type Session } from './session.ts';
import type { EndedCall, Tool } from './tool.ts';
import { viewWorkspace, type Workspace, type WorkspaceView } from './workspace.ts';

/** What a transport hands over. */
export interface CallRequest {
  readonly tool: string;
  readonly args: unknown;
  readonly version?: string | undefined;
  /** The caller's own id for the call. */
  readonly id?: string | undefined;
  readonly traceId?: string | undefined;
  readonly turn?: string | undefined;
  readonly requestedPermissions?: readonly Permission[] | undefined;
  readonly requiresApproval?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a transport gets back. */
export interface CallResponse {
  readonly callId: string;
  readonly outcome: Outcome;
  /** The envelope, the same for every dialect. */
  readonly result: ToolCallResult;
  /** What the session's dialect says. */
  readonly reply: unknown;
}

/** How a call ended. */
export type Outcome = 'ok' | 'failed' | 'denied' | 'cancelled';

/** What a call needs from the runtime around it. */
export interface Spine {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly approver: Approver | undefined;
  readonly outputs: Outputs;
  policyFor(session: Session): Policy;
}

/** Where output goes that does not fit into a reply. */
export interface Outputs {
  keep(session: string, whole: unknown[] | string): Promise<string>;
  pagesOf(session: string): OutputPages;
}

/** Runs a call. Never throws: what goes wrong is in the response. `refusal` is what the caller knows to be wrong already. */
export async function runCall(
  request: CallRequest,
  session: Session,
  spine: Spine,
  refusal?: Failure,
): Promise<CallResponse> {
  const call = new Call(request, session, spine); // 1 receive
  let ended: EndedCall;
  try {
    call.open(); // 2
    if (refusal !== undefined) throw refusal;
    const tool = call.resolve(); // 3
    const input = call.decode(tool); // 4
    const accesses = await call.access(tool, input); // 5
    const decision = call.decide(tool, accesses); // 6
    await call.approve(tool, input, accesses, decision); // 7
    const output = await call.run(tool, input, accesses); // 8
    ended = await call.render(tool, output); // 9
  } catch (thrown) {
    ended = call.fail(thrown);
  }
  return call.close(ended); // 10
}

/** What would be decided and asked about a call, without asking or running it: steps 3 to 6. */
export async function rehearseCall(request: CallRequest, session: Session, spine: Spine): Promise<Rehearsal> {
  const call = new Call(request, session, spine);
  const tool = call.resolve();
  const input = call.decode(tool);
  const accesses = await call.access(tool, input);
  const decision = call.judge(tool, accesses);
  if (decision.action !== 'ask') return { decision };
  return { decision, request: await call.question(tool, input, accesses, decision) };
}

export interface Rehearsal {
  readonly decision: Decision;
  /** What a human would be asked, where one would be. */
  readonly request?: ApprovalRequest;
}

/** A call under way, with a method a step. */
class Call {
  readonly #record: CallRecord;
  readonly #request: CallRequest;
  readonly #session: Session;
  readonly #spine: Spine;
  readonly #signal: AbortSignal;
  readonly #workspace: WorkspaceView;
  readonly #changed = new Set<string>();

  constructor(request: CallRequest, session: Session, spine: Spine) {
    this.#record = new CallRecord(request, session, spine);
    this.#request = request;
    this.#session = session;
    this.#spine = spine;
    this.#signal = request.signal ?? NEVER_ABORTED;
    this.#workspace = viewWorkspace(spine.workspace, session.dialect.paths);
  }

  open(): void {
    this.#record.opened();
  }

  resolve(): Tool {
    const { dialect, agent } = this.#session;
    const tool = dialect.resolve(this.#request.tool, this.#request.version);
    if (!isEnabled(agent, tool.name)) {
      throw new Failure('E_NO_TOOL', `The tool ${tool.name} is switched off for the agent ${agent.name}.`);
    }
    this.#record.tool = tool;
    return tool;
  }

  decode(tool: Tool): unknown {
    if (this.#record.unusable !== undefined) throw this.#record.unusable;
    return decode(tool, this.#request.args, this.#workspace);
  }

  async access(tool: Tool, input: unknown): Promise<readonly ResolvedAccess[]> {
    this.#signal.throwIfAborted();
    const accesses: ResolvedAccess[] = [];
    for (const { permission, resource } of tool.operation.access(input, this.#workspace)) {
      if (!tool.operation.permissions.includes(permission)) {
        throw new Error(`${tool.operation.name} needs ${permission}, which it does not list.`);
      }
      const resolved = isPathPermission(permission)
        ? await this.#resolvePath(permission, resource)
        : resource;
      accesses.push({ permission, resource, resolved });
    }
    this.#record.accesses = accesses;
    return accesses;
  }

  decide(tool: Tool, accesses: readonly ResolvedAccess[]): Decision {
    const decision = this.judge(tool, accesses);
    if (decision.action !== 'deny') return decision;
    throw new Failure('E_POLICY_DENIED', decision.reason, { details: { rule: decision.rule } });
  }

  async approve(
    tool: Tool,
    input: unknown,
    accesses: readonly ResolvedAccess[],
    decision: Decision,
  ): Promise<void> {
    if (decision.action !== 'ask') return;
    const request = await this.question(tool, input, accesses, decision);
    this.#record.emit({ type: 'approval-requested', request });
    const { answer, by } = await ask(request, this.#spine.approver, this.#signal);
    this.#record.approver = by ?? 'callback';
    this.#record.emit({ type: 'approval-answered', approval: request.id, answer });
    if (answer !== 'session' || decision.scope !== 'session') return;
    for (const { permission, resolved } of accesses)
      this.#session.grants.push({ tool: tool.name, permission, resolved });
  }

  async run(tool: Tool, input: unknown, accesses: readonly ResolvedAccess[]): Promise<unknown> {
    this.#signal.throwIfAborted();
    if (tool.operation.effect !== 'read') this.#record.decided();
    return tool.operation.run(input, this.#context(scopeFiles(this.#scope(tool, accesses))));
  }

  async render(tool: Tool, output: unknown): Promise<EndedCall> {
    const { dialect, id } = this.#session;
    const { data, truncation } = await bound(output, dialect.replyBytes, (whole) =>
      this.#spine.outputs.keep(id, whole),
    );
    const rendered =
      tool.render === undefined ? data : tool.render(data, { workspace: this.#workspace, truncation });
    return { result: this.#result({ ok: true, payload: data, error: null }), rendered };
  }

  fail(thrown: unknown): EndedCall {
    const failure = toFailure(thrown, this.#signal);
    const result = this.#result({ ok: false, payload: null, error: envelopeError(failure) });
    return { result, failure, outcome: OUTCOMES[failure.code] ?? 'failed' };
  }

  close(ended: EndedCall): CallResponse {
    const outcome = 'failure' in ended ? ended.outcome : 'ok';
    this.#record.closed(ended.result, outcome);
    const reply = this.#session.dialect.reply(ended);
    return { callId: this.#record.head.call_id, outcome, result: ended.result, reply };
  }

  /** The policy's word on the call, as data. */
  judge(tool: Tool, accesses: readonly ResolvedAccess[]): Decision {
    const decision = decide(this.#policyCall(tool, accesses), this.#spine.policyFor(this.#session));
    this.#record.decision = decision;
    return decision;
  }

  /** The question a human would see: tokens in it are masked, the hash is over the real call. */
  async question(
    tool: Tool,
    input: unknown,
    accesses: readonly ResolvedAccess[],
    { reason, rule, scope }: Extract<Decision, { action: 'ask' }>,
  ): Promise<ApprovalRequest> {
    const context = this.#context(scopeForPreview(this.#scope(tool, accesses)));
    const preview = await tool.operation.preview?.(input, context);
    const { call_id, session, dialect } = this.#record.head;
    return {
      id: this.#spine.host.ids.next('apr'),
      hash: approvalHash({ tool: tool.name, version: tool.version, input, accesses }),
      callId: call_id,
      session,
      dialect,
      tool: tool.name,
      version: tool.version,
      operation: tool.operation.name,
      args: maskTokensIn(this.#request.args),
      accesses,
      reason,
      rule,
      scope,
      preview: preview && { kind: preview.kind, text: maskTokens(preview.text) },
    };
  }

  #policyCall(tool: Tool, accesses: readonly ResolvedAccess[]): PolicyCall {
    const { requestedPermissions, requiresApproval } = this.#request;
    return {
      tool: tool.name,
      effect: tool.operation.effect,
      accesses,
      requestedPermissions,
      requiresApproval,
    };
  }

  async #resolvePath(permission: Permission, path: string): Promise<string> {
    // Deleting a link deletes the link; everything else goes to where it leads.
    const { path: resolved } = await this.#spine.host.files.resolve(path, {
      followLast: permission !== 'fs.delete',
    });
    return resolved;
  }

  #scope(tool: Tool, accesses: readonly ResolvedAccess[]): Scope {
    const policyCall = this.#policyCall(tool, accesses);
    const policy = this.#spine.policyFor(this.#session);
    return {
      files: this.#spine.host.files,
      accesses,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      isDenied: (access) => isDenied(access, policyCall, policy),
      onChange: (path) => this.#changed.add(path),
    };
  }

  #context(files: OperationContext['files']): OperationContext {
    return {
      files,
      outputs: this.#spine.outputs.pagesOf(this.#session.id),
      workspace: this.#workspace,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      addOutput: (text) => this.#record.emit({ type: 'output-added', text: redactText(text) }),
    };
  }

  #result(part: Pick<ToolCallResult, 'ok' | 'payload' | 'error'>): ToolCallResult {
    return {
      tool_call_id: this.#record.head.tool_call_id,
      ...part,
      ...(this.#changed.size === 0 ? {} : { artifacts: { files_changed: [...this.#changed] } }),
      duration_ms: this.#record.duration(),
    };
  }
}

const NEVER_ABORTED = new AbortController().signal;

/** Codes that are not plain failures. */
const OUTCOMES: Partial<Record<FailureCode, 'denied' | 'cancelled'>> = {
  E_POLICY_DENIED: 'denied',
  E_DENIED: 'denied',
  E_CANCELLED: 'cancelled',
};
