/** `todo.read`: the session's list. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { todoItem } from './todo-list.ts';

export const todoRead = defineOperation({
  name: 'todo.read',
  summary: "Reads the session's list of things to do.",
  input: z.strictObject({}),
  output: z.strictObject({ session: z.string(), items: z.array(todoItem) }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run(_input, { todos }) {
    return { session: todos.session, items: [...(await todos.read())] };
  },
});
