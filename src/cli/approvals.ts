/** `handrail approvals`: questions of every process on this machine, and their answers. */
import { openState, type State } from '../open-state.ts';
import { localClock } from '../host/local/clock.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../policy/approvals.ts';
import { type ApprovalRows, approvalRows } from '../store/approvals.ts';
import { beApprover } from '../store/approvers.ts';
import type { Approvals } from '../store/tables.ts';
import { FAILED, FINE, UsageError } from './exit-code.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';
import { describeRequest, terminalApprover } from './terminal-approver.ts';

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
  const { dialect, tool, reason } = requestOf(approval);
  const seconds = Math.max(0, Math.round((approval.expires_at - Date.now()) / 1_000));
  return [approval.id, `${dialect}:${tool}`, approval.workspace, `${seconds} s`, reason];
}

export interface AnswerArguments {
  readonly id: string;
  readonly answer: string;
  readonly reason?: string;
  readonly args?: string;
}

/** Answers one; the exit code says whether it was still open. */
export async function approvalsAnswer(
  options: AnswerArguments,
  { locations }: Surroundings,
): Promise<number> {
  const answer = toAnswer(options);
  await using state = openState(locations);
  const rows = rowsOf(state);
  const found = await rows.find(options.id);
  if (found === undefined) {
    note(
      `handrail: there is no question ${JSON.stringify(options.id)}. \`handrail approvals list\` shows the open ones.`,
    );
    return FAILED;
  }
  if (answer.answer === 'always' && requestOf(found).alwaysRule === undefined) {
    throw new UsageError('"always" is not offered for this question; answer once or session.');
  }
  if (await rows.answer(options.id, answer)) {
    note(`Answered ${options.id} with ${answer.answer}.`);
    return FINE;
  }
  note(`handrail: ${options.id} is not open any more (${found.state}).`);
  return FAILED;
}

function toAnswer({ answer, reason, args }: AnswerArguments): ApprovalAnswer {
  const by = 'command line';
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
        `the answer is once, session, always, deny or edit, not ${JSON.stringify(answer)}.`,
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
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  note('Waiting for questions; Ctrl-C ends it.');
  const approve = isTerminal && process.stdin.isTTY ? terminalApprover('terminal') : undefined;
  const seen = new Set<string>();
  while (!stop.signal.aborted) {
    for (const approval of await rowsOf(state).pending()) {
      if (stop.signal.aborted || seen.has(approval.id)) continue;
      seen.add(approval.id);
      if (approve === undefined) print(describeRequest(requestOf(approval)));
      else await answerInTerminal(rowsOf(state), approval, approve, stop.signal);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function answerInTerminal(
  rows: ApprovalRows,
  approval: Approvals,
  approve: ReturnType<typeof terminalApprover>,
  stop: AbortSignal,
): Promise<void> {
  const untilExpiry = AbortSignal.timeout(Math.max(1, approval.expires_at - Date.now()));
  const answer = await approve(requestOf(approval), AbortSignal.any([stop, untilExpiry]));
  if (!(await rows.answer(approval.id, answer))) note('Too late: it was answered elsewhere, or expired.');
}

function rowsOf(state: State): ApprovalRows {
  return approvalRows(state.store.database, localClock, state.processes);
}

function requestOf({ request }: Approvals): ApprovalRequest {
  return JSON.parse(request) as ApprovalRequest;
}

function withRequest(approval: Approvals): object {
  return { ...approval, request: requestOf(approval) };
}
