/** Skills that agents can load. */
import * as z from 'zod';
import { route } from './route.ts';

const skill = z
  .object({
    name: z.string(),
    description: z.string(),
    origin: z.enum(['user', 'workspace', 'built-in']),
    place: z.string().describe('Its folder'),
    files: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Skill' });

export const listSkills = route({
  name: 'listSkills',
  method: 'get',
  path: '/api/skills',
  summary: 'Every skill there is, and why others do not count.',
  who: 'person',
  returns: z.object({ skills: z.array(skill), warnings: z.array(z.string()).readonly() }),
  async run({ runtime }) {
    const { skills, warnings } = await runtime.skills();
    return {
      skills: skills.map(({ name, description, origin, place, files }) => ({
        name,
        description,
        origin,
        place,
        files,
      })),
      warnings,
    };
  },
});
