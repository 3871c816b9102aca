/** Questions to people, of every workspace on this machine, and their answers. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import type { Rule } from '../../../policy/rule.ts';
import { type AnyQuestion, isApproval } from '../../../runtime/any-question.ts';
import { answerQuestion, givenAnswer } from '../answers.ts';
import { pastCalls } from '../past-calls.ts';
import { findOpen, openQuestion, openQuestions } from '../questions.ts';
import { openWorkspace } from '../workspaces.ts';
import { approvalRequest, userQuestion } from './question.ts';
import { requester } from './requester.ts';
import { route } from './route.ts';

const approval = z
  .object({
    id: z.string(),
    workspace: z.string(),
    createdAt: z.number(),
    expiresAt: z.number(),
    request: z
      .union([approvalRequest, userQuestion])
      .describe('About permission, or a question of an agent; its content is shown with the approval key'),
    isEditable: z.boolean().describe('Whether other arguments can be given'),
  })
  .meta({ id: 'Approval' });

const id = z.object({ id: z.string() });

export const listApprovals = route({
  name: 'listApprovals',
  method: 'get',
  path: '/api/approvals',
  summary: 'The open questions of every workspace on this machine, oldest first.',
  who: 'reader',
  returns: z.object({ approvals: z.array(approval) }),
  async run({ own, records: { approvals }, isPerson }) {
    return { approvals: await openQuestions({ own, approvals, isPerson }) };
  },
});

export const showApproval = route({
  name: 'showApproval',
  method: 'get',
  path: '/api/approvals/{id}',
  summary: 'One open question.',
  who: 'reader',
  params: id,
  returns: approval,
  run: ({ own, records: { approvals }, isPerson }, { params }) =>
    openQuestion({ own, approvals, isPerson }, params.id),
});

export const answerApproval = route({
  name: 'answerApproval',
  method: 'post',
  path: '/api/approvals/{id}/answer',
  summary: 'Answers a question; the first answer counts, once.',
  who: 'person',
  params: id,
  body: givenAnswer,
  returns: z.object({ answered: z.string() }),
  run: ({ own, records: { approvals }, http }, { params, body }) =>
    answerQuestion({ own, approvals, by: requester(http) }, params.id, body),
});

export const pastCallsFor = route({
  name: 'pastCallsFor',
  method: 'get',
  path: '/api/approvals/{id}/past',
  summary:
    'How many of the last calls would not have been asked about, had the rule of an "always" been there.',
  who: 'person',
  params: id,
  returns: z.object({
    covered: z.int(),
    calls: z.int().describe('How many were looked at: the newest of the workspace that were decided'),
  }),
  async run({ own, records }, { params }) {
    const { request, workspace } = await findOpen(records.approvals, params.id);
    await using runtime = await openWorkspace(own, workspace);
    if (runtime === undefined)
      throw new Failure('E_NO_PROJECT', 'The question is of a workspace that this server does not know.', {
        hint: 'Register it as a project.',
      });
    return pastCalls(runtime, records.audit, alwaysRuleOf(JSON.parse(request) as AnyQuestion));
  },
});

function alwaysRuleOf(question: AnyQuestion): Rule {
  const rule = isApproval(question) ? question.alwaysRule : undefined;
  if (rule !== undefined) return rule;
  throw new Failure('E_INVALID_ARGS', '"always" is not offered for this question.');
}
