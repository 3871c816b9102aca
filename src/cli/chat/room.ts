/** What a slash command sees of the chat it is used in. */
import type { Agents, Conversation, OpenConversation } from '../../agent/conversation.ts';
import type { Runtime } from '../../runtime-types.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Line } from './spans.ts';

export interface Room {
  readonly runtime: Runtime;
  readonly agents: Agents;
  readonly surroundings: Surroundings;
  readonly conversation: Conversation;
  /** What the last tool said, whole. */
  readonly output: string;
  readonly width: number;
  /** Fires when the person cancels. */
  readonly signal: AbortSignal;
  readonly print: (lines: readonly Line[]) => void;
  /** Plain text, line by line. */
  readonly say: (text: string) => void;
  /** Goes on with another conversation. */
  readonly open: (options: OpenConversation) => Promise<void>;
  readonly leave: () => void;
}
