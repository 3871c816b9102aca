/** `exec.look`: a few commands that only look, answered without a process. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';

export const execLook = defineOperation({
  name: 'exec.look',
  summary: 'Answers date, pwd and ls without a process.',
  input: z.strictObject({
    program: z.enum(['date', 'pwd', 'ls']),
    path: workspacePathSchema.describe('What ls lists'),
  }),
  output: z.strictObject({ command: z.string().describe('What was answered'), output: z.string() }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ program, path }) => (program === 'ls' ? [{ permission: 'fs.read', resource: path }] : []),
  async run({ program, path }, { files, workspace }) {
    if (program === 'date') return { command: program, output: new Date().toISOString() };
    if (program === 'pwd') return { command: program, output: workspace.root };
    const entries = await files.list(path);
    const names = entries.map(({ name, kind, target }) =>
      kind === 'directory' || target === 'directory' ? `${name}/` : name,
    );
    return { command: `ls ${path}`, output: names.sort().join('\n') };
  },
});
