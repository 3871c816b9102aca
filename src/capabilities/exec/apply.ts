/** `exec.apply`: takes over exactly what a preview changed; nothing is run again. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { changedSchema, MAX_CHANGED } from './run.ts';

export const execApply = defineOperation({
  name: 'exec.apply',
  summary: 'Makes the changes of a preview, without running its command again.',
  input: z.strictObject({ id: z.string().min(1).describe('Of the preview') }),
  output: z.strictObject({
    command: z.string().describe('The one that was run for the preview'),
    changed: changedSchema.describe('The first entries that were changed'),
    changedTotal: z.int(),
    undo: z.enum(['exact', 'part', 'none']).describe('How much of that undo takes back'),
    notes: z.array(z.string()),
  }),
  permissions: ['proc.exec'],
  effect: 'exec',
  isCaptured: () => true,
  access: ({ id }) => [{ permission: 'proc.exec', resource: id }],
  async preview({ id }, { commands }) {
    const { command, diff } = await commands.show(id);
    return { kind: 'diff', text: `$ ${command}\n${diff}` };
  },
  async run({ id }, { commands }) {
    const { command, changed, undo, notes } = await commands.apply(id);
    return {
      command,
      changed: changed.slice(0, MAX_CHANGED),
      changedTotal: changed.length,
      undo,
      notes: [...notes],
    };
  },
});
