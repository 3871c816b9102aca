/** A person's answer to a question. */
import type { Context } from 'hono';
import * as z from 'zod';
import { Failure } from '../../failure.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { ApprovalRows } from '../../store/approvals.ts';

const BY = 'page';

const ANSWER = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.enum(['once', 'session', 'always']) }),
  /** The reason is for the agent to read. */
  z.strictObject({ answer: z.literal('deny'), reason: z.string().trim().max(2_000).optional() }),
  z.strictObject({ answer: z.literal('edit'), args: z.unknown() }),
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
  const given = ANSWER.safeParse(await context.req.json().catch(() => undefined));
  if (!given.success) return say(context, 400, 'The answer is once, session, always, edit or deny.');
  const { answer } = given.data;
  const found = await approvals.find(id);
  if (found === undefined) return say(context, 404, 'There is no such question.');
  if (found.state !== 'pending') return say(context, 409, notOpen(found.state));
  const request = JSON.parse(found.request) as ApprovalRequest;
  const isPossible =
    answer === 'edit' ? isEditable(request, found.workspace, runtime) : isOffered(answer, request);
  if (!isPossible) return say(context, 400, `"${answer}" is not offered for this question.`);
  const objection = answer === 'edit' ? await objectionTo(given.data.args, request, runtime) : undefined;
  if (objection !== undefined) return say(context, 400, objection);
  if (!(await approvals.answer(id, toAnswer(given.data))))
    return say(context, 409, notOpen((await approvals.find(id))?.state ?? 'gone'));
  return context.json({ answered: answer });
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
