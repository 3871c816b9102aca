/** A whole list as an agent writes it: what is wrong with it is said before anything is kept. */
import { z } from 'zod';
import type { TodoItem } from '../../runtime/operation.ts';

const MAX_ITEMS = 200;
const MAX_CHARACTERS = 2_000;

const written = z.strictObject({
  id: z.string().min(1).max(64).optional().describe('Filled in where it is missing'),
  content: z.string().max(MAX_CHARACTERS),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.enum(['high', 'medium', 'low']),
});

/** For arguments and for the operation's own input. */
export const writtenTodos = z
  .array(written)
  .max(MAX_ITEMS)
  .refine((items) => items.filter(({ status }) => status === 'in_progress').length <= 1, {
    error: 'only one item can be in_progress',
  })
  .refine((items) => hasNoDuplicates(items.flatMap(({ id }) => id ?? [])), {
    error: 'two items have the same id',
  });

function hasNoDuplicates(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

export const todoItem = z.strictObject({ ...written.shape, id: z.string() });

/** The list as it is kept: nothing blank in it, and every item with an id. */
export function toItems(todos: z.infer<typeof writtenTodos>): TodoItem[] {
  const taken = new Set(todos.map(({ id }) => id));
  let number = 0;
  const nextFree = (): string => {
    do number++;
    while (taken.has(String(number)));
    return String(number);
  };
  return todos
    .filter(({ content }) => content.trim() !== '')
    .map(({ id, ...rest }) => ({ id: id ?? nextFree(), ...rest }));
}
