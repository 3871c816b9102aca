/** Memory in `clude`. */
import { z } from 'zod';
import { memoryChange } from '../../capabilities/memory/change.ts';
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

const FIELDS = { id: 'existing_knowledge_id', title: 'title', content: 'knowledge_to_store' } as const;

const args = z.strictObject({
  action: z.enum(['create', 'update', 'delete']),
  title: memoryTitle.optional(),
  knowledge_to_store: memoryContent.optional(),
  existing_knowledge_id: memoryId.optional().describe('For update and delete'),
  scope: memoryScope.optional().describe('For create; workspace by default'),
});

const written = ({ action, scope = 'workspace', title, ...rest }: z.infer<typeof args>): WrittenChange => ({
  action,
  scope,
  title,
  id: rest.existing_knowledge_id,
  content: rest.knowledge_to_store,
});

export const updateMemory = defineTool({
  name: 'update_memory',
  version: '1.0.0',
  description:
    'Keep a fact for later sessions, such as a decision or a preference of the user; change or delete one that no longer holds. Never secrets. Undo does not take it back.',
  args: args.superRefine((given, context) => {
    const [field, message] = lackOf(written(given)) ?? [];
    if (field !== undefined) context.addIssue({ code: 'custom', path: [FIELDS[field]], message });
  }),
  returns: z.object({
    id: z.string(),
    action: z.enum(['create', 'update', 'delete']),
    title: z.string(),
    scope: memoryScope,
  }),
  operation: memoryChange,
  toInput: (given) => toChange(written(given)),
  render: ({ action, memory: { id, title, scope } }) => ({ id, action, title, scope }),
});
