/** A person's answer to a question. */
import type { Context } from 'hono';
import * as z from 'zod';
import { Failure } from '../../failure.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import { type AnyAnswer, type AnyQuestion, isApproval } from '../../runtime/any-question.ts';
import { fittingAnswer } from '../../runtime/fitting-answer.ts';
import type { UserQuestion } from '../../runtime/people.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { ApprovalRows } from '../../store/approvals.ts';

const BY = 'page';

const ANSWER = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.enum(['once', 'session', 'always']) }),
  /** The reason is for the agent to read. */
  z.strictObject({ answer: z.literal('deny'), reason: z.string().trim().max(2_000).optional() }),
  z.strictObject({ answer: z.literal('edit'), args: z.unknown() }),
]);

/** What a person answers to an agent. */
const USER_ANSWER = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('choice'), choice: z.string() }),
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({
    kind: z.literal('review'),
    action: z.enum(['apply', 'cancel']),
    taken: z.array(z.int()),
    comments: z.array(z.strictObject({ chunk: z.int().optional(), text: z.string() })).optional(),
  }),
  z.strictObject({ kind: z.literal('declined'), reason: z.string().optional() }),
]);

export interface AnswerParts {
  readonly runtime: Runtime;
  readonly approvals: ApprovalRows;
}

/** Answers one question; says so where it is not open any more, or where that answer is not offered. */
export async function answerQuestion(
  context: Context,
  { runtime, approvals }: AnswerParts,
): Promise<Response> {
  const id = context.req.param('id')!;
  const given: unknown = await context.req.json().catch(() => undefined);
  const found = await approvals.find(id);
  if (found === undefined) return say(context, 404, 'There is no such question.');
  if (found.state !== 'pending') return say(context, 409, notOpen(found.state));
  const question = JSON.parse(found.request) as AnyQuestion;
  const read = isApproval(question)
    ? await readApproval(given, question, found.workspace, runtime)
    : readUserAnswer(given, question);
  if ('wrong' in read) return say(context, 400, read.wrong);
  if (!(await approvals.answer(id, read.answer)))
    return say(context, 409, notOpen((await approvals.find(id))?.state ?? 'gone'));
  return context.json({ answered: 'answer' in read.answer ? read.answer.answer : read.answer.kind });
}

type Read = { readonly answer: AnyAnswer } | { readonly wrong: string };

async function readApproval(
  body: unknown,
  request: ApprovalRequest,
  workspace: string,
  runtime: Runtime,
): Promise<Read> {
  const given = ANSWER.safeParse(body);
  if (!given.success) return { wrong: 'The answer is once, session, always, edit or deny.' };
  const { answer } = given.data;
  const isPossible = answer === 'edit' ? isEditable(request, workspace, runtime) : isOffered(answer, request);
  if (!isPossible) return { wrong: `"${answer}" is not offered for this question.` };
  const objection = answer === 'edit' ? await objectionTo(given.data.args, request, runtime) : undefined;
  return objection === undefined ? { answer: toAnswer(given.data) } : { wrong: objection };
}

function readUserAnswer(body: unknown, question: UserQuestion): Read {
  const given = USER_ANSWER.safeParse(body);
  if (!given.success) return { wrong: 'That is no answer to a question of an agent.' };
  return fittingAnswer(question, { ...given.data, by: BY });
}

/** Whether other arguments can be given here: they are checked first, by the workspace that they are meant for. */
export function isEditable(request: ApprovalRequest, workspace: string, runtime: Runtime): boolean {
  return workspace === runtime.workspace.root && request.hasMaskedArgs !== true;
}

function isOffered(answer: 'once' | 'session' | 'always' | 'deny', request: ApprovalRequest): boolean {
  if (answer === 'session') return request.scope !== 'single_action';
  return answer !== 'always' || request.alwaysRule !== undefined;
}

/** What the call would be refused for with other arguments; undefined where nothing speaks against them. */
async function objectionTo(
  args: unknown,
  { session: id, dialect, tool, version }: ApprovalRequest,
  runtime: Runtime,
): Promise<string | undefined> {
  try {
    const session = await runtime.openSession({ id, dialect, mode: 'ask' });
    const { decision } = await runtime.approvalRequest(tool, args, { session, version });
    return decision.action === 'deny' ? decision.reason : undefined;
  } catch (error) {
    if (error instanceof Failure) return [error.message, error.hint].join(' ').trim();
    throw error;
  }
}

function toAnswer(given: z.infer<typeof ANSWER>): ApprovalAnswer {
  if (given.answer === 'edit') return { answer: 'edit', args: given.args, by: BY };
  if (given.answer !== 'deny') return { answer: given.answer, by: BY };
  const { answer, reason } = given;
  return { answer, by: BY, ...(reason === undefined || reason === '' ? {} : { reason }) };
}

function notOpen(state: string): string {
  return `The question is not open any more (${state}).`;
}

function say(context: Context, status: 400 | 404 | 409, message: string): Response {
  return context.json({ message }, status);
}
