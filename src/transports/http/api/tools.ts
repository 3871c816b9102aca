/** The catalogue of tools. */
import * as z from 'zod';
import { route } from './route.ts';

const definition = z
  .object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    args_schema: z.unknown(),
    return_schema: z.unknown(),
    required_permissions: z.array(z.string()).readonly(),
    effect: z.string(),
    side_effects: z.array(z.string()).readonly(),
    risk: z.enum(['read', 'write', 'destructive']),
    needsApproval: z.boolean().describe('Whether an ordinary call would be asked about'),
    component: z.string().nullable(),
    operation: z.string(),
    media: z.unknown().optional(),
  })
  .meta({ id: 'Tool' });

export const listTools = route({
  name: 'listTools',
  method: 'get',
  path: '/api/tools',
  summary: 'The tools of a dialect, with schemas, permissions and risk.',
  who: 'reader',
  query: z.object({ dialect: z.string().optional().describe("Else the workspace's own") }),
  returns: z.object({ dialect: z.string(), dialects: z.array(z.string()), tools: z.array(definition) }),
  async run({ runtime }, { query }) {
    const { dialect = runtime.dialect } = query;
    return {
      dialect,
      dialects: runtime.dialects.map(({ name }) => name),
      tools: runtime.definitions(undefined, dialect),
    };
  },
});
