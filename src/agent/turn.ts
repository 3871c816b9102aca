/** A turn under way: who hears of it, and what all agents that work in it add to it. */
import type { ChangeEffect } from '../journal/change-rows.ts';
import type { Usage } from './ask-model.ts';
import type { AgentEvent, Emit } from './conversation.ts';
import type { ModelAddress } from './model-sources.ts';

export class Turn {
  readonly id: string;
  /** The model of who was spoken to. */
  readonly address: ModelAddress;
  readonly signal: AbortSignal;
  readonly effects: ChangeEffect[] = [];
  readonly #hear: (event: AgentEvent) => void;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  constructor(
    id: string,
    address: ModelAddress,
    signal: AbortSignal,
    hear: (event: AgentEvent) => void = () => {},
  ) {
    this.id = id;
    this.address = address;
    this.signal = signal;
    this.#hear = hear;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Tells of what happens to the agent itself, 0, or to one of its sub-agents. */
  emitAt(depth: number): Emit {
    return (event) => this.#hear({ ...event, depth });
  }

  used({ inputTokens, outputTokens }: Usage): void {
    this.#usage = {
      inputTokens: this.#usage.inputTokens + inputTokens,
      outputTokens: this.#usage.outputTokens + outputTokens,
    };
  }
}

/** The turns under way, by id: how a call finds the turn that it was made in. */
export type OpenTurns = Map<string, Turn>;
