/** The list of things to do in `coder`. */
import { z } from 'zod';
import { todoRead } from '../../capabilities/todo/read.ts';
import { todoItem, writtenTodos } from '../../capabilities/todo/todo-list.ts';
import { todoWrite } from '../../capabilities/todo/write.ts';
import { defineTool } from '../dialect.ts';

const returns = z.object({
  ok: z.literal(true),
  session_id: z.string(),
  items: z.array(todoItem),
  count: z.int(),
  in_progress: z.int().describe('How many are'),
});

export const todoread = defineTool({
  name: 'todoread',
  version: '1.0.0',
  description:
    "Read this session's todo list. Call it often while there is one, and when the user asks how far you are or comes back to earlier work; not at the start of a simple task.",
  args: z.strictObject({}),
  returns,
  operation: todoRead,
  toInput: () => ({}),
  render,
});

export const todowrite = defineTool({
  name: 'todowrite',
  version: '1.0.0',
  description:
    "Replace this session's todo list; always give the whole list, [] clears it. Use it for work of several steps, and again whenever a step is done; not for a single simple task. At most one item is in_progress.",
  args: z.strictObject({ todos: writtenTodos }),
  returns,
  operation: todoWrite,
  toInput: ({ todos }) => ({ todos }),
  render,
});

function render({ session, items }: z.infer<typeof todoRead.output>): z.infer<typeof returns> {
  const isUnderWay = ({ status }: z.infer<typeof todoItem>): boolean => status === 'in_progress';
  return {
    ok: true,
    session_id: session,
    items,
    count: items.length,
    in_progress: items.filter(isUnderWay).length,
  };
}
