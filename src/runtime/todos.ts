/** What an agent means to do, as it wrote it down for itself and for whoever watches. */

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly priority: 'high' | 'medium' | 'low';
}

/** The list of the session that a call belongs to. */
export interface SessionTodos {
  readonly session: string;
  read(): Promise<readonly TodoItem[]>;
  /** Puts another list in place of the whole. */
  replace(items: readonly TodoItem[]): Promise<void>;
}

/** The lists of all sessions of a workspace. */
export interface TodoLists {
  read(session: string): Promise<readonly TodoItem[]>;
  replace(session: string, items: readonly TodoItem[]): Promise<void>;
}
