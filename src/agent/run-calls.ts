/** Calls of one answer: those that only look go side by side, the others one after another, as they were asked for. */
import type { Runtime } from '../runtime-types.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { CallResponse } from '../runtime/spine.ts';
import type { Session } from '../runtime/session.ts';
import type { Emit } from './conversation.ts';
import type { CallEnd } from './history.ts';
import { replyText } from './reply-text.ts';
import type { PlannedCall, ToolBox } from './tool-box.ts';

export interface EndedCall {
  readonly call: PlannedCall;
  /** What the model is told. */
  readonly text: string;
  readonly end: CallEnd;
  readonly effects: readonly ChangeEffect[];
  /** The same for a call that was made before and ended the same way. */
  readonly signature: string;
}

export interface CallScope {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly turn: string;
  readonly box: ToolBox;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** Makes them all; what was not begun when the turn was cancelled has a result that says so. */
export async function runCalls(calls: readonly PlannedCall[], scope: CallScope): Promise<EndedCall[]> {
  const ended: EndedCall[] = [];
  for (const group of grouped(calls, scope.box))
    ended.push(...(await Promise.all(group.map((call) => runOne(call, scope)))));
  return ended;
}

function grouped(calls: readonly PlannedCall[], box: ToolBox): PlannedCall[][] {
  const groups: PlannedCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const canJoin = goesBesideOthers(call, box);
    if (canJoin && isOpen) groups.at(-1)!.push(call);
    else groups.push([call]);
    isOpen = canJoin;
  }
  return groups;
}

function goesBesideOthers({ tool }: PlannedCall, box: ToolBox): boolean {
  const { effect, operation } = box.definition(tool) ?? {};
  return effect === 'read' || effect === 'network' || operation === 'task.run';
}

async function runOne(call: PlannedCall, scope: CallScope): Promise<EndedCall> {
  const { runtime, session, turn, emit, signal } = scope;
  if (signal.aborted)
    return { call, text: NOT_BEGUN, end: { outcome: 'cancelled' }, effects: [], signature: '' };
  const { tool, args } = call;
  const response = await runtime.call(tool, args, {
    session,
    turn,
    signal,
    listener(event) {
      if (event.type === 'call-started') emit({ type: 'tool-called', callId: event.callId, tool, args });
      if (event.type === 'output-added')
        emit({ type: 'tool-output', callId: event.callId, text: event.text });
    },
  });
  const { callId, outcome, effects, result } = response;
  const text =
    call.unreadable === undefined ? replyText(response, scope.box.definition(tool)) : unreadable(call);
  const reply = call.unreadable === undefined ? response.reply : text;
  emit({ type: 'tool-ended', callId, tool, outcome, reply, effects, durationMs: result.duration_ms });
  return { call, text, end: { callId, outcome }, effects, signature: signatureOf(call, response) };
}

const NOT_BEGUN = 'The user cancelled the turn before this call was begun.';

function unreadable({ told, unreadable }: PlannedCall): string {
  return `The arguments of ${told} are not JSON: ${unreadable}. Nothing was done. Make the call again with one JSON object as its arguments.`;
}

function signatureOf({ tool, args }: PlannedCall, { result }: CallResponse): string {
  const { payload, error } = result;
  // How long it took says nothing about whether it is the same.
  return JSON.stringify([tool, args, payload, error], (key, value: unknown) =>
    /duration/i.test(key) ? undefined : value,
  );
}
