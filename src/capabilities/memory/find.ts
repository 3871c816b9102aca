/** `memory.find`: what was kept for this session, its workspace and its user. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { memorySchema, toOutput } from './memory-schema.ts';

export const memoryFind = defineOperation({
  name: 'memory.find',
  summary: 'Lists memories, or those that have every word of a query.',
  input: z.strictObject({ query: z.string().max(500).optional() }),
  output: z.strictObject({ memories: z.array(memorySchema) }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ query }, { memories }) {
    return { memories: (await memories.find(query)).map(toOutput) };
  },
});
