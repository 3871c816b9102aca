/** The calls of one tool set: what would be asked about each, and how each is made. */
import { Failure } from '../../failure.ts';
import type { ApprovalRequest, Approver } from '../../policy/approvals.ts';
import { describeRequest } from '../../policy/describe-request.ts';
import type { Definition } from '../../runtime/catalogue.ts';
import type { EventListener } from '../../runtime/events.ts';
import type { Session } from '../../runtime/session.ts';
import type { Runtime, SessionOptions } from '../../runtime-types.ts';
import { listedName } from '../../listed-tool.ts';
import { type Place, ShownQuestions } from './shown-questions.ts';
import { type AskedCall, isAnswered } from './tool-approval.ts';
import { ToolFailure } from './tool-failure.ts';

/** Whose calls they are, and who is told and asked about them. */
export type ToolsOptions = {
  /** Only these tools; a name that is not there counts for nothing. */
  readonly only?: readonly string[] | undefined;
  /** The turn that the calls belong to. */
  readonly turn?: string | undefined;
  /** Answers questions while their calls wait; without it they go through the SDK's approval flow. */
  readonly approve?: Approver | undefined;
  /** Hears what happens in the calls. */
  readonly listener?: EventListener | undefined;
} & ({ readonly session: Session } | ({ readonly session?: undefined } & Omit<SessionOptions, 'id'>));

/** What the SDK tells about a call that runs, and who else hears about it. */
export interface RunningCall {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
  readonly listener?: EventListener | undefined;
}

/** Of the process: a user answers in a later request, for which the set is made anew, and maybe the runtime. */
const SHOWN = new ShownQuestions();

export class Calls {
  readonly #runtime: Runtime;
  readonly #options: ToolsOptions;
  #opened: Promise<Session> | undefined;

  constructor(runtime: Runtime, options: ToolsOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  definitions(): Definition[] {
    const { only, session } = this.#options;
    const { agent, dialect } = session ?? this.#options;
    const all = this.#runtime.definitions(agent, typeof dialect === 'object' ? dialect.name : dialect);
    return only === undefined
      ? all
      : all.filter(({ name }) => only.includes(name) || only.includes(listedName(name)));
  }

  /** What the user would have to be asked about a call, as text, noted as shown. */
  async question(tool: string, args: unknown, call: AskedCall): Promise<string | undefined> {
    if (this.#options.approve !== undefined) return undefined;
    const session = await this.#session();
    const request = await this.#rehearsed(tool, args, session);
    if (request === undefined) return undefined;
    // What an answer is about was shown before; to look again now would approve what nobody saw.
    const shown = isAnswered(call) ? request : SHOWN.show(this.#placeOf(session), call.toolCallId, request);
    return describeRequest({ ...shown, alwaysRule: undefined });
  }

  /** The dialect's reply; a failure is thrown where the dialect wants that. */
  async run(tool: string, args: unknown, call: RunningCall): Promise<unknown> {
    const session = await this.#session();
    const { toolCallId, abortSignal } = call;
    const { turn, listener, approve = SHOWN.approverOf(this.#placeOf(session), toolCallId) } = this.#options;
    const response = await this.#runtime.call(tool, args, {
      session,
      id: toolCallId,
      signal: abortSignal,
      turn,
      approve,
      listener(event) {
        listener?.(event);
        call.listener?.(event);
      },
    });
    if (session.dialect.throwsFailures && response.outcome !== 'ok') throw new ToolFailure(response);
    return response.reply;
  }

  /** A call that can't run is not asked about: running it says why. */
  async #rehearsed(tool: string, args: unknown, session: Session): Promise<ApprovalRequest | undefined> {
    try {
      return (await this.#runtime.approvalRequest(tool, args, { session })).request;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  }

  #placeOf({ id }: Session): Place {
    return { workspace: this.#runtime.workspace.root, session: id };
  }

  #session(): Promise<Session> {
    const { session } = this.#options;
    this.#opened ??=
      session === undefined ? this.#runtime.openSession(this.#options) : Promise.resolve(session);
    return this.#opened;
  }
}
