/**
 * The calls of a session's clients. So many run at once, here and in all; one that waits for a person makes room for
 * others. A call that was sent twice runs once, and is answered.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, Runtime } from '../../runtime-types.ts';
import type { RuntimeEvent } from '../../runtime/events.ts';
import type { Session } from '../../runtime/session.ts';
import type { Of } from './messages.ts';
import { Slots } from './slots.ts';
import { toToolResult } from './tool-result.ts';

export interface ToolCallParts {
  readonly runtime: Runtime;
  readonly session: Session;
  /** Of the whole server. */
  readonly slots: Slots;
  readonly limits: ToolCallLimits;
  readonly signal: AbortSignal;
  readonly send: (message: object) => void;
  /** Waits for who reads what is sent. */
  readonly room: () => Promise<void>;
}

export interface ToolCallLimits {
  /** How many calls of a session run at once. */
  readonly atOnce: number;
  /** How many are taken that did not end yet, and how large they may be together. */
  readonly calls: number;
  readonly callBytes: number;
}

type ToolCall = Of<'tool_call'>;

export class ToolCalls {
  readonly #parts: ToolCallParts;
  readonly #own: Slots;
  readonly #underWay = new Map<string, ToolCall>();
  readonly #ends = new Set<Promise<void>>();
  #bytes = 0;

  constructor(parts: ToolCallParts) {
    this.#parts = parts;
    this.#own = new Slots(parts.limits.atOnce);
  }

  get isBusy(): boolean {
    return this.#ends.size > 0;
  }

  /** Makes a call when its turn comes; its result is sent to the session. */
  make(message: ToolCall, bytes: number): void {
    const { call_id } = message;
    const known = this.#underWay.get(call_id);
    // Its result goes to every client of the session, this one too.
    if (known !== undefined && isSameCall(known, message)) return;
    const { limits, send } = this.#parts;
    if (this.#ends.size >= limits.calls || this.#bytes + bytes > limits.callBytes) return send(busy(call_id));
    if (known === undefined) this.#underWay.set(call_id, message);
    this.#bytes += bytes;
    const end = this.#run(message).finally(() => {
      this.#bytes -= bytes;
      this.#ends.delete(end);
      if (this.#underWay.get(call_id) === message) this.#underWay.delete(call_id);
    });
    this.#ends.add(end);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#ends);
  }

  async #run(message: ToolCall): Promise<void> {
    const { runtime, session, slots, signal, send, room } = this.#parts;
    const { call_id: id, tool_name, turn, requires_approval: requiresApproval } = message;
    const { traceparent, tracestate } = message;
    const trace = traceparent === undefined ? undefined : { traceparent, tracestate };
    const leaveOwn = await this.#own.take();
    // Who does not read gets no more of what it asked for.
    await room();
    const leaveAll = await slots.take();
    const leave = (): void => {
      leaveOwn();
      leaveAll();
    };
    const listener = (event: RuntimeEvent): void => {
      if (event.type === 'approval-requested' || event.type === 'question-asked') leave();
    };
    const words = { id, turn, trace, requiresApproval };
    const options: CallOptions = { ...words, session, resume: true, signal, listener };
    try {
      const { args = message.arguments ?? {} } = message;
      const response = await runtime.call(tool_name, args, options);
      // Who comes back sends it again, and is then answered.
      if (!signal.aborted) send(toToolResult(id, response));
    } catch {
      send({ type: 'tool_result', call_id: id, error: { code: 'INTERNAL_ERROR', message: 'It has a bug.' } });
    } finally {
      leave();
    }
  }
}

function busy(call_id: string): object {
  const message = 'Too many calls wait in this session. Send it again when some have ended.';
  return { type: 'tool_result', call_id, error: { code: 'BUSY', message } };
}

function isSameCall(one: ToolCall, other: ToolCall): boolean {
  const identity = ({ tool_name, args, arguments: same, requires_approval = false }: ToolCall): unknown[] => [
    tool_name,
    args ?? same,
    requires_approval,
  ];
  try {
    return isDeepStrictEqual(identity(one), identity(other));
  } catch {
    // Too deep to compare; the runtime says what is wrong with it.
    return false;
  }
}
