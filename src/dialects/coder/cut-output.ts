/** How `coder` and those who extend it say that a result was cut to fit, and where the rest is. */
import { z } from 'zod';
import type { Truncation } from '../../runtime/bound.ts';

/** Schema of the fields that say so. */
export const cutShape = {
  truncated: z.literal(true).optional().describe('Not everything fitted'),
  total: z.int().optional().describe('How many there are'),
  output_id: z.string().optional().describe('Names the whole result, for paging'),
};

/** The fields that say so; none where everything fitted. */
export function cutFields(truncation: Truncation | undefined): {
  truncated?: true;
  total?: number;
  output_id?: string;
} {
  if (truncation === undefined) return {};
  const { total, outputId } = truncation;
  return { truncated: true, total, ...(outputId === undefined ? {} : { output_id: outputId }) };
}
