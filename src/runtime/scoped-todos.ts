/** Step 8's port to the session's list of things to do; who replaces it has declared that, and everyone who listens hears of it. */
import { redactText } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import type { SessionTodos, TodoItem, TodoLists } from './todos.ts';

export interface TodoScope {
  readonly todos: TodoLists;
  readonly session: string;
  readonly accesses: readonly ResolvedAccess[];
  /** Told about the list, without secrets, once it is another one. */
  readonly onReplace: (items: readonly TodoItem[]) => void;
}

/** The list of one session. */
export function scopeTodos({ todos, session, accesses, onReplace }: TodoScope): SessionTodos {
  return {
    session,
    read: () => todos.read(session),
    async replace(items) {
      const isDeclared = accesses.some(
        ({ permission, resource }) => permission === 'state.write' && resource === 'todos',
      );
      if (!isDeclared) throw new Error('The operation changes the todo list without having declared it.');
      await todos.replace(session, items);
      onReplace(items.map((item) => ({ ...item, content: redactText(item.content) })));
    },
  };
}
