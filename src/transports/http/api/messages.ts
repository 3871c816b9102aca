/** What agents showed their users. */
import * as z from 'zod';
import { pageSize } from './listing.ts';
import { route } from './route.ts';

/** Something to read. */
export const displayMessage = z
  .object({
    content: z.string(),
    level: z.enum(['info', 'success', 'warning', 'error', 'progress']),
    title: z.string().optional(),
    thought: z.string().optional(),
    evidence: z.array(z.string()).readonly().optional(),
  })
  .meta({ id: 'DisplayMessage' });

const message = z
  .object({
    id: z.int(),
    session: z.string(),
    at: z.number(),
    message: displayMessage,
  })
  .meta({ id: 'Message' });

export const listMessages = route({
  name: 'listMessages',
  method: 'get',
  path: '/api/messages',
  summary: 'What agents showed in the workspace within a day, newest first.',
  who: 'person',
  query: z.object({ limit: pageSize(1_000, 50) }),
  returns: z.object({ messages: z.array(message) }),
  async run({ runtime, records }, { query }) {
    return { messages: await records.messages.list(runtime.workspace.root, query.limit) };
  },
});
