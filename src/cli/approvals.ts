/** `handrail approvals`: questions of every process on this machine, and their answers. */
import { setTimeout } from 'node:timers/promises';
import { openState, type State } from '../open-state.ts';
import { localClock } from '../host/local/clock.ts';
import type { ApprovalAnswer } from '../policy/approvals.ts';
import {
  type AnyAnswer,
  type AnyQuestion,
  describeQuestion,
  howToAnswer,
  isApproval,
} from '../runtime/any-question.ts';
import { type ApprovalRows, approvalRows } from '../store/approvals.ts';
import { beApprover } from '../store/approvers.ts';
import type { Approvals } from '../store/tables.ts';
import { FAILED, FINE, UsageError } from './exit-code.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';
import { askInTerminal } from './terminal-approver.ts';
import { promptInTerminal } from './terminal-prompter.ts';
import { toUserAnswer, type WrittenAnswer } from './written-answer.ts';

/** The open questions. */
export async function approvalsList(
  { json }: { readonly json?: boolean },
  { locations, isTerminal }: Surroundings,
): Promise<void> {
  await using state = openState(locations);
  const pending = await rowsOf(state).pending();
  if (json === true) printJson(pending.map(withRequest), isTerminal);
  else if (pending.length === 0) note('No question is open.');
  else print(table(['APPROVAL', 'TOOL', 'WORKSPACE', 'EXPIRES', 'WHY'], pending.map(row)));
}

function row(approval: Approvals): string[] {
  const question = questionOf(approval);
  const seconds = Math.max(0, Math.round((approval.expires_at - Date.now()) / 1_000));
  const why = isApproval(question) ? question.reason : `The agent asks: ${firstLine(question.message)}`;
  return [approval.id, `${question.dialect}:${question.tool}`, approval.workspace, `${seconds} s`, why];
}

const MAX_LINE = 100;

function firstLine(message: string): string {
  const line = message.trim().split('\n', 1)[0]!;
  return line === message.trim() && line.length <= MAX_LINE
    ? line
    : `${line.slice(0, MAX_LINE).toWellFormed()}…`;
}

/** One open question, whole. */
export async function approvalsShow(id: string, { locations }: Surroundings): Promise<number> {
  await using state = openState(locations);
  const found = await rowsOf(state).find(id);
  if (found?.state !== 'pending') return notOpen(id, found);
  print(`\n${describeQuestion(questionOf(found))}`);
  print(howToAnswer(questionOf(found)));
  return FINE;
}

export interface AnswerArguments extends WrittenAnswer {
  readonly id: string;
  readonly args?: string;
}

/** Answers one; the exit code says whether it was still open. */
export async function approvalsAnswer(
  options: AnswerArguments,
  { locations }: Surroundings,
): Promise<number> {
  const { id } = options;
  await using state = openState(locations);
  const rows = rowsOf(state);
  const found = await rows.find(id);
  if (found?.state !== 'pending') return notOpen(id, found);
  const answer = answerTo(questionOf(found), options);
  if (!(await rows.answer(id, answer))) return notOpen(id, await rows.find(id));
  note(`Answered ${id}${'answer' in answer ? ` with ${answer.answer}` : ''}.`);
  return FINE;
}

function answerTo(question: AnyQuestion, options: AnswerArguments): AnyAnswer {
  if (!isApproval(question)) {
    if (options.args !== undefined) throw new UsageError('--args goes with the answer edit.');
    return toUserAnswer(question, options, BY);
  }
  const answer = toAnswer(options);
  if (answer.answer === 'always' && question.alwaysRule === undefined)
    throw new UsageError('"always" is not offered for this question; answer once or session.');
  return answer;
}

const BY = 'command line';

function notOpen(id: string, found: Approvals | undefined): number {
  note(
    found === undefined
      ? `handrail: there is no question ${JSON.stringify(id)}. \`handrail approvals list\` shows the open ones.`
      : `handrail: ${id} is not open any more (${found.state}).`,
  );
  return FAILED;
}

function toAnswer({ answer, reason, args, decline, comment = [] }: AnswerArguments): ApprovalAnswer {
  const by = BY;
  if (decline === true || comment.length > 0)
    throw new UsageError('--decline and --comment are for questions of the agent, not for approvals.');
  if (args !== undefined && answer !== 'edit') throw new UsageError('--args goes with the answer edit.');
  switch (answer) {
    case 'once':
    case 'session':
    case 'always':
      return { answer, by };
    case 'deny':
      return { answer, by, ...(reason === undefined ? {} : { reason }) };
    case 'edit':
      return { answer, by, args: parseArguments(args) };
    default:
      throw new UsageError(
        `the answer is once, session, always, deny or edit, not ${JSON.stringify(answer ?? '')}.`,
      );
  }
}

function parseArguments(args: string | undefined): unknown {
  if (args === undefined)
    throw new UsageError('the answer edit needs --args with the changed arguments as JSON.');
  try {
    return JSON.parse(args) as unknown;
  } catch {
    throw new UsageError('--args is not JSON.');
  }
}

const POLL_MS = 200;

/** Answers questions as they come, until Ctrl-C; while it runs, callers know that somebody is there. */
export async function approvalsWatch({ locations, isTerminal }: Surroundings): Promise<void> {
  await using state = openState(locations);
  await using _presence = await beApprover(state.store.database, localClock, state.processes, 'terminal');
  const rows = rowsOf(state);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  note('Waiting for questions; Ctrl-C ends it.');
  const isPerson = isTerminal && process.stdin.isTTY;
  const seen = new Set<string>();
  while (!stop.signal.aborted) {
    for (const approval of await rows.pending()) {
      if (stop.signal.aborted || seen.has(approval.id)) continue;
      seen.add(approval.id);
      const question = questionOf(approval);
      if (!isPerson) print(`\n${describeQuestion(question)}\n${howToAnswer(question)}`);
      else if (!(await answerInTerminal(rows, approval, stop.signal))) stop.abort();
    }
    await pause(stop.signal);
  }
}

/** Asks in the terminal until somebody answers, here or elsewhere; false where the person left it to others. */
async function answerInTerminal(
  rows: ApprovalRows,
  approval: Approvals,
  stop: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const signal = AbortSignal.any([stop, over.signal]);
  const [answer, isClosed] = await Promise.all([
    inTerminal(questionOf(approval), signal).finally(end),
    untilClosed(rows, approval.id, signal).finally(end),
  ]);
  if (answer === undefined && !isClosed) return false;
  if (answer === undefined || !(await rows.answer(approval.id, answer)))
    note(`\n${approval.id} was answered elsewhere, or is not asked any more.`);
  return true;
}

function inTerminal(question: AnyQuestion, signal: AbortSignal): Promise<AnyAnswer | undefined> {
  return isApproval(question)
    ? askInTerminal(question, signal, 'terminal')
    : promptInTerminal(question, signal, 'terminal');
}

/** Whether the question was closed by somebody else before the signal came. */
async function untilClosed(rows: ApprovalRows, id: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if ((await rows.find(id))?.state !== 'pending') return true;
    await pause(signal);
  }
  return false;
}

async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(POLL_MS, undefined, { signal }).catch(() => undefined);
}

function rowsOf(state: State): ApprovalRows {
  return approvalRows(state.store.database, localClock, state.processes);
}

function questionOf({ request }: Approvals): AnyQuestion {
  return JSON.parse(request) as AnyQuestion;
}

function withRequest(approval: Approvals): object {
  return { ...approval, request: questionOf(approval) };
}
