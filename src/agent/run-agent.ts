/**
 * The loop: the model is asked, the calls it wants are made, and so on until it wants none. Whatever goes wrong is an
 * end like any other, and the history is whole after each.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { toFailure } from '../failure.ts';
import type { Runtime } from '../runtime-types.ts';
import type { Session } from '../runtime/session.ts';
import { type Answer, askModel } from './ask-model.ts';
import { Circles, IN_CIRCLES } from './circles.ts';
import type { ContextMeter, Told } from './context-meter.ts';
import type { AgentDefinition, AgentEvent, Emit } from './conversation.ts';
import { type History, toolResult } from './history.ts';
import { makeRoom, type Room, summariseNow } from './make-room.ts';
import type { ModelAddress } from './model-sources.ts';
import type { Model } from './open-model.ts';
import { isTooLong, providerFailure, reasonOf, waitBefore } from './retry.ts';
import { type EndedCall, runCalls } from './run-calls.ts';
import { textCalls } from './text-calls.ts';
import { openToolBox, type PlannedCall, type ToolBox } from './tool-box.ts';
import type { Turn } from './turn.ts';

/** What a run of an agent needs. */
export interface AgentRunParts {
  readonly runtime: Runtime;
  readonly agent: AgentDefinition;
  /** With the agent's tools, and no others. */
  readonly session: Session;
  readonly turn: Turn;
  readonly address: ModelAddress;
  readonly model: Model;
  readonly meter: ContextMeter;
  readonly system: string;
  readonly history: History;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

type TurnEnd = Extract<AgentEvent, { type: 'turn-ended' }>;

/** How a run ended. */
export interface RunEnd {
  readonly reason: TurnEnd['reason'];
  /** The last words of the agent. */
  readonly text: string;
  readonly trouble?: TurnEnd['trouble'];
}

const MAX_STEPS = 128;

/** An agent at work on what its history ends with; it can be sent back to work. */
export class AgentRun {
  readonly #parts: AgentRunParts;
  readonly #box: ToolBox;
  readonly #circles = new Circles();
  #steps = 0;
  #text = '';

  constructor(parts: AgentRunParts) {
    this.#parts = parts;
    this.#box = openToolBox(parts.runtime, parts.session);
  }

  /** Works until there is nothing more to do. Never throws. */
  async go(): Promise<RunEnd> {
    const { signal, agent } = this.#parts;
    try {
      for (;;) {
        if (this.#steps >= (agent.maxSteps ?? MAX_STEPS)) return this.#end('step-limit', STEPS_ARE_UP);
        const next = await this.#step();
        if (next !== undefined) return next;
      }
    } catch (error) {
      if (signal.aborted) return this.#end('cancelled');
      const { message, hint } = toFailure(error, signal);
      return this.#end('failed', { message, hint });
    }
  }

  async #step(): Promise<RunEnd | undefined> {
    const { signal, emit, history, turn } = this.#parts;
    signal.throwIfAborted();
    emit({ type: 'step-started', step: ++this.#steps });
    this.#text = '';
    await this.#makeRoom(makeRoom);
    const answer = await this.#ask();
    const calls = this.#callsIn(answer);
    const isNative = answer.calls.length > 0;
    await this.#keep(answer, isNative ? calls : []);
    signal.throwIfAborted();
    if (calls.length === 0) return this.#end('done', answer.isCut ? WAS_CUT : undefined);
    const ended = await runCalls(calls, { ...this.#parts, turn: turn.id, box: this.#box });
    await this.#keepResults(ended, isNative);
    turn.effects.push(...ended.flatMap(({ effects }) => effects));
    signal.throwIfAborted();
    const verdict = this.#circles.after(
      ended.map(({ signature }) => signature),
      ended.some(({ effects }) => effects.length > 0),
    );
    if (verdict === 'end') return this.#end('going-in-circles', GOES_IN_CIRCLES);
    if (verdict === 'tell') await history.tell(IN_CIRCLES, 'handrail');
    return undefined;
  }

  /** Makes room before the window is full; where that fails, there may be room enough all the same. */
  async #makeRoom(make: (room: Room) => Promise<unknown>): Promise<void> {
    const { signal, emit } = this.#parts;
    try {
      await make({ ...this.#parts, told: () => this.#told() });
    } catch (error) {
      signal.throwIfAborted();
      emit({ type: 'noticed', text: `The conversation could not be made shorter. ${reasonOf(error)}` });
    }
  }

  /** Asks the model, again where that may help. */
  async #ask(): Promise<Answer> {
    const { model, address, signal, emit, runtime } = this.#parts;
    let wasTooLong = false;
    for (let attempt = 1; ; attempt++) {
      let trouble: unknown;
      try {
        const answer = await this.#askOnce(model);
        if (answer.broken === undefined || answer.calls.length > 0 || signal.aborted) return answer;
        await this.#keep(answer, []);
        await this.#parts.history.tell(GO_ON, 'handrail');
        trouble = answer.broken;
      } catch (error) {
        signal.throwIfAborted();
        trouble = error;
      }
      if (isTooLong(trouble) && !wasTooLong) {
        wasTooLong = true;
        await this.#makeRoom(summariseNow);
        continue;
      }
      const afterMs = waitBefore(attempt, trouble, runtime.agentPorts.now());
      if (afterMs === undefined) throw providerFailure(trouble, address.name);
      emit({ type: 'retrying', attempt, reason: reasonOf(trouble), afterMs });
      await wait(afterMs, undefined, { signal });
    }
  }

  async #askOnce(model: Model): Promise<Answer> {
    const { emit, signal, meter, turn } = this.#parts;
    const told = this.#told();
    const { system, tools, messages } = told;
    const request = {
      prompt: [{ role: 'system' as const, content: system }, ...messages],
      ...(tools.length === 0 ? {} : { tools: [...tools] }),
      abortSignal: signal,
    };
    const answer = await askModel(model, request, {
      onText: (text) => {
        this.#text += text;
        emit({ type: 'text-added', text });
      },
      onThought: (text) => emit({ type: 'thought-added', text }),
    });
    if (answer.usage !== undefined) {
      meter.learn(told, answer.usage.inputTokens);
      turn.used(answer.usage);
    }
    return answer;
  }

  #told(): Told {
    const { system, history } = this.#parts;
    return { system, tools: this.#box.tools, messages: history.messages() };
  }

  #callsIn(answer: Answer): PlannedCall[] {
    const { runtime, history } = this.#parts;
    // A model that can make calls means what it writes as text.
    const asked =
      answer.calls.length > 0 || history.hasCalls ? answer.calls : textCalls(answer.text, this.#box.names);
    return asked.map((call) => this.#box.plan(call, runtime.agentPorts.nextId('call')));
  }

  async #keep({ said }: Answer, calls: readonly PlannedCall[]): Promise<void> {
    const parts = calls.map(({ id, told, args, unreadable, metadata }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: told,
      input: unreadable === undefined ? args : {},
      ...(metadata === undefined ? {} : { providerOptions: metadata }),
    }));
    const content = [...said, ...parts];
    if (content.length === 0) return;
    await this.#parts.history.append({ by: 'assistant', message: { role: 'assistant', content } });
  }

  async #keepResults(ended: readonly EndedCall[], isNative: boolean): Promise<void> {
    const { history } = this.#parts;
    const content = ended.map(({ call, text }) =>
      toolResult({ toolCallId: call.id, toolName: call.told }, text),
    );
    const ends = Object.fromEntries(ended.map(({ call, end }) => [call.id, end]));
    if (isNative) return history.append({ by: 'tool', message: { role: 'tool', content }, ended: ends });
    const text = ended.map(({ call, text: result }) => `Result of ${call.told}: ${result}`).join('\n');
    return history.append({ by: 'tool', message: { role: 'user', content: [{ type: 'text', text }] } });
  }

  #end(reason: RunEnd['reason'], trouble?: RunEnd['trouble']): RunEnd {
    return { reason, text: this.#text, ...(trouble === undefined ? {} : { trouble }) };
  }
}

const GO_ON = 'Your answer broke off here. Go on exactly where it stopped.';
const STEPS_ARE_UP = {
  message: 'The agent took as many steps as it may.',
  hint: 'Say "go on" to let it take more.',
};
const GOES_IN_CIRCLES = {
  message: 'The agent made the same call with the same result again and again.',
  hint: 'Tell it what it is missing.',
};
const WAS_CUT = { message: 'The answer was cut: the model may not say more at once.', hint: 'Say "go on".' };
