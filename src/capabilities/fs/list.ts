/** `fs.list`: one level of a directory. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

const entry = z.strictObject({
  name: z.string(),
  path: workspacePathSchema,
  kind: z.enum(['file', 'directory', 'link', 'other']),
  isDirectory: z.boolean().describe('Also for a link that leads to a directory inside the workspace'),
  bytes: z.int(),
});

export const fsList = defineOperation({
  name: 'fs.list',
  summary: 'Lists one level of a directory, sorted by name.',
  input: z.strictObject({ path: workspacePathSchema }),
  output: z.strictObject({ path: workspacePathSchema, entries: z.array(entry) }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path }, { files }) {
    const entries = (await files.list(path)).map(({ name, kind, target, size }) => ({
      name,
      path: path === '.' ? name : `${path}/${name}`,
      kind,
      isDirectory: kind === 'directory' || target === 'directory',
      bytes: size,
    }));
    return { path, entries: entries.sort((one, other) => (one.name < other.name ? -1 : 1)) };
  },
});
