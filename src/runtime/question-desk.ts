/**
 * Where questions wait. A question is a row that any process can answer; the desk of the process that asked also
 * hands it to who answers there, and takes whichever answer comes first. A caller that can't wait for it leaves the
 * question to its next call that is the same; an answer that was given meanwhile is then taken at once.
 */
import { setTimeout } from 'node:timers/promises';
import type { Failure } from '../failure.ts';
import type { Clock } from '../host/ports.ts';

/** Why a call ends whose caller will come back for it, and for the answer. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';
}

/** What the desk knows of a question, be it about permission or anything else. */
export interface DeskQuestion {
  readonly id: string;
  /** Of what is asked. */
  readonly hash: string;
  readonly session: string;
}

/** Answers questions; the signal fires when the answer is no longer wanted. */
export type Answerer<Question, Answer> = (question: Question, signal: AbortSignal) => Promise<Answer>;

export interface Desk<Question extends DeskQuestion, Answer> {
  open(question: Question, workspace: string, expiresAt: number): Promise<string>;
  take(id: string): Promise<Answer | undefined>;
  /** The answer that the same call did not wait for. */
  takeLeft(question: Question, workspace: string): Promise<Answer | undefined>;
  answer(id: string, answer: Answer): Promise<boolean>;
  /** Leaves an open question to the next call that is the same; false where it is not open any more. */
  leave(id: string): Promise<boolean>;
  /** Closes a question that was not left. */
  expire(id: string): Promise<void>;
}

/** Around the desk, the same for every question. */
export interface DeskSurroundings {
  readonly workspace: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** How long the caller waits for somebody else to answer; undefined: as long as the question is open. */
  readonly patienceMs: number | undefined;
  /** Whether to wait for somebody even where nobody is known to be there. */
  readonly wait: boolean;
  readonly isAnyoneThere: () => Promise<boolean>;
}

export interface DeskOptions<Question extends DeskQuestion, Answer> extends DeskSurroundings {
  readonly desk: Desk<Question, Answer>;
  /** Who is asked first: a callback, a terminal, the client of the call. */
  readonly own: Answerer<Question, Answer> | undefined;
  /** What it means when the own answerer gives nothing. */
  readonly silence: Answer;
  readonly nobodyThere: (question: Question) => Failure;
  readonly notYetAnswered: (question: Question) => Failure;
}

const POLL_MS = 150;

/** Answers by way of the desk. */
export function deskAnswerer<Question extends DeskQuestion, Answer>(
  options: DeskOptions<Question, Answer>,
): Answerer<Question, Answer> {
  const { desk, workspace, clock, own, wait, isAnyoneThere } = options;
  return async (question, signal) => {
    const given = await desk.takeLeft(question, workspace);
    if (given !== undefined) return given;
    if (own === undefined && !wait && !(await isAnyoneThere())) throw options.nobodyThere(question);
    const id = await desk.open(question, workspace, clock.now() + options.timeoutMs);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const patience = own === undefined ? options.patienceMs : undefined;
    const leaveAt = patience === undefined ? Infinity : clock.monotonic() + patience;
    try {
      return await Promise.race([
        pollAnswer(options, { ...question, id }, leaveAt, ended),
        ...(own === undefined ? [] : [ownAnswer(options, own, { ...question, id }, ended)]),
      ]);
    } catch (error) {
      // Nobody waits for this answer any more: it must not be given later, unless the question was left for that.
      await (signal.reason instanceof CallerLeft ? desk.leave(id) : desk.expire(id));
      throw error;
    } finally {
      stop.abort();
    }
  };
}

/** The own answer goes through the desk too: the first answer wins, whoever gave it. */
async function ownAnswer<Question extends DeskQuestion, Answer>(
  { desk, silence }: DeskOptions<Question, Answer>,
  own: Answerer<Question, Answer | undefined>,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  await desk.answer(question.id, (await own(question, signal)) ?? silence);
  return (await desk.take(question.id)) ?? waitForEver();
}

async function pollAnswer<Question extends DeskQuestion, Answer>(
  { desk, clock, notYetAnswered }: DeskOptions<Question, Answer>,
  question: Question,
  leaveAt: number,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    await setTimeout(POLL_MS, undefined, { signal });
    const answer = await desk.take(question.id);
    if (answer !== undefined) return answer;
    if (clock.monotonic() >= leaveAt && (await desk.leave(question.id))) throw notYetAnswered(question);
  }
}

/** The other side of the race has the answer, or the caller has given up. */
function waitForEver(): Promise<never> {
  return new Promise(() => undefined);
}
