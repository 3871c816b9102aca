/** What agents keep for later. */
import * as z from 'zod';
import { requester } from './requester.ts';
import { route } from './route.ts';

const memory = z
  .object({
    id: z.string(),
    scope: z.enum(['session', 'workspace', 'user']),
    title: z.string(),
    content: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    writtenIn: z.string().describe('The workspace in which it was last written'),
  })
  .meta({ id: 'Memory' });

export const listMemory = route({
  name: 'listMemory',
  method: 'get',
  path: '/api/memory',
  summary: 'What is kept for the user, the workspace and its sessions, newest first.',
  who: 'person',
  query: z.object({ query: z.string().optional().describe('Words that all must be there') }),
  returns: z.object({ memories: z.array(memory).readonly() }),
  async run({ runtime }, { query }) {
    return { memories: await runtime.memory.find(query.query) };
  },
});

export const removeMemory = route({
  name: 'removeMemory',
  method: 'delete',
  path: '/api/memory/{id}',
  summary: 'Deletes one; says what it was.',
  who: 'person',
  params: z.object({ id: z.string() }),
  returns: memory,
  run: ({ runtime, http }, { params }) => runtime.memory.remove(params.id, requester(http)),
});
