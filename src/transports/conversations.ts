/**
 * Conversations with the agent that a server holds: each has one turn at a time, told to whoever follows, and goes on
 * whether somebody follows or not. What is said is in the store; what is held here is what a session was granted.
 */
import type {
  AgentEvent,
  Agents,
  Conversation,
  ConversationSummary,
  OpenConversation,
} from '../agent/conversation.ts';
import { Failure } from '../failure.ts';
import { maskTokensIn } from '../journal/redact.ts';
import type { Session } from '../runtime/session.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Leave } from './open-work.ts';

export interface ConversationsParts {
  /** The agents of a runtime, the same ones each time. */
  readonly agentsOf: (runtime: Runtime) => Promise<Agents>;
  /** A runtime of a workspace, until it is disposed; undefined where it can't be opened. */
  readonly hold: (workspace: string) => Promise<Runtime | undefined>;
  /** Told of the session of one that is not held any more. */
  readonly leave: Leave;
  readonly publish: (event: {
    readonly type: 'agent';
    readonly workspace: string;
    readonly conversation: string;
    readonly event: AgentEvent;
  }) => void;
}

/** What may be chosen anew with each message. */
type Choice = Omit<OpenConversation, 'id' | 'session'>;

type Hear = (event: AgentEvent) => void;

interface Held {
  readonly conversation: Conversation;
  readonly runtime: Runtime;
  /** Turns that run or wait, the running one first. */
  readonly turns: Set<AbortController>;
}

/** More are left to the store: they go on with what was said, and without what was granted. */
const MAX_HELD = 64;
const MAX_WAITING = 8;

export class Conversations implements AsyncDisposable {
  readonly #parts: ConversationsParts;
  /** By workspace and id; the one that was used last is last. */
  readonly #held = new Map<string, Held>();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  agentsOf(runtime: Runtime): Promise<Agents> {
    return this.#parts.agentsOf(runtime);
  }

  async list(runtime: Runtime, limit: number): Promise<(ConversationSummary & { isWorking: boolean })[]> {
    const agents = await this.#parts.agentsOf(runtime);
    return (await agents.list(limit)).map((one) => ({ ...one, isWorking: this.isWorking(runtime, one.id) }));
  }

  isWorking(runtime: Runtime, id: string): boolean {
    return (this.#held.get(key(runtime, id))?.turns.size ?? 0) > 0;
  }

  has({ workspace, id }: Pick<Session, 'workspace' | 'id'>): boolean {
    return this.#held.has(`${workspace}\n${id}`);
  }

  /** The session of one that is held here. */
  sessionOf(runtime: Runtime, id: string): Session | undefined {
    return this.#held.get(key(runtime, id))?.conversation.session;
  }

  /** Begins one with what the user says first; gives its id. */
  async start(runtime: Runtime, text: string, choice: Choice = {}): Promise<string> {
    const held = await this.#open(runtime, choice);
    this.#say(held, text);
    return held.conversation.session.id;
  }

  /** Says more; waits its turn where one is under way. */
  async send(runtime: Runtime, id: string, text: string, choice: Choice = {}): Promise<void> {
    const held = this.#held.get(key(runtime, id)) ?? (await this.#open(runtime, { ...choice, id }));
    const { conversation } = held;
    refuseMany(held);
    if (choice.agent !== undefined) conversation.useAgent(choice.agent);
    if (choice.model !== undefined) conversation.useModel(choice.model);
    if (choice.mode !== undefined) conversation.useMode(choice.mode);
    this.#say(held, text);
  }

  /** The conversation of a session that somebody has open; it begins with this. */
  async of(runtime: Runtime, session: Session): Promise<Conversation> {
    return (await this.#holdOf(runtime, session)).conversation;
  }

  /** Says something in it; who said so hears what comes of it, besides those who follow. */
  async sayIn(runtime: Runtime, session: Session, text: string, hear: Hear): Promise<void> {
    const held = await this.#holdOf(runtime, session);
    refuseMany(held);
    this.#say(held, text, hear);
  }

  /** Ends the turn that is under way, and those that wait; false where there is none. */
  interrupt(runtime: Runtime, id: string): boolean {
    const turns = this.#held.get(key(runtime, id))?.turns ?? new Set();
    for (const turn of turns) turn.abort();
    return turns.size > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { turns } of this.#held.values()) for (const turn of turns) turn.abort();
    await Promise.all(this.#running);
    for (const { runtime } of this.#held.values()) await runtime[Symbol.asyncDispose]();
    this.#held.clear();
  }

  async #holdOf(runtime: Runtime, session: Session): Promise<Held> {
    return this.#held.get(key(runtime, session.id)) ?? this.#open(runtime, { session });
  }

  async #open(asked: Runtime, options: OpenConversation): Promise<Held> {
    const runtime = await this.#parts.hold(asked.workspace.root);
    if (runtime === undefined) throw new Failure('E_NO_PROJECT', 'The project is not registered any more.');
    try {
      const conversation = await (await this.#parts.agentsOf(runtime)).open(options);
      const place = key(runtime, conversation.session.id);
      // Two messages at once open one conversation.
      const known = this.#held.get(place);
      const held = known ?? { conversation, runtime, turns: new Set() };
      if (known === undefined) this.#held.set(place, held);
      else await runtime[Symbol.asyncDispose]();
      return held;
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
  }

  #say(held: Held, text: string, hear?: Hear): void {
    const { conversation, runtime, turns } = held;
    const place = key(runtime, conversation.session.id);
    this.#held.delete(place);
    this.#held.set(place, held);
    const turn = new AbortController();
    turns.add(turn);
    const events = conversation.say(text, { signal: turn.signal });
    const told = this.#tell(conversation.session.id, runtime.workspace.root, events, hear).finally(
      async () => {
        turns.delete(turn);
        this.#running.delete(told);
        await this.#makeRoom();
      },
    );
    this.#running.add(told);
  }

  async #tell(
    conversation: string,
    workspace: string,
    events: AsyncIterable<AgentEvent>,
    hear: Hear = () => undefined,
  ): Promise<void> {
    for await (const happened of events) {
      const event = maskTokensIn(happened) as AgentEvent;
      hear(event);
      this.#parts.publish({ type: 'agent', workspace, conversation, event });
    }
  }

  async #makeRoom(): Promise<void> {
    const idle = [...this.#held].filter(([, { turns }]) => turns.size === 0);
    for (const [place, { conversation, runtime }] of idle.slice(0, Math.max(0, this.#held.size - MAX_HELD))) {
      this.#held.delete(place);
      await this.#parts.leave(conversation.session);
      await runtime[Symbol.asyncDispose]();
    }
  }
}

function refuseMany({ turns }: Held): void {
  if (turns.size <= MAX_WAITING) return;
  throw new Failure('E_CONFLICT', 'Too many messages wait for the turn that is under way.', {
    hint: 'Wait for its end, or interrupt it.',
  });
}

function key({ workspace }: Runtime, id: string): string {
  return `${workspace.root}\n${id}`;
}
