/** A person's answer to a question. */
import type { Context } from 'hono';
import * as z from 'zod';
import type { ApprovalAnswer, ApprovalRequest } from '../../policy/approvals.ts';
import type { ApprovalRows } from '../../store/approvals.ts';

const BY = 'page';

const ANSWER = z.strictObject({
  answer: z.enum(['once', 'session', 'always', 'deny']),
  /** With deny: what the agent reads. */
  reason: z.string().trim().max(2_000).optional(),
});

/** Answers one question; says so where it is not open any more, or where that answer is not offered. */
export async function answerQuestion(context: Context, approvals: ApprovalRows): Promise<Response> {
  const id = context.req.param('id')!;
  const given = ANSWER.safeParse(await context.req.json().catch(() => undefined));
  if (!given.success) return say(context, 400, 'The answer is once, session, always or deny.');
  const found = await approvals.find(id);
  if (found === undefined) return say(context, 404, 'There is no such question.');
  if (found.state !== 'pending') return say(context, 409, notOpen(found.state));
  const request = JSON.parse(found.request) as ApprovalRequest;
  if (!isOffered(given.data.answer, request))
    return say(context, 400, `"${given.data.answer}" is not offered for this question.`);
  if (!(await approvals.answer(id, toAnswer(given.data))))
    return say(context, 409, notOpen((await approvals.find(id))?.state ?? 'gone'));
  return context.json({ answered: given.data.answer });
}

function isOffered(answer: ApprovalAnswer['answer'], { scope, alwaysRule }: ApprovalRequest): boolean {
  if (answer === 'session') return scope !== 'single_action';
  return answer !== 'always' || alwaysRule !== undefined;
}

function toAnswer({ answer, reason }: z.infer<typeof ANSWER>): ApprovalAnswer {
  if (answer !== 'deny') return { answer, by: BY };
  return { answer, by: BY, ...(reason === undefined || reason === '' ? {} : { reason }) };
}

function notOpen(state: string): string {
  return `The question is not open any more (${state}).`;
}

function say(context: Context, status: 400 | 404 | 409, message: string): Response {
  return context.json({ message }, status);
}
