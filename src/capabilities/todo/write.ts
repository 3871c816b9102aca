/** `todo.write`: another list in place of the session's. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { todoItem, toItems, writtenTodos } from './todo-list.ts';

export const todoWrite = defineOperation({
  name: 'todo.write',
  summary: "Replaces the session's list of things to do.",
  input: z.strictObject({ todos: writtenTodos }),
  output: z.strictObject({ session: z.string(), items: z.array(todoItem) }),
  permissions: ['state.write'],
  effect: 'state',
  access: () => [{ permission: 'state.write', resource: 'todos' }],
  async run(input, { todos }) {
    const items = toItems(input.todos);
    await todos.replace(items);
    return { session: todos.session, items };
  },
});
