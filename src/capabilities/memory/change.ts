/** `memory.change`: keeps something for later, changes it, or forgets it. Undo does not take it back. */
import { z } from 'zod';
import { defineOperation, type Memory, type Preview, scopeOf } from '../../runtime/operation.ts';
import { memoryChangeSchema, memorySchema, toOutput } from './memory-schema.ts';

export const memoryChange = defineOperation({
  name: 'memory.change',
  summary: 'Keeps a memory for later, changes one, or forgets one.',
  input: memoryChangeSchema,
  output: z.strictObject({ action: z.enum(['create', 'update', 'delete']), memory: memorySchema }),
  permissions: ['state.write'],
  effect: 'state',
  access: (input) => {
    const scope = input.action === 'create' ? input.scope : scopeOf(input.id);
    return [{ permission: 'state.write', resource: `memory:${scope}` }];
  },
  async preview(input, { memories }) {
    const old = input.action === 'create' ? undefined : await memories.get(input.id);
    if (input.action === 'delete') return textOf('Forget', old!);
    memories.check(input);
    return textOf('Remember', {
      title: input.title ?? old!.title,
      content: input.content ?? old!.content,
    });
  },
  async run(input, { memories }) {
    const { action } = input;
    if (action === 'create') {
      const { scope, title, content } = input;
      return { action, memory: toOutput(await memories.create(scope, { title, content })) };
    }
    if (action === 'delete') return { action, memory: toOutput(await memories.remove(input.id)) };
    const { id, title, content } = input;
    return { action, memory: toOutput(await memories.update(id, { title, content })) };
  },
});

function textOf(what: string, { title, content }: Pick<Memory, 'title' | 'content'>): Preview {
  return { kind: 'text', text: `${what} ${JSON.stringify(title)}:\n${content}` };
}
