/**
 * Where questions wait. A question is a row that any process can answer; the desk of the process that asked also
 * hands it to its own approver, and takes whichever answer comes first. A caller that can't wait for it leaves the
 * question to its next call that is the same; an answer that was given meanwhile is then taken at once.
 */
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../host/ports.ts';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  nobodyToAsk,
  notYetAnswered,
} from '../policy/approvals.ts';

export interface Desk {
  open(request: ApprovalRequest, workspace: string, expiresAt: number): Promise<string>;
  take(id: string): Promise<ApprovalAnswer | undefined>;
  /** The answer that the same call did not wait for. */
  takeLeft(request: ApprovalRequest, workspace: string): Promise<ApprovalAnswer | undefined>;
  answer(id: string, answer: ApprovalAnswer): Promise<boolean>;
  /** Leaves an open question to the next call that is the same; false where it is not open any more. */
  leave(id: string): Promise<boolean>;
  /** Closes a question that was not left. */
  expire(id: string): Promise<void>;
}

export interface DeskOptions {
  readonly desk: Desk;
  readonly workspace: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** How long the caller waits for somebody else to answer; undefined: as long as the question is open. */
  readonly patienceMs: number | undefined;
  /** Who is asked first: a callback, a terminal, the client of the call. */
  readonly own: Approver | undefined;
  /** Whether to wait for somebody even where nobody is known to be there. */
  readonly wait: boolean;
  readonly isAnyoneThere: () => Promise<boolean>;
}

const POLL_MS = 150;

/** An approver over the desk. */
export function deskApprover(options: DeskOptions): Approver {
  const { desk, workspace, clock, own, wait, isAnyoneThere } = options;
  return async (request, signal) => {
    const given = await desk.takeLeft(request, workspace);
    if (given !== undefined) return given;
    if (own === undefined && !wait && !(await isAnyoneThere())) throw nobodyToAsk(request);
    const id = await desk.open(request, workspace, clock.now() + options.timeoutMs);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const patience = own === undefined ? options.patienceMs : undefined;
    const leaveAt = patience === undefined ? Infinity : clock.monotonic() + patience;
    try {
      return await Promise.race([
        pollAnswer(options, { ...request, id }, leaveAt, ended),
        ...(own === undefined ? [] : [ownAnswer(desk, own, { ...request, id }, ended)]),
      ]);
    } catch (error) {
      // Nobody waits for this answer any more: it must not be given later, unless the question was left for that.
      await desk.expire(id);
      throw error;
    } finally {
      stop.abort();
    }
  };
}

/** The own approver's answer goes through the desk too: the first answer wins, whoever gave it. */
async function ownAnswer(
  desk: Desk,
  own: Approver,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const answer: ApprovalAnswer = (await own(request, signal)) ?? {
    answer: 'deny',
    reason: 'The approver gave no answer.',
  };
  await desk.answer(request.id, answer);
  return (await desk.take(request.id)) ?? waitForEver();
}

async function pollAnswer(
  { desk, clock }: DeskOptions,
  request: ApprovalRequest,
  leaveAt: number,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  for (;;) {
    await setTimeout(POLL_MS, undefined, { signal });
    const answer = await desk.take(request.id);
    if (answer !== undefined) return answer;
    if (clock.monotonic() >= leaveAt && (await desk.leave(request.id))) throw notYetAnswered(request);
  }
}

/** The other side of the race has the answer, or the caller has given up. */
function waitForEver(): Promise<never> {
  return new Promise(() => undefined);
}
