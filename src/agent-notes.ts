/** What agents keep for themselves and for each other, as people and the agent loop get it: no tool reaches this. */
import type { ActParts } from './journal/audited-act.ts';
import { auditedAct } from './journal/audited-act.ts';
import { scopeOf } from './runtime/memories.ts';
import { toldMemories } from './runtime/scoped-memories.ts';
import type { Session } from './runtime/session.ts';
import type { Spine } from './runtime/spine.ts';
import type { Runtime } from './runtime-types.ts';

/** That part of a runtime; `own` is the session of whoever has none. */
export function agentNotes(
  { todos, memories, audit }: Spine,
  parts: ActParts,
  own: Session,
): Pick<Runtime, 'todos' | 'memories' | 'memory'> {
  return {
    todos: ({ id }) => todos.read(id),
    memories: async ({ id }) => toldMemories(await memories.find(id)),
    memory: {
      find: (query) => memories.find(undefined, query),
      get: (id) => memories.get(undefined, id),
      remove: (id, by = 'library') =>
        auditedAct(
          parts,
          audit,
          { session: own.id, dialect: 'human', name: 'memory.change', args: { id }, rule: 'human', by },
          async (act) => {
            const resource = `memory:${scopeOf(id)}`;
            act.decided([{ permission: 'state.write', resource, resolved: resource }]);
            return memories.remove(undefined, id);
          },
        ),
    },
  };
}
