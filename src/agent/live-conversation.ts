/** A conversation that goes on: one turn after another, each kept as it happens. */
import { toFailure } from '../failure.ts';
import type { Mode } from '../policy/decide.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Session } from '../runtime/session.ts';
import { findAgent, sessionOf } from './built-in-agents.ts';
import { ContextMeter, type Told } from './context-meter.ts';
import type { AgentDefinition, AgentEvent, Conversation, Emit, Said } from './conversation.ts';
import { EventQueue } from './event-queue.ts';
import { type History, type HistoryKeeper, textOf } from './history.ts';
import { type Shortening, summariseNow } from './make-room.ts';
import { findModel, type ModelAddress } from './model-sources.ts';
import { openModel } from './open-model.ts';
import { providerFailure } from './retry.ts';
import type { AgentRunParts } from './run-agent.ts';
import { runVerified } from './run-verified.ts';
import { promptFor } from './system-prompt.ts';
import type { AgentWorld } from './sub-agents.ts';
import { openToolBox } from './tool-box.ts';
import { Turn } from './turn.ts';

export interface ConversationParts extends AgentWorld {
  readonly session: Session;
  readonly agent: AgentDefinition;
  readonly address: ModelAddress;
  readonly history: History;
}

export class LiveConversation implements Conversation {
  readonly #parts: ConversationParts;
  readonly #history: History;
  #session: Session;
  #agent: AgentDefinition;
  #address: ModelAddress;
  #meter: ContextMeter;
  #system = '';
  #wasNoticed = false;
  /** Skills that were told already. */
  readonly #skills = new Set<string>();
  /** The turn before the next one. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#history = parts.history;
    this.#session = parts.session;
    this.#agent = parts.agent;
    this.#address = parts.address;
    this.#meter = new ContextMeter(parts.address.window);
  }

  get session(): Session {
    return this.#session;
  }

  get agent(): AgentDefinition {
    return this.#agent;
  }

  get model(): string {
    return this.#address.name;
  }

  get context(): Conversation['context'] {
    const { tools } = openToolBox(this.#parts.runtime, sessionOf(this.#agent, this.#session));
    const told = { system: this.#system, tools, messages: this.#history.messages() };
    return { tokens: this.#meter.tokens(told), window: this.#meter.window };
  }

  get said(): readonly Said[] {
    return this.#history.entries.flatMap(({ by, message }): Said[] => {
      if (by === 'handrail') return [];
      const text =
        by === 'tool' && message.role === 'tool' ? JSON.stringify(message.content) : textOf(message);
      return text === '' ? [] : [{ by, text }];
    });
  }

  say(text: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncIterable<AgentEvent> {
    const left = new AbortController();
    const events = new EventQueue<AgentEvent>(() => left.abort());
    const ended = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
    const hear = (event: AgentEvent): void => events.add(event);
    this.#last = this.#after(this.#last, text, ended, hear).finally(() => events.close());
    return events;
  }

  async compact(signal: AbortSignal = new AbortController().signal): Promise<Shortening> {
    const turn = new Turn('', this.#address, signal);
    const shortened = this.#last.then(() => this.#shorten(turn));
    // The next turn waits for it, whatever comes of it.
    this.#last = shortened.then(
      () => undefined,
      () => undefined,
    );
    return shortened;
  }

  useModel(model: string): void {
    this.#address = findModel(model, this.#parts.sources);
    this.#meter = new ContextMeter(this.#address.window);
  }

  useAgent(name: string): void {
    this.#agent = findAgent(name, 'primary', this.#parts.definitions);
    if (this.#agent.model !== undefined) this.useModel(this.#agent.model);
  }

  useMode(mode: Mode): void {
    this.#session = { ...this.#session, mode, chosenMode: mode };
  }

  async #after(
    last: Promise<void>,
    text: string,
    signal: AbortSignal,
    hear: (event: AgentEvent) => void,
  ): Promise<void> {
    await last;
    const { runtime, turns } = this.#parts;
    const turn = new Turn(runtime.agentPorts.nextId('turn'), this.#address, signal, hear);
    turns.set(turn.id, turn);
    await this.#turn(text, turn);
    turns.delete(turn.id);
  }

  /** One turn from the user's words to its end. Never throws. */
  async #turn(text: string, turn: Turn): Promise<void> {
    const { signal } = turn;
    const emit = turn.emitAt(0);
    emit({ type: 'turn-started', turn: turn.id });
    try {
      await this.#begin(text, turn.id);
      const parts = await this.#runParts(turn, emit);
      await this.#loadSkills(text, parts);
      const end = await runVerified(parts);
      emit({ type: 'turn-ended', ...end, usage: turn.usage });
    } catch (error) {
      const { message, hint } = toFailure(error, signal);
      const reason = signal.aborted ? 'cancelled' : 'failed';
      emit({ type: 'turn-ended', reason, text: '', usage: turn.usage, trouble: { message, hint } });
    }
  }

  /** Skills that fit what the user says are told with it. */
  async #loadSkills(text: string, { runtime, session, history, emit }: AgentRunParts): Promise<void> {
    for (const { name, content } of await runtime.triggerSkills(session, text, [...this.#skills])) {
      this.#skills.add(name);
      emit({ type: 'skill-loaded', name });
      await history.tell(`The skill ${name} fits this. It says:\n\n${content}`, 'handrail');
    }
  }

  async #shorten(turn: Turn): Promise<Shortening> {
    const parts = await this.#runParts(turn, turn.emitAt(0));
    const { tools } = openToolBox(parts.runtime, parts.session);
    const told = (): Told => ({ system: parts.system, tools, messages: parts.history.messages() });
    try {
      return await summariseNow({ ...parts, told });
    } catch (error) {
      turn.signal.throwIfAborted();
      throw providerFailure(error, this.#address.name);
    }
  }

  async #begin(text: string, turn: string): Promise<void> {
    const { id, dialect, mode } = this.#session;
    const [title = ''] = text.trim().split('\n');
    const row = { id, dialect: dialect.name, agent: this.#agent.name, model: this.#address.name, mode };
    await this.#parts.runtime.agentPorts.conversations.beginTurn({ ...row, title: title.slice(0, 80) });
    this.#history.turn = turn;
    await this.#history.tell(text, 'user');
  }

  async #runParts(turn: Turn, emit: Emit): Promise<AgentRunParts> {
    const { runtime } = this.#parts;
    const [agent, address, history] = [this.#agent, this.#address, this.#history];
    const session = sessionOf(agent, this.#session);
    const { system, notices } = await promptFor(runtime, agent, session);
    if (!this.#wasNoticed) for (const text of notices) emit({ type: 'noticed', text });
    this.#wasNoticed = true;
    this.#system = system;
    const model = await openModel(address);
    const meter = this.#meter;
    const { signal } = turn;
    return { runtime, agent, session, turn, address, model, meter, system, history, emit, signal };
  }
}

/** Keeps what is said in the store. */
export function keptIn({ agentPorts }: Runtime, id: string): HistoryKeeper {
  const { conversations } = agentPorts;
  return {
    append: ({ message, ...entry }, turn) =>
      conversations.append(id, turn, JSON.stringify({ ...entry, message: lasting(message) })),
    shorten: (to) => conversations.shorten(id, to),
  };
}

/** Thoughts are of use to the model that had them, as long as it goes on. */
function lasting(message: Parameters<HistoryKeeper['append']>[0]['message']): typeof message {
  if (message.role !== 'assistant') return message;
  return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') };
}
