/** Step 8's port to memories: a scope that is written to was declared, and what looks like a secret is not kept. */
import { Failure } from '../failure.ts';
import { redactText } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import {
  type Memory,
  type MemoryEdit,
  type MemoryScope,
  type MemoryStore,
  scopeOf,
  type SessionMemories,
} from './memories.ts';

export interface MemoryPortScope {
  readonly memories: MemoryStore;
  readonly session: string;
  readonly accesses: readonly ResolvedAccess[];
}

/** The memories of one session. */
export function scopeMemories({ memories, session, accesses }: MemoryPortScope): SessionMemories {
  const declared = (scope: MemoryScope | undefined): void => {
    const resource = `memory:${scope}`;
    if (accesses.some((access) => access.permission === 'state.write' && access.resource === resource))
      return;
    throw new Error(`The operation changes ${resource} without having declared it.`);
  };
  return {
    find: (query) => memories.find(session, query),
    get: (id) => memories.get(session, id),
    check: refuseSecrets,
    async create(scope, text) {
      declared(scope);
      refuseSecrets(text);
      return memories.create(session, scope, text);
    },
    async update(id, text) {
      declared(scopeOf(id));
      refuseSecrets(text);
      return memories.update(session, id, text);
    },
    async remove(id) {
      declared(scopeOf(id));
      return memories.remove(session, id);
    },
  };
}

/** What the journal would mask is told to no later agent either. */
function refuseSecrets({ title = '', content = '' }: MemoryEdit): void {
  if ([title, content].every((text) => redactText(text) === text)) return;
  throw new Failure('E_INVALID_ARGS', 'The memory holds what looks like a secret, so it was not kept.', {
    hint: 'Leave the secret out; say where it is kept instead.',
  });
}

const MAX_TOLD = 50;
const MAX_TOLD_CHARACTERS = 12_000;

/** Memories to tell an agent: the newest, as many as fit. */
export function toldMemories(found: readonly Memory[]): Memory[] {
  let characters = 0;
  return found.slice(0, MAX_TOLD).filter(({ title, content }) => {
    characters += title.length + content.length;
    return characters <= MAX_TOLD_CHARACTERS;
  });
}
