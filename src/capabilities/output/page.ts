/** `output.page`: the rest of a result that did not fit into its reply. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';

export const outputPage = defineOperation({
  name: 'output.page',
  summary: 'Reads a page of a result that did not fit into its reply.',
  input: z.strictObject({
    id: z.string().min(1).describe('The id the cut reply named'),
    offset: z.int().min(0).describe('Items or characters to skip'),
    limit: z.int().min(1).describe('Items or characters to return'),
  }),
  output: z.strictObject({
    part: z.union([z.array(z.unknown()), z.string()]),
    offset: z.int(),
    total: z.int(),
    next: z.int().optional().describe('Where the next page starts, of one that is counted in bytes'),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ id, offset, limit }, { outputs }) {
    const { part, total, next } = await outputs.page(id, offset, limit);
    return {
      part: typeof part === 'string' ? part : [...part],
      offset,
      total,
      ...(next === undefined ? {} : { next }),
    };
  },
});
