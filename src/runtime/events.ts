/** What the runtime tells everyone who listens, as it happens. A listener can't break a call. */
import type { ApprovalRequest } from '../policy/approvals.ts';
import type { ToolCallResult } from './envelope.ts';
import type { DisplayMessage, UserAnswer, UserQuestion } from './people.ts';
import type { TodoItem } from './todos.ts';

interface AboutCall {
  readonly callId: string;
  readonly session: string;
  readonly at: number;
}

export type RuntimeEvent =
  | (AboutCall & {
      readonly type: 'call-started';
      readonly dialect: string;
      readonly tool: string;
      readonly args: unknown;
    })
  | (AboutCall & { readonly type: 'approval-requested'; readonly request: ApprovalRequest })
  | (AboutCall & {
      readonly type: 'approval-answered';
      readonly approval: string;
      readonly answer: 'once' | 'session' | 'always' | 'edit';
      /** Why the rule of an "always" could not be written; the answer then counts for the session. */
      readonly notRemembered?: string | undefined;
    })
  | (AboutCall & { readonly type: 'displayed'; readonly message: DisplayMessage })
  | (AboutCall & { readonly type: 'question-asked'; readonly question: UserQuestion })
  | (AboutCall & {
      readonly type: 'question-answered';
      readonly question: string;
      readonly answer: UserAnswer['kind'];
    })
  | (AboutCall & { readonly type: 'output-added'; readonly text: string })
  | (AboutCall & { readonly type: 'todos-changed'; readonly items: readonly TodoItem[] })
  | (AboutCall & {
      readonly type: 'call-ended';
      readonly dialect: string;
      /** As its dialect names it; undefined where it has no such tool. */
      readonly tool: string | undefined;
      readonly outcome: string;
      /** What the policy said, where the call came to that. */
      readonly decision: string | undefined;
      readonly result: ToolCallResult;
    })
  | ProcessEvent;

/** About a background process, whatever call started it. */
export type ProcessEvent = {
  readonly process: string;
  readonly session: string;
  readonly at: number;
} & (
  | {
      readonly type: 'process-output';
      /** The newest of it: of much output at once only the end. */
      readonly text: string;
      /** The byte of the whole output that it starts at. */
      readonly position: number;
    }
  | {
      readonly type: 'process-ended';
      readonly by: string;
      readonly exitCode: number | undefined;
    }
);

export type EventListener = (event: RuntimeEvent) => void;

/** Hears what happens in every workspace of the process. It is nobody that something could be shown to. */
export type Observer = (event: RuntimeEvent, workspace: string) => void;

export class Events {
  readonly #workspace: string;
  readonly #observers: ReadonlySet<Observer>;
  readonly #listeners = new Set<EventListener>();

  constructor(workspace: string, observers: ReadonlySet<Observer>) {
    this.#workspace = workspace;
    this.#observers = observers;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  get hasObservers(): boolean {
    return this.#observers.size > 0;
  }

  /** Listens until the returned function is called. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells everyone who listens, and the one who listens to this call alone. */
  emit(event: RuntimeEvent, also?: EventListener): void {
    for (const hear of [...this.#listeners, ...this.#observers, ...(also === undefined ? [] : [also])]) {
      try {
        hear(event, this.#workspace);
      } catch (error) {
        // A listener's trouble is its own; it must surface somewhere, but not in the call.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
