/** A session's conversation with the agent, as messages. What the agent says is for the persons who are connected. */
import type { AgentEvent } from '../../agent/conversation.ts';
import { sentences, toFailure } from '../../failure.ts';
import type { Clock } from '../../host/ports.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Session } from '../../runtime/session.ts';
import type { Conversations } from '../conversations.ts';
import { correlation, type Of, type Trouble, trouble } from './messages.ts';

export interface TalkParts {
  readonly conversations: Conversations;
  readonly runtime: Runtime;
  readonly session: Session;
  readonly clock: Clock;
  /** Keeps a message for who comes back. */
  readonly send: (message: object) => void;
  /** Only tells it: what comes later says it again. */
  readonly tell: (message: object) => void;
}

export class Talk {
  readonly #parts: TalkParts;

  constructor(parts: TalkParts) {
    this.#parts = parts;
  }

  /** Says something to the agent; gives what is wrong. */
  async say(message: Of<'user_message'>): Promise<Trouble | undefined> {
    try {
      await this.#say(message.content);
      return undefined;
    } catch (error) {
      return wrong(error, 'AGENT_ERROR', message);
    }
  }

  /** Goes on with another agent; gives what is wrong. */
  async switchAgent(message: Of<'switch_agent'>): Promise<Trouble | undefined> {
    const { conversations, runtime, session, clock, send } = this.#parts;
    const { agent_type, content = '', reason = '' } = message;
    try {
      const conversation = await conversations.of(runtime, session);
      const from_agent = conversation.agent.name;
      conversation.useAgent(agent_type);
      const timestamp = new Date(clock.now()).toISOString();
      send({ type: 'agent_switched', from_agent, to_agent: conversation.agent.name, reason, timestamp });
      if (content.trim() !== '') await this.#say(content);
      return undefined;
    } catch (error) {
      return wrong(error, 'INVALID_AGENT', message);
    }
  }

  async #say(text: string): Promise<void> {
    const { conversations, runtime, session } = this.#parts;
    let turn = '';
    await conversations.sayIn(runtime, session, text, (event) => {
      if (event.type === 'turn-started') ({ turn } = event);
      // What goes on in sub-agents is not said to the user.
      if (event.depth === 0) this.#hear(event, turn);
    });
  }

  #hear(event: AgentEvent, message_id: string): void {
    const { send, tell } = this.#parts;
    if (event.type === 'turn-started') tell({ type: 'agent_status', status: 'thinking' });
    if (event.type === 'text-added')
      tell({ type: 'assistant_message', message_id, token: event.text, is_final: false });
    if (event.type === 'tool-called') {
      const { callId: call_id, tool: tool_name } = event;
      tell({ type: 'agent_status', status: 'executing_tool', call_id, tool_name });
    }
    if (event.type === 'tool-ended') tell({ type: 'agent_status', status: 'thinking' });
    if (event.type !== 'turn-ended') return;
    const { text: content, trouble: failed } = event;
    if (failed !== undefined) send(trouble('AGENT_ERROR', sentences(failed)));
    send({ type: 'assistant_message', message_id, token: '', is_final: true, content });
    tell({ type: 'agent_status', status: failed === undefined ? 'idle' : 'error' });
  }
}

function wrong(error: unknown, code: 'AGENT_ERROR' | 'INVALID_AGENT', message: object): Trouble {
  const failure = toFailure(error);
  const isName = failure.code === 'E_INVALID_ARGS';
  return trouble(isName ? code : 'AGENT_ERROR', sentences(failure), correlation(message));
}
