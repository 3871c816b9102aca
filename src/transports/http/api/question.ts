/** What waits for a person's answer: about permission, or asked by an agent. */
import * as z from 'zod';
import { access } from './access.ts';
import { rule } from './rule.ts';

export const approvalRequest = z
  .object({
    id: z.string(),
    hash: z.string().describe('Of the resolved call'),
    callId: z.string(),
    session: z.string(),
    dialect: z.string(),
    tool: z.string(),
    version: z.string(),
    operation: z.string(),
    args: z.unknown(),
    hasMaskedArgs: z
      .literal(true)
      .optional()
      .describe('A token in them is masked: they can not be sent back'),
    accesses: z.array(access).readonly(),
    reason: z.string(),
    rule: z.string(),
    scope: z.enum(['single_action', 'session', 'workspace']).describe('For how long a yes can hold at most'),
    alwaysRule: rule.optional().describe('What "always" would write, where it is offered'),
    preview: z.object({ kind: z.enum(['diff', 'text']), text: z.string() }).optional(),
  })
  .meta({ id: 'ApprovalRequest' });

const asked = z.object({
  id: z.string(),
  hash: z.string().describe('Of what is asked'),
  callId: z.string(),
  session: z.string(),
  dialect: z.string(),
  tool: z.string(),
  message: z.string(),
});

const chunk = z.object({ number: z.int(), path: z.string(), text: z.string() }).meta({ id: 'ReviewChunk' });

export const userQuestion = z
  .discriminatedUnion('kind', [
    asked.extend({ kind: z.literal('choice'), choices: z.array(z.string()).readonly() }),
    asked.extend({ kind: z.literal('text') }),
    asked.extend({ kind: z.literal('review'), chunks: z.array(chunk).readonly() }),
  ])
  .meta({ id: 'UserQuestion' });
