/** What a conversation with the agent is, for whoever shows one: the terminal, a script, a page. */
import type { Effect } from '../policy/access.ts';
import type { Mode } from '../policy/decide.ts';
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { CallEnd } from './history.ts';
import type { Session } from '../runtime/session.ts';

/** An agent: what it is told, which tools it has, and how far it may go. */
export interface AgentDefinition {
  readonly name: string;
  /** Whether people talk to it, or other agents hand it tasks. */
  readonly kind: 'primary' | 'sub-agent';
  readonly description: string;
  /** Told to the model besides the common instructions. */
  readonly prompt?: string | undefined;
  /** Tools switched on or off by name; one that is not named is on. */
  readonly tools?: Readonly<Record<string, boolean>> | undefined;
  /** What its tools may do; anything where it is not said. Without `write` its calls are read-only, whatever the mode. */
  readonly effects?: readonly Effect[] | undefined;
  /** `provider/model`, where it has its own. */
  readonly model?: string | undefined;
  readonly maxSteps?: number | undefined;
}

/** One conversation, kept under its session's id. */
export interface Conversation {
  readonly session: Session;
  readonly agent: AgentDefinition;
  /** `provider/model`. */
  readonly model: string;
  /** How much of the model's window the conversation takes. */
  readonly context: { readonly tokens: number; readonly window: number };
  /** What was said so far, for showing it again. */
  readonly said: readonly Said[];
  /** One turn: events as they happen, the last one `turn-ended`. Never throws; a second turn waits for the first. */
  say(text: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<AgentEvent>;
  /** Replaces what was said by a summary. */
  compact(signal?: AbortSignal): Promise<{ readonly before: number; readonly after: number }>;
  useModel(model: string): void;
  useAgent(name: string): void;
  useMode(mode: Mode): void;
}

export interface Said {
  readonly by: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** A conversation among others. */
export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly at: number;
  readonly turns: number;
  readonly agent: string;
  /** `provider/model`. */
  readonly model: string;
}

/** Something that was said, with the calls that the model wanted, or their results. */
export interface KeptEntry extends Said {
  readonly turn: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: unknown }[];
  readonly results: readonly KeptResult[];
}

/** What a call answered; how it ended is not known of the oldest. */
export interface KeptResult extends Partial<CallEnd> {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
}

/** The agents of a runtime, and the conversations with them. */
export interface Agents {
  readonly definitions: readonly AgentDefinition[];
  /** Models that the settings and the environment name. */
  readonly models: readonly string[];
  /** Throws a `Failure` with next steps where there is no model, agent or conversation of that name. */
  open(options?: OpenConversation): Promise<Conversation>;
  /** Newest first. */
  list(limit?: number): Promise<ConversationSummary[]>;
  /** One as it is kept, which takes no model; a `Failure` where there is none of that id. */
  show(id: string): Promise<ConversationSummary & { readonly entries: readonly KeptEntry[] }>;
}

export interface OpenConversation {
  /** An earlier one goes on. */
  readonly id?: string | undefined;
  /** The one of this session goes on, or begins. */
  readonly session?: Session | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
}

/** What happens in a turn. `depth` is 0 for the agent itself, 1 for its sub-agents, and so on. */
export type AgentEvent = { readonly depth: number } & (
  | { readonly type: 'turn-started'; readonly turn: string }
  | { readonly type: 'step-started'; readonly step: number }
  | { readonly type: 'text-added'; readonly text: string }
  | { readonly type: 'thought-added'; readonly text: string }
  | { readonly type: 'tool-called'; readonly callId: string; readonly tool: string; readonly args: unknown }
  | { readonly type: 'tool-output'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'tool-ended';
      readonly callId: string;
      readonly tool: string;
      readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled';
      /** What the model was told. */
      readonly reply: unknown;
      readonly effects: readonly ChangeEffect[];
      readonly durationMs: number;
    }
  | {
      readonly type: 'agent-started';
      readonly agent: string;
      readonly objective: string;
    }
  | { readonly type: 'agent-ended'; readonly agent: string; readonly summary: string }
  /** Something the user should know, such as instructions that were left out. */
  | { readonly type: 'noticed'; readonly text: string }
  | { readonly type: 'skill-loaded'; readonly name: string }
  | { readonly type: 'retrying'; readonly attempt: number; readonly reason: string; readonly afterMs: number }
  | { readonly type: 'compacted'; readonly before: number; readonly after: number }
  | { readonly type: 'verify-started'; readonly command: string; readonly attempt: number }
  | {
      readonly type: 'verify-ended';
      readonly command: string;
      /** `environment`: the check itself could not run. */
      readonly verdict: 'passed' | 'failed' | 'environment' | 'denied';
      readonly output: string;
    }
  | {
      readonly type: 'turn-ended';
      readonly reason: 'done' | 'cancelled' | 'step-limit' | 'going-in-circles' | 'failed';
      readonly text: string;
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
      /** What went wrong, and what to do about it. */
      readonly trouble?: { readonly message: string; readonly hint?: string | undefined } | undefined;
    }
);

/** Something that happens, said without who it happens to. */
type Happening<Event> = Event extends unknown ? Omit<Event, 'depth'> : never;
export type Emit = (event: Happening<AgentEvent>) => void;
