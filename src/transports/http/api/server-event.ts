/** What clients hear of as it happens. What agents write, read and run is for persons alone: others get events without it. */
import * as z from 'zod';
import { SECTIONS } from '../../../store/section.ts';
import { callResult } from './calls.ts';
import { displayMessage } from './messages.ts';
import { approvalRequest, userQuestion } from './question.ts';
import { todoItem } from './sessions.ts';

const aboutCall = {
  workspace: z.string(),
  callId: z.string(),
  session: z.string(),
  at: z.number(),
};
const aboutProcess = { workspace: z.string(), process: z.string(), session: z.string(), at: z.number() };

const CONTENT = 'Only with the approval key';
/** A part that is for persons. */
const content = <Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> =>
  schema.optional().describe(CONTENT);

const EVENTS = [
  z.object({
    type: z.literal('call-started'),
    ...aboutCall,
    dialect: z.string(),
    tool: z.string(),
    args: content(z.unknown()),
  }),
  z.object({
    type: z.literal('approval-requested'),
    ...aboutCall,
    request: content(approvalRequest),
  }),
  z.object({
    type: z.literal('approval-answered'),
    ...aboutCall,
    approval: z.string(),
    answer: z.enum(['once', 'session', 'always', 'edit']),
    notRemembered: z.string().optional(),
  }),
  z.object({
    type: z.literal('displayed'),
    ...aboutCall,
    message: content(displayMessage),
  }),
  z.object({
    type: z.literal('question-asked'),
    ...aboutCall,
    question: content(userQuestion),
  }),
  z.object({
    type: z.literal('question-answered'),
    ...aboutCall,
    question: z.string(),
    answer: z.enum(['choice', 'text', 'review', 'declined']),
  }),
  z.object({ type: z.literal('output-added'), ...aboutCall, text: content(z.string()) }),
  z.object({
    type: z.literal('todos-changed'),
    ...aboutCall,
    items: content(z.array(todoItem).readonly()),
  }),
  z.object({
    type: z.literal('call-ended'),
    ...aboutCall,
    dialect: z.string(),
    tool: z.string().optional().describe('None where the dialect has no such tool'),
    outcome: z.string(),
    decision: z.string().optional().describe('What the policy said, where the call came to that'),
    result: content(callResult),
  }),
  z.object({
    type: z.literal('process-output'),
    ...aboutProcess,
    text: content(z.string()),
    position: z.number().describe('The byte of the whole output that it starts at'),
  }),
  z.object({
    type: z.literal('process-ended'),
    ...aboutProcess,
    by: z.string(),
    exitCode: z.number().optional(),
  }),
  z.object({
    type: z.literal('agent'),
    workspace: z.string(),
    conversation: z.string(),
    event: content(z.unknown()),
  }),
  z.object({
    type: z.literal('changed'),
    sections: z.array(z.enum(SECTIONS)).describe('What any Handrail process on this machine wrote to'),
  }),
  z.object({
    type: z.literal('missed').describe('Events before this one are not held any more: read everything again'),
  }),
] as const;

/** One event. */
export const serverEvent = z.discriminatedUnion('type', EVENTS).meta({ id: 'Event' });
export type ServerEvent = z.output<typeof serverEvent>;

const HARMLESS = new Map(
  EVENTS.map(({ shape }) => [
    shape.type.value,
    Object.entries<z.ZodType>(shape).flatMap(([name, { description }]) =>
      description === CONTENT ? [] : [name],
    ),
  ]),
);

/** An event for those who have no approval key. */
export function withoutContent(event: ServerEvent): ServerEvent {
  const harmless = HARMLESS.get(event.type)!;
  return Object.fromEntries(Object.entries(event).filter(([name]) => harmless.includes(name))) as ServerEvent;
}
