/** Memory in `handrail`. */
import { z } from 'zod';
import { memoryChange } from '../../capabilities/memory/change.ts';
import { memoryFind } from '../../capabilities/memory/find.ts';
import {
  lackOf,
  memoryContent,
  memoryId,
  memoryScope,
  memoryTitle,
  toChange,
  type WrittenChange,
} from '../../capabilities/memory/memory-schema.ts';
import { defineTool } from '../dialect.ts';

const action = z.enum(['create', 'update', 'delete']);

const args = z.strictObject({
  action: action.optional().describe('create by default'),
  title: memoryTitle.optional(),
  content: memoryContent.optional(),
  scope: memoryScope.optional().describe('For create; workspace by default'),
  id: memoryId.optional().describe('For update and delete'),
});

const written = ({
  action = 'create',
  scope = 'workspace',
  ...rest
}: z.infer<typeof args>): WrittenChange => ({
  action,
  scope,
  ...rest,
});

export const remember = defineTool({
  name: 'remember',
  version: '1.0.0',
  description:
    'Keep a lasting fact for later sessions, such as a decision or a preference of the user. Never secrets. Undo does not take it back.',
  args: args.superRefine((given, context) => {
    const [field, message] = lackOf(written(given)) ?? [];
    if (field !== undefined) context.addIssue({ code: 'custom', path: [field], message });
  }),
  returns: z.object({ ok: z.literal(true), action, id: z.string(), title: z.string(), scope: memoryScope }),
  operation: memoryChange,
  toInput: (given) => toChange(written(given)),
  render: ({ action: done, memory: { id, title, scope } }) => ({ ok: true, action: done, id, title, scope }),
});

export const recall = defineTool({
  name: 'recall',
  version: '1.0.0',
  description: 'List what was remembered, newest first.',
  args: z.strictObject({ query: z.string().max(500).optional().describe('Words that all must be in it') }),
  returns: z.object({
    ok: z.literal(true),
    items: z.array(
      z.object({
        id: z.string(),
        scope: memoryScope,
        title: z.string(),
        content: z.string(),
        updated_at: z.string(),
      }),
    ),
    count: z.int(),
  }),
  operation: memoryFind,
  toInput: ({ query }) => ({ query }),
  render: ({ memories }) => ({
    ok: true,
    items: memories.map(({ updatedAt, ...memory }) => ({
      ...memory,
      updated_at: new Date(updatedAt).toISOString(),
    })),
    count: memories.length,
  }),
});
