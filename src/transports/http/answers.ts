/** A person's answer to a question. */
import * as z from 'zod';
import { Failure } from '../../failure.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import { type AnyAnswer, type AnyQuestion, isApproval } from '../../runtime/any-question.ts';
import { fittingAnswer } from '../../runtime/fitting-answer.ts';
import type { UserQuestion } from '../../runtime/people.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { ApprovalRows } from '../../store/approvals.ts';
import { findOpen, isEditable, notOpen } from './questions.ts';
import { openableRoots, openWorkspace } from './workspaces.ts';

const approvalAnswer = z
  .discriminatedUnion('answer', [
    z.strictObject({ answer: z.enum(['once', 'session', 'always']) }),
    z.strictObject({
      answer: z.literal('deny'),
      reason: z.string().trim().max(2_000).optional().describe('For the agent to read'),
    }),
    z.strictObject({ answer: z.literal('edit'), args: z.unknown().describe('In place of those it has') }),
  ])
  .meta({ id: 'ApprovalAnswer' });

const userAnswer = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('choice'), choice: z.string() }),
    z.strictObject({ kind: z.literal('text'), text: z.string() }),
    z.strictObject({
      kind: z.literal('review'),
      action: z.enum(['apply', 'cancel']),
      taken: z.array(z.int()).describe('The numbers of the chunks that are taken'),
      comments: z.array(z.strictObject({ chunk: z.int().optional(), text: z.string() })).optional(),
    }),
    z.strictObject({ kind: z.literal('declined'), reason: z.string().optional() }),
  ])
  .meta({ id: 'UserAnswer' });

/** What a person can answer: to a question about permission, or to one of an agent. */
export const givenAnswer = z.union([approvalAnswer, userAnswer]);
export type GivenAnswer = z.output<typeof givenAnswer>;

export interface AnswerParts {
  readonly own: Runtime;
  readonly approvals: ApprovalRows;
  /** Where the answer comes from, for the audit. */
  readonly by: string;
}

/** Answers one question; a failure where it is not open any more, or where that answer is not offered. */
export async function answerQuestion(
  parts: AnswerParts,
  id: string,
  given: GivenAnswer | undefined,
): Promise<{ readonly answered: string }> {
  const { approvals } = parts;
  const { request, workspace } = await findOpen(approvals, id);
  const question = JSON.parse(request) as AnyQuestion;
  const answer = isApproval(question)
    ? await readApproval(parts, given, question, workspace)
    : readUserAnswer(parts, given, question);
  if (!(await approvals.answer(id, answer))) throw notOpen((await approvals.find(id))?.state ?? 'gone');
  return { answered: 'answer' in answer ? answer.answer : answer.kind };
}

async function readApproval(
  parts: AnswerParts,
  given: GivenAnswer | undefined,
  request: ApprovalRequest,
  workspace: string,
): Promise<AnyAnswer> {
  if (given === undefined || !('answer' in given))
    throw wrong('The answer is once, session, always, edit or deny.');
  if (given.answer === 'edit') {
    if (!isEditable(request, workspace, await openableRoots(parts.own))) throw notOffered('edit');
    const objection = await objectionTo(given.args, request, (await openWorkspace(parts.own, workspace))!);
    if (objection !== undefined) throw wrong(objection);
  } else if (!isOffered(given.answer, request)) throw notOffered(given.answer);
  return toAnswer(given, parts.by);
}

function readUserAnswer(
  { by }: AnswerParts,
  given: GivenAnswer | undefined,
  question: UserQuestion,
): AnyAnswer {
  if (given === undefined || !('kind' in given)) throw wrong('That is no answer to a question of an agent.');
  const read = fittingAnswer(question, { ...given, by });
  if ('wrong' in read) throw wrong(read.wrong);
  return read.answer;
}

function isOffered(answer: 'once' | 'session' | 'always' | 'deny', request: ApprovalRequest): boolean {
  if (answer === 'session') return request.scope !== 'single_action';
  return answer !== 'always' || request.alwaysRule !== undefined;
}

/** What the call would be refused for with other arguments; undefined where nothing speaks against them. */
async function objectionTo(
  args: unknown,
  { session: id, dialect, tool, version }: ApprovalRequest,
  opened: Runtime,
): Promise<string | undefined> {
  await using runtime = opened;
  try {
    // The session is not opened here: it may be another process's.
    const { decision } = await runtime.approvalRequest(tool, args, { id, dialect, mode: 'ask', version });
    return decision.action === 'deny' ? decision.reason : undefined;
  } catch (error) {
    if (error instanceof Failure) return [error.message, error.hint].join(' ').trim();
    throw error;
  }
}

function toAnswer(given: z.output<typeof approvalAnswer>, by: string): ApprovalAnswer {
  if (given.answer === 'edit') return { answer: 'edit', args: given.args, by };
  if (given.answer !== 'deny') return { answer: given.answer, by };
  const { answer, reason } = given;
  return { answer, by, ...(reason === undefined || reason === '' ? {} : { reason }) };
}

function notOffered(answer: string): Failure {
  return wrong(`"${answer}" is not offered for this question.`);
}

function wrong(message: string): Failure {
  return new Failure('E_INVALID_ARGS', message);
}
