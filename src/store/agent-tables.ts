/** The tables of what agents say, mean to do and keep for later. */
import type { Generated } from 'kysely';

/** What the agent of a session means to do. */
export interface TodoLists {
  workspace: string;
  session: string;
  /** JSON of the items. */
  items: string;
  at: number;
}

/** A conversation with the agent, under its session's id. */
export interface Conversations {
  id: string;
  workspace: string;
  /** The first words of its user. */
  title: string;
  dialect: string;
  agent: string;
  model: string;
  mode: string;
  turns: number;
  /** When it last went on. */
  at: number;
  /** What stands for the entries up to `summarised`; null where nothing does yet. */
  summary: string | null;
  summarised: number;
  /** Results of tools up to this entry are left out. */
  pruned: number;
}

/** What was said in a conversation, in order. */
export interface ConversationEntries {
  id: Generated<number>;
  conversation: string;
  turn: string;
  /** JSON, tokens masked. */
  body: string;
}

/** What agents keep for later. */
export interface Memories {
  id: string;
  scope: 'session' | 'workspace' | 'user';
  /** Null for the user's. */
  workspace: string | null;
  /** Null but for a session's. */
  session: string | null;
  title: string;
  content: string;
  created_at: number;
  updated_at: number;
  /** The workspace of who wrote it last. */
  written_in: string;
}
