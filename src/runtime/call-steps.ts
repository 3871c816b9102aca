/** A call under way, with a method a step; in which order is for `call.ts` to say. */
import { Failure, type FailureCode, toFailure } from '../failure.ts';
import type { CallHead } from '../journal/audit-record.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { decide, type Decision, isGranted, type PolicyCall, stricter } from '../policy/decide.ts';
import { unusableArguments } from './arguments.ts';
import { bound, largestPart, type Truncation } from './bound.ts';
import { CallPorts } from './call-ports.ts';
import { CallRecord } from './call-record.ts';
import type { CallSpan } from './call-span.ts';
import { decode } from './decode.ts';
import { envelopeError, type ToolCallResult } from './envelope.ts';
import { judge } from './judge.ts';
import type { Place } from './place-call.ts';
import { Questions } from './questions.ts';
import { resolveAccesses } from './resolve-accesses.ts';
import { checkedResult, effectsElsewhere } from './run-elsewhere.ts';
import { scopePeople } from './scoped-people.ts';
import { isEnabled, type Session } from './session.ts';
import type { EndedCall, Tool } from './tool.ts';
import type { Trial } from './trial.ts';
import type { CallRequest, CallResponse, Spine } from './spine.ts';
import { viewWorkspace, type WorkspaceView } from './workspace.ts';

export class Call {
  readonly #record: CallRecord;
  readonly #request: CallRequest;
  readonly #session: Session;
  readonly #spine: Spine;
  readonly #signal: AbortSignal;
  readonly #workspace: WorkspaceView;
  readonly #ports: CallPorts;
  readonly #questions: Questions;
  /** What runs. */
  #input: unknown;
  /** What may have been changed by who ran it elsewhere. */
  #elsewhere: readonly ChangeEffect[] = [];
  /** What was done in a view, and a human said yes to. */
  #trial: Trial | undefined;
  /** Makes arguments of an older version of the tool today's. */
  #adapt: (args: unknown) => unknown = (args) => args;

  constructor(request: CallRequest, { session, spine, named }: Place, span: CallSpan) {
    this.#record = new CallRecord(request, session, spine, span);
    this.#request = request;
    this.#session = session;
    this.#spine = spine;
    this.#signal = request.signal ?? NEVER_ABORTED;
    this.#workspace = viewWorkspace(spine.workspace, session.dialect.paths, named);
    const [record, signal] = [this.#record, this.#signal];
    this.#questions = new Questions({ request, record, session, spine, signal, ports: () => this.#ports });
    this.#ports = new CallPorts(
      record,
      session,
      spine,
      this.#workspace,
      signal,
      (reason, changes) =>
        this.#questions.askAbout({ tool: record.tool!, input: this.#input }, reason, changes),
      scopePeople({ request, record, session, spine, signal }),
    );
  }

  get head(): CallHead {
    return this.#record.head;
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
    const accesses = await resolveAccesses(tool.operation, input, this.#workspace, this.#spine.host);
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
    const { yes, trial } = await this.#questions.ask({ tool, input, decision });
    if (yes.answer === 'edit') return { args: this.#record.edit(yes.args) };
    this.#trial = trial;
    if (yes.answer !== 'once' && decision.scope !== 'single_action') this.#grant(tool, accesses);
    return undefined;
  }

  get isRunElsewhere(): boolean {
    return this.#session.runElsewhere !== undefined;
  }

  /** With arguments that are handed on, it is somebody else who runs it. */
  async run(tool: Tool, input: unknown, handed?: { readonly args: unknown }): Promise<unknown> {
    this.#signal.throwIfAborted();
    const { effect } = tool.operation;
    // What only looks or asks may be done again.
    if (effect !== 'read' && effect !== 'ask') await this.#request.begin?.();
    if (effect !== 'read') this.#record.decided();
    this.#input = input;
    await using _locks = await this.#ports.hold();
    if (this.#trial !== undefined) return await this.#trial.takeOver();
    await this.#questions.refuseOtherThanShown(tool, input);
    if (handed !== undefined) return await this.#hand(tool, handed.args);
    return await tool.operation.run(input, this.#ports.toRun());
  }

  /** What was run elsewhere comes as it is shown. */
  async render(tool: Tool, output: unknown, isShown: boolean): Promise<EndedCall> {
    const { dialect, id } = this.#session;
    const show = (data: unknown, truncation: Truncation | undefined): unknown =>
      isShown || tool.render === undefined
        ? data
        : tool.render(data, { workspace: this.#workspace, truncation });
    // What is kept is what would have been shown, so that pages look like the part that was.
    const keep = async (field: string): Promise<string | undefined> =>
      dialect.canPage
        ? this.#spine.outputs.keep(id, largestPart(show(output, undefined), output, field))
        : undefined;
    const { data, truncation } = await bound(output, tool.replyBytes ?? dialect.replyBytes, keep);
    const trouble = isShown ? undefined : tool.operation.troubleOf?.(output);
    const error = trouble === undefined ? null : envelopeError(trouble);
    return {
      result: this.#result({ ok: trouble === undefined, payload: data, error }),
      rendered: show(data, truncation),
      trouble,
    };
  }

  fail(thrown: unknown): EndedCall {
    const failure = toFailure(thrown, this.#signal);
    if (typeof failure.details?.['by'] === 'string') this.#record.approver = failure.details['by'];
    const result = this.#result({ ok: false, payload: null, error: envelopeError(failure) });
    return { result, failure, outcome: OUTCOMES[failure.code] ?? 'failed' };
  }

  close(ended: EndedCall): CallResponse {
    const outcome = 'failure' in ended ? ended.outcome : ended.trouble === undefined ? 'ok' : 'failed';
    const effects = [...this.#ports.effects, ...this.#elsewhere];
    this.#record.closed(ended.result, outcome, effects);
    this.#spine.noticed(effects);
    const reply = this.#session.dialect.reply(ended);
    const { call_id: callId, turn } = this.#record.head;
    const rendered = 'rendered' in ended ? { rendered: ended.rendered } : {};
    const { traceparent } = this.#record.span;
    return {
      callId,
      turn,
      outcome,
      result: ended.result,
      ...rendered,
      reply,
      effects,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
  }

  /** The policy's word on the call, as data. */
  async judge(tool: Tool, input: unknown, accesses: readonly ResolvedAccess[]): Promise<Decision> {
    const { requestedPermissions, requiresApproval } = this.#request;
    const { effect } = tool.operation;
    const extent = tool.operation.extent?.(input);
    const policy = this.#spine.policyFor(this.#session);
    const confined = effect === 'exec' ? await this.#confinedBy(tool, input) : {};
    const canKeep = async (path: string): Promise<boolean> =>
      !this.isRunElsewhere && this.#spine.canKeep(path);
    const { decision: here, call } = await judge(
      { tool: tool.name, effect, accesses, extent, ...confined, requestedPermissions, requiresApproval },
      policy,
      canKeep,
    );
    const { visit } = this.#session;
    const decision = visit === undefined ? here : stricter(here, decide(call, visit.policy));
    this.#record.decision = decision;
    // Now, for an answer may add to what is granted.
    this.#record.granted = accesses.filter((access) => isGranted(access, call, policy));
    this.#record.judged = call;
    return decision;
  }

  /** What a human would see, and be asked. */
  get questions(): Questions {
    return this.#questions;
  }

  async #confinedBy({ operation }: Tool, input: unknown): Promise<Pick<PolicyCall, 'isSandboxed' | 'undo'>> {
    if (this.isRunElsewhere) return { isSandboxed: false, undo: 'none' };
    const { tier, undo } = await this.#spine.host.commands.sandbox();
    const isCaptured = operation.isCaptured?.(input) === true;
    this.#record.sandbox = tier;
    this.#record.hasView = isCaptured && undo === 'exact';
    // What every command may reach, this one may: what leaves the machine is not taken back.
    const most = this.#record.hasView && this.#spine.commands.hosts.length > 0 ? 'part' : undo;
    return { isSandboxed: tier !== 'C', undo: isCaptured ? most : 'none' };
  }

  async #hand(tool: Tool, args: unknown): Promise<unknown> {
    const id = this.#request.id ?? this.#record.head.call_id;
    this.#elsewhere = effectsElsewhere(this.#record.accesses!);
    const given = await this.#session.runElsewhere!({ id, tool: tool.name, args, signal: this.#signal });
    return checkedResult(tool, given);
  }

  #grant(tool: Tool, accesses: readonly ResolvedAccess[]): void {
    for (const { permission, resolved } of accesses)
      this.#session.grants.push({ tool: tool.name, permission, resolved });
  }

  #result(part: Pick<ToolCallResult, 'ok' | 'payload' | 'error'>): ToolCallResult {
    return {
      tool_call_id: this.#request.id ?? this.#record.head.call_id,
      ...part,
      ...this.#ports.artifacts(),
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
