/**
 * One call from start to end. The steps, in order: receive, open, resolve, decode, access, decide, approve, run,
 * render, close. One try/catch: whatever goes wrong between open and close becomes an outcome, and is audited.
 */
import type { Failure } from '../failure.ts';
import { toolName } from './call-record.ts';
import { isTraced, startSpan, unrecordedSpan } from './call-span.ts';
import { Call } from './call-steps.ts';
import { atItsPlace, type Place } from './place-call.ts';
import type { Session } from './session.ts';
import type { CallRequest, CallResponse, Rehearsal, Spine } from './spine.ts';
import type { EndedCall } from './tool.ts';

/** Runs a call. Never throws: what goes wrong is in the response. `refusal` is what the caller knows to be wrong already. */
export async function runCall(
  request: CallRequest,
  session: Session,
  spine: Spine,
  refusal?: Failure,
): Promise<CallResponse> {
  if (refusal !== undefined) return runAt({ session, spine, refusal }, request);
  return atItsPlace(request, session, spine, (place) => runAt(place, request));
}

async function runAt(place: Place, request: CallRequest): Promise<CallResponse> {
  const span = isTraced() ? await startSpan(toolName(request), request.trace) : unrecordedSpan(request.trace);
  const controller = new AbortController();
  const { signal: callers } = request;
  const signal = callers === undefined ? controller.signal : AbortSignal.any([callers, controller.signal]);
  const call = new Call({ ...request, signal }, place, span); // 1 receive
  using _running = place.spine.running.add(call.head, controller);
  return await span.within(() => runSteps(call, request, place.refusal));
}

async function runSteps(
  call: Call,
  request: CallRequest,
  refusal: Failure | undefined,
): Promise<CallResponse> {
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
    const handed = call.isRunElsewhere
      ? { args: edited === undefined ? request.args : edited.args }
      : undefined;
    const output = await call.run(tool, input, handed); // 8
    ended = await call.render(tool, output, handed !== undefined); // 9
  } catch (thrown) {
    ended = call.fail(thrown);
  }
  return call.close(ended); // 10
}

/** What would be decided, asked and changed by a call, without asking or running it: steps 3 to 6, and the preview. */
export async function rehearseCall(request: CallRequest, session: Session, spine: Spine): Promise<Rehearsal> {
  return atItsPlace(request, session, spine, (place) => rehearseAt(place, request));
}

async function rehearseAt(place: Place, request: CallRequest): Promise<Rehearsal> {
  if (place.refusal !== undefined) throw place.refusal;
  const call = new Call(request, place, unrecordedSpan(undefined));
  const tool = call.resolve();
  const input = call.decode(tool, request.args);
  const accesses = await call.access(tool, input);
  const decision = await call.judge(tool, input, accesses);
  if (decision.action === 'deny') return { decision, accesses };
  const preview = await call.questions.preview(tool, input);
  if (decision.action === 'allow') return { decision, accesses, preview };
  return { decision, accesses, preview, request: call.questions.of({ tool, input, decision }, preview) };
}
