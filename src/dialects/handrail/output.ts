/** Paging through what did not fit. */
import { z } from 'zod';
import { outputPage } from '../../capabilities/output/page.ts';
import { defineTool } from '../dialect.ts';

export const readOutput = defineTool({
  name: 'read_output',
  version: '1.0.0',
  description:
    'Read on in a result that was cut: give its output_id and how many items or characters to skip.',
  args: z.strictObject({
    output_id: z.string().min(1),
    offset: z.int().min(0),
    limit: z.int().min(1).max(5_000).optional().describe('1,000 by default'),
  }),
  returns: z.object({
    ok: z.literal(true),
    part: z.union([z.array(z.unknown()), z.string()]),
    offset: z.int(),
    total: z.int(),
    has_more: z.boolean(),
    next_offset: z.int().optional().describe('Where to read on, in bytes'),
  }),
  operation: outputPage,
  toInput: (args) => ({ id: args.output_id, offset: args.offset, limit: args.limit ?? 1_000 }),
  render: ({ part, offset, total, next = offset + part.length }) => ({
    ok: true,
    part,
    offset,
    total,
    has_more: next < total,
    ...(next === offset + part.length ? {} : { next_offset: next }),
  }),
});
