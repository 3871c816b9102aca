/** Conversations with the agent in the server. What happens in them comes over the stream of events. */
import * as z from 'zod';
import { mode } from './mode.ts';
import { pageSize } from './listing.ts';
import { route } from './route.ts';

const id = z.object({ id: z.string() });
const message = z.string().trim().min(1).max(10_000);
const choice = {
  agent: z.string().optional().describe('Who is talked to: a primary agent of `listAgents`'),
  model: z.string().optional().describe('`provider/model`'),
  mode: mode.optional(),
};

const summary = z
  .object({
    id: z.string().describe('Of its session, too'),
    title: z.string(),
    at: z.number(),
    turns: z.number(),
    agent: z.string(),
    model: z.string(),
    isWorking: z.boolean().describe('Whether a turn is under way in this server'),
  })
  .meta({ id: 'Conversation' });

export const listAgents = route({
  name: 'listAgents',
  method: 'get',
  path: '/api/agents',
  summary: 'The agents there are, and the models that the settings and the environment name.',
  who: 'reader',
  returns: z.object({
    agents: z.array(
      z
        .object({
          name: z.string(),
          kind: z.enum(['primary', 'sub-agent']),
          description: z.string(),
          model: z.string().optional(),
        })
        .meta({ id: 'Agent' }),
    ),
    models: z.array(z.string()).describe('The usual one first; none where no model is connected').readonly(),
  }),
  async run({ runtime, conversations }) {
    const { definitions, models } = await conversations.agentsOf(runtime);
    return {
      agents: definitions.map(({ name, kind, description, model }) => ({ name, kind, description, model })),
      models,
    };
  },
});

export const listConversations = route({
  name: 'listConversations',
  method: 'get',
  path: '/api/conversations',
  summary: 'Conversations of the workspace, newest first.',
  who: 'person',
  query: z.object({ limit: pageSize(500, 50) }),
  returns: z.object({ conversations: z.array(summary) }),
  run: async ({ runtime, conversations }, { query }) => ({
    conversations: await conversations.list(runtime, query.limit),
  }),
});

export const showConversation = route({
  name: 'showConversation',
  method: 'get',
  path: '/api/conversations/{id}',
  summary: 'Everything that was said in a conversation, with the calls and their results.',
  who: 'person',
  params: id,
  returns: summary.extend({
    entries: z
      .array(
        z
          .object({
            by: z.enum(['user', 'assistant', 'tool']),
            turn: z.string(),
            text: z.string(),
            calls: z.array(z.object({ id: z.string(), tool: z.string(), args: z.unknown() })).readonly(),
            results: z
              .array(
                z.object({
                  id: z.string().describe('Of its call above'),
                  tool: z.string(),
                  text: z.string(),
                  callId: z.string().optional().describe('Where it stands in the audit'),
                  outcome: z.enum(['ok', 'failed', 'denied', 'cancelled']).optional(),
                }),
              )
              .readonly(),
          })
          .meta({ id: 'ConversationEntry' }),
      )
      .readonly(),
  }),
  async run({ runtime, conversations }, { params }) {
    const kept = await (await conversations.agentsOf(runtime)).show(params.id);
    return { ...kept, isWorking: conversations.isWorking(runtime, kept.id) };
  },
});

export const startConversation = route({
  name: 'startConversation',
  method: 'post',
  path: '/api/conversations',
  summary: 'Begins a conversation with what the user says first; the turn goes on after the answer.',
  who: 'person',
  body: z.object({ message, ...choice }),
  returns: id,
  run: async ({ runtime, conversations }, { body: { message: text, ...chosen } }) => ({
    id: await conversations.start(runtime, text, chosen),
  }),
});

export const sendMessage = route({
  name: 'sendMessage',
  method: 'post',
  path: '/api/conversations/{id}/messages',
  summary: 'Says more; where a turn is under way, the message waits for its end.',
  who: 'person',
  params: id,
  body: z.object({ message, ...choice }),
  returns: id,
  async run({ runtime, conversations }, { params, body: { message: text, ...chosen } }) {
    await conversations.send(runtime, params.id, text, chosen);
    return params;
  },
});

export const interruptConversation = route({
  name: 'interruptConversation',
  method: 'delete',
  path: '/api/conversations/{id}/turn',
  summary: 'Ends the turn that is under way, and the messages that wait for it.',
  who: 'person',
  params: id,
  returns: z.object({ wasWorking: z.boolean() }),
  run: async ({ runtime, conversations }, { params }) => ({
    wasWorking: conversations.interrupt(runtime, params.id),
  }),
});
