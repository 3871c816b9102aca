/**
 * One call from start to end. The steps, in order: receive, open, resolve, decode, access, decide, approve, run,
 * render, close. One try/catch: whatever goes wrong between open and close becomes an outcome, and is audited.
 */
import { Failure, type FailureCode, toFailure } from '../failure.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import { maskTokens, maskTokensIn, redactText } from '../journal/redact.ts';
import { isPathPermission, type Permission, type ResolvedAccess } from '../policy/access.ts';
import { approvalHash, type ApprovalRequest, ask } from '../policy/approvals.ts';
import { type Decision, isDenied, isGranted } from '../policy/decide.ts';
import { unusableArguments } from './arguments.ts';
import { bound, largestPart, type Truncation } from './bound.ts';
import { CallRecord } from './call-record.ts';
import { type Scope, scopeFiles, scopeForPreview } from './context.ts';
import { decode } from './decode.ts';
import { envelopeError, type ToolCallResult } from './envelope.ts';
import { judge } from './judge.ts';
import { ObservedFiles } from './observed-files.ts';
import type { OperationContext, Preview } from './operation.ts';
import { scopeSearch } from './scoped-search.ts';
import { isEnabled, type Session } from './session.ts';
import type { EndedCall, Tool } from './tool.ts';
import type { CallRequest, CallResponse, Rehearsal, Spine } from './spine.ts';
import { viewWorkspace, type WorkspaceView } from './workspace.ts';

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
    let input = call.decode(tool, request.args); // 4
    let accesses = await call.access(tool, input); // 5
    const decision = await call.decide(tool, input, accesses); // 6
    const edited = await call.approve(tool, input, accesses, decision); // 7
    if (edited !== undefined) {
      // Other arguments are another call: validated and decided anew.
      input = call.decode(tool, edited.args);
      accesses = await call.access(tool, input);
      await call.decide(tool, input, accesses);
    }
    const output = await call.run(tool, input); // 8
    ended = await call.render(tool, output); // 9
  } catch (thrown) {
    ended = call.fail(thrown);
  }
  return call.close(ended); // 10
}

/** What would be decided, asked and changed by a call, without asking or running it: steps 3 to 6, and the preview. */
export async function rehearseCall(request: CallRequest, session: Session, spine: Spine): Promise<Rehearsal> {
  const call = new Call(request, session, spine);
  const tool = call.resolve();
  const input = call.decode(tool, request.args);
  const accesses = await call.access(tool, input);
  const decision = await call.judge(tool, input, accesses);
  if (decision.action === 'deny') return { decision, accesses };
  const preview = await call.preview(tool, input);
  if (decision.action === 'allow') return { decision, accesses, preview };
  return { decision, accesses, preview, request: call.question(tool, input, accesses, decision, preview) };
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
  readonly #changes: ChangeRecorder;
  readonly #observed: ObservedFiles;
  /** Makes arguments of an older version of the tool today's. */
  #adapt: (args: unknown) => unknown = (args) => args;

  constructor(request: CallRequest, session: Session, spine: Spine) {
    this.#record = new CallRecord(request, session, spine);
    this.#request = request;
    this.#session = session;
    this.#spine = spine;
    this.#signal = request.signal ?? NEVER_ABORTED;
    this.#workspace = viewWorkspace(spine.workspace, session.dialect.paths);
    this.#observed = new ObservedFiles(spine.host.files, session.seen);
    const { call_id: callId, turn } = this.#record.head;
    this.#changes = spine.recordChanges({ callId, turn, session: session.id });
  }

  open(): void {
    this.#record.opened();
  }

  resolve(): Tool {
    const { dialect, agent } = this.#session;
    const { tool, adapt } = dialect.resolve(this.#request.tool, this.#request.version);
    this.#adapt = adapt;
    if (!isEnabled(agent, tool.name)) {
      throw new Failure('E_NO_TOOL', `The tool ${tool.name} is switched off for the agent ${agent.name}.`);
    }
    this.#record.tool = tool;
    return tool;
  }

  decode(tool: Tool, args: unknown): unknown {
    const unusable = unusableArguments(args);
    if (unusable !== undefined) throw unusable;
    return decode(tool, this.#adapt(args), this.#workspace);
  }

  async access(tool: Tool, input: unknown): Promise<readonly ResolvedAccess[]> {
    this.#signal.throwIfAborted();
    const accesses: ResolvedAccess[] = [];
    const resolve = this.#resolver();
    for (const { permission, resource } of tool.operation.access(input, this.#workspace)) {
      if (!tool.operation.permissions.includes(permission)) {
        throw new Error(`${tool.operation.name} needs ${permission}, which it does not list.`);
      }
      const resolved = isPathPermission(permission) ? await resolve(permission, resource) : resource;
      accesses.push({ permission, resource, resolved });
    }
    this.#record.accesses = accesses;
    return accesses;
  }

  async decide(tool: Tool, input: unknown, accesses: readonly ResolvedAccess[]): Promise<Decision> {
    const decision = await this.judge(tool, input, accesses);
    if (decision.action !== 'deny') return decision;
    throw new Failure('E_POLICY_DENIED', decision.reason, { details: { rule: decision.rule } });
  }

  /** Returns other arguments where the human changed them. */
  async approve(
    tool: Tool,
    input: unknown,
    accesses: readonly ResolvedAccess[],
    decision: Decision,
  ): Promise<{ readonly args: unknown } | undefined> {
    if (decision.action !== 'ask') return undefined;
    const preview = await this.preview(tool, input);
    const request = this.question(tool, input, accesses, decision, preview);
    // A copy: who answers must not change what is written.
    const rule = structuredClone(request.alwaysRule);
    this.#record.emit({ type: 'approval-requested', request });
    const yes = await ask(request, this.#spine.approver, this.#signal, this.#spine.approvalTimeoutMs);
    this.#record.approver = yes.by ?? 'callback';
    const notRemembered =
      yes.answer === 'always' && rule !== undefined ? this.#spine.remember(rule) : undefined;
    this.#record.emit({ type: 'approval-answered', approval: request.id, answer: yes.answer, notRemembered });
    if (yes.answer === 'edit') return { args: this.#record.edit(yes.args) };
    if (yes.answer !== 'once' && decision.scope !== 'single_action') this.#grant(tool, accesses);
    return undefined;
  }

  async run(tool: Tool, input: unknown): Promise<unknown> {
    this.#signal.throwIfAborted();
    if (tool.operation.effect !== 'read') this.#record.decided();
    await using _locks = await this.#hold();
    return await tool.operation.run(input, this.#context(scopeFiles(this.#scope())));
  }

  async render(tool: Tool, output: unknown): Promise<EndedCall> {
    const { dialect, id } = this.#session;
    const show = (data: unknown, truncation: Truncation | undefined): unknown =>
      tool.render === undefined ? data : tool.render(data, { workspace: this.#workspace, truncation });
    // What is kept is what would have been shown, so that pages look like the part that was.
    const keep = async (field: string): Promise<string | undefined> =>
      dialect.canPage
        ? this.#spine.outputs.keep(id, largestPart(show(output, undefined), output, field))
        : undefined;
    const { data, truncation } = await bound(output, tool.replyBytes ?? dialect.replyBytes, keep);
    return {
      result: this.#result({ ok: true, payload: data, error: null }),
      rendered: show(data, truncation),
    };
  }

  fail(thrown: unknown): EndedCall {
    const failure = toFailure(thrown, this.#signal);
    if (typeof failure.details?.['by'] === 'string') this.#record.approver = failure.details['by'];
    const result = this.#result({ ok: false, payload: null, error: envelopeError(failure) });
    return { result, failure, outcome: OUTCOMES[failure.code] ?? 'failed' };
  }

  close(ended: EndedCall): CallResponse {
    const outcome = 'failure' in ended ? ended.outcome : 'ok';
    this.#record.closed(ended.result, outcome, this.#changes.effects);
    const reply = this.#session.dialect.reply(ended);
    const { call_id: callId, turn } = this.#record.head;
    return { callId, turn, outcome, result: ended.result, reply, effects: this.#changes.effects };
  }

  /** The policy's word on the call, as data. */
  async judge(tool: Tool, input: unknown, accesses: readonly ResolvedAccess[]): Promise<Decision> {
    const { requestedPermissions, requiresApproval } = this.#request;
    const { effect } = tool.operation;
    const extent = tool.operation.extent?.(input);
    const policy = this.#spine.policyFor(this.#session);
    const { decision, call } = await judge(
      { tool: tool.name, effect, accesses, extent, requestedPermissions, requiresApproval },
      policy,
      (path) => this.#spine.canKeep(path),
    );
    this.#record.decision = decision;
    // Now, for an answer may add to what is granted.
    this.#record.granted = accesses.filter((access) => isGranted(access, call, policy));
    this.#record.judged = call;
    return decision;
  }

  /** The question a human would see: tokens in it are masked, the hash is over the real call. */
  question(
    tool: Tool,
    input: unknown,
    accesses: readonly ResolvedAccess[],
    { reason, rule, scope }: Extract<Decision, { action: 'ask' }>,
    preview: Preview | undefined,
  ): ApprovalRequest {
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
      // A copy: who answers must not change what runs.
      accesses: accesses.map((access) => ({ ...access })),
      reason,
      rule,
      scope,
      alwaysRule: this.#spine.alwaysRule(this.#record.judged!, this.#session),
      preview,
    };
  }

  /** What the call would change, for a human. */
  async preview(tool: Tool, input: unknown): Promise<Preview | undefined> {
    const preview = await tool.operation.preview?.(input, this.#context(scopeForPreview(this.#scope())));
    return preview && { kind: preview.kind, text: maskTokens(preview.text) };
  }

  /** Whoever changes files has them to itself from the first look to the last write. */
  async #hold(): Promise<AsyncDisposable | undefined> {
    const { effect, accesses } = this.#record.judged!;
    if (effect === 'read') return undefined;
    const changed = accesses.filter(({ permission }) => CHANGING.has(permission));
    const paths = changed.map(({ resolved }) => resolved);
    return this.#spine.locks.hold(this.#workspace.root, paths, this.#signal);
  }

  #grant(tool: Tool, accesses: readonly ResolvedAccess[]): void {
    for (const { permission, resolved } of accesses)
      this.#session.grants.push({ tool: tool.name, permission, resolved });
  }

  /** Follows the links of each path once, however many permissions it is needed for. */
  #resolver(): (permission: Permission, path: string) => Promise<string> {
    const known = new Map<string, string>();
    return async (permission, path) => {
      // Deleting a link deletes the link; everything else goes to where it leads.
      const followLast = permission !== 'fs.delete';
      const key = `${followLast} ${path}`;
      const resolved = known.get(key) ?? (await this.#spine.host.files.resolve(path, { followLast })).path;
      known.set(key, resolved);
      return resolved;
    };
  }

  #scope(): Scope {
    const call = this.#record.judged!;
    const policy = this.#spine.policyFor(this.#session);
    return {
      files: this.#spine.host.files,
      accesses: call.accesses,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      isDenied: (access) => isDenied(access, call, policy),
      changes: this.#changes,
      onChange: (path) => this.#changed.add(path),
      observed: this.#observed,
      isReading: call.effect === 'read',
    };
  }

  #context(files: OperationContext['files']): OperationContext {
    return {
      files,
      search: scopeSearch({
        search: this.#spine.host.search,
        call: this.#record.judged!,
        policy: this.#spine.policyFor(this.#session),
        signal: this.#signal,
      }),
      outputs: this.#spine.outputs.pagesOf(this.#session.id),
      workspace: this.#workspace,
      settings: this.#spine.edits,
      callId: this.#record.head.call_id,
      signal: this.#signal,
      addOutput: (text) => this.#record.emit({ type: 'output-added', text: redactText(text) }),
    };
  }

  #result(part: Pick<ToolCallResult, 'ok' | 'payload' | 'error'>): ToolCallResult {
    return {
      tool_call_id: this.#request.id ?? this.#record.head.call_id,
      ...part,
      ...(this.#changed.size === 0 ? {} : { artifacts: { files_changed: [...this.#changed] } }),
      duration_ms: this.#record.duration(),
    };
  }
}

const CHANGING: ReadonlySet<Permission> = new Set(['fs.write', 'fs.delete']);

const NEVER_ABORTED = new AbortController().signal;

/** Codes that are not plain failures. */
const OUTCOMES: Partial<Record<FailureCode, 'denied' | 'cancelled'>> = {
  E_POLICY_DENIED: 'denied',
  E_DENIED: 'denied',
  E_CANCELLED: 'cancelled',
};
