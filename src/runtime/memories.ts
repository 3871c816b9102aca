/** What agents keep for later: for a session, for a workspace, or for all workspaces of the user. */

export const MEMORY_SCOPES = ['session', 'workspace', 'user'] as const;
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

export interface Memory {
  /** Tells its scope, too: see `scopeOf`. */
  readonly id: string;
  readonly scope: MemoryScope;
  readonly title: string;
  readonly content: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The workspace in which it was last written. */
  readonly writtenIn: string;
}

export type MemoryText = Pick<Memory, 'title' | 'content'>;

/** What is to be another; what is undefined stays. */
export type MemoryEdit = { readonly [Field in keyof MemoryText]?: string | undefined };

/** The memories that a call reaches: its session's, its workspace's, the user's. Newest first. */
export interface SessionMemories {
  /** Those that have every word of the query; all of them without one. */
  find(query?: string): Promise<readonly Memory[]>;
  get(id: string): Promise<Memory>;
  /** Fails where a text may not be kept. */
  check(text: MemoryEdit): void;
  create(scope: MemoryScope, text: MemoryText): Promise<Memory>;
  update(id: string, text: MemoryEdit): Promise<Memory>;
  /** As it was. */
  remove(id: string): Promise<Memory>;
}

/** The memories of a workspace and of the user, as they are kept. Without a session, those of every one are meant. */
export interface MemoryStore {
  find(session: string | undefined, query?: string): Promise<readonly Memory[]>;
  get(session: string | undefined, id: string): Promise<Memory>;
  create(session: string, scope: MemoryScope, text: MemoryText): Promise<Memory>;
  update(session: string, id: string, text: MemoryEdit): Promise<Memory>;
  remove(session: string | undefined, id: string): Promise<Memory>;
}

const LETTERS = { mem_s: 'session', mem_w: 'workspace', mem_u: 'user' } as const satisfies Record<
  string,
  MemoryScope
>;

/** How the ids of a scope begin. */
export function memoryPrefix(scope: MemoryScope): keyof typeof LETTERS {
  return `mem_${scope[0] as 's' | 'w' | 'u'}`;
}

/** The scope of a memory with this id; undefined where it is no id of one. */
export function scopeOf(id: string): MemoryScope | undefined {
  const prefix = /^(mem_[swu])_\w+$/.exec(id)?.[1] as keyof typeof LETTERS | undefined;
  return prefix && LETTERS[prefix];
}
