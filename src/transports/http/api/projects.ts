/** Folders that are known by an id; requests name one by the header `handrail-project`. */
import * as z from 'zod';
import { overlaps, type ProjectRegistry } from '../../../project-registry.ts';
import { mode } from './mode.ts';
import { route } from './route.ts';

const project = z
  .object({
    id: z.string(),
    name: z.string(),
    root: z.string(),
    dialect: z.string().optional(),
    mode: mode.optional(),
    addedAt: z.number(),
    settings: z
      .enum(['none', 'trusted', 'not trusted', 'folder gone'])
      .describe('Whether settings of its own count'),
  })
  .meta({ id: 'Project' });

export const listProjects = route({
  name: 'listProjects',
  method: 'get',
  path: '/api/projects',
  summary: 'The registered projects.',
  who: 'reader',
  returns: z.object({ projects: z.array(project) }),
  async run({ runtime }) {
    const registry = runtime.projectRegistry;
    return { projects: await Promise.all((await registry.list()).map((found) => shown(found, registry))) };
  },
});

export const addProject = route({
  name: 'addProject',
  method: 'post',
  path: '/api/projects',
  summary: 'Registers a folder of this machine.',
  who: 'person',
  body: z.object({
    folder: z.string().startsWith('/', 'An absolute path is needed'),
    id: z.string().optional().describe("Made of the folder's name where it is not said"),
    name: z.string().min(1).max(200).optional().describe("The folder's name where it is not said"),
    dialect: z.string().optional(),
    mode: mode.optional(),
  }),
  returns: z.object({
    project,
    notes: z.array(z.string()).describe('Other projects that it lies in, or holds'),
  }),
  async run({ runtime }, { body: { folder, id, name, ...settings } }) {
    const registry = runtime.projectRegistry;
    const added = await registry.add({ folder, id, name, settings });
    return { project: await shown(added, registry), notes: overlaps(added, await registry.list()) };
  },
});

export const removeProject = route({
  name: 'removeProject',
  method: 'delete',
  path: '/api/projects/{id}',
  summary: 'Forgets a project; its folder, its undo and its audit stay.',
  who: 'person',
  params: z.object({ id: z.string() }),
  returns: z.object({ id: z.string() }),
  async run({ runtime }, { params }) {
    await runtime.projectRegistry.remove(params.id);
    return params;
  },
});

type Registered = Awaited<ReturnType<ProjectRegistry['find']>>;

async function shown(found: Registered, registry: ProjectRegistry): Promise<z.output<typeof project>> {
  const { settings, ...about } = found;
  return { ...about, ...settings, settings: await registry.settingsState(found) };
}
