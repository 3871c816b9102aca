/** How much of everything there is, so that no client takes what all need. */
import type { ConnectionLimits } from './connection.ts';
import type { OutboxLimits } from './outbox.ts';
import type { ToolCallLimits } from './tool-calls.ts';

const MIB = 1024 * 1024;

export interface Limits extends ConnectionLimits, OutboxLimits, ToolCallLimits {
  readonly messageBytes: number;
  readonly connections: number;
  readonly channels: number;
  /** How many calls run at once in all. */
  readonly allAtOnce: number;
  /** How much is kept in all for who comes back. */
  readonly allKeptBytes: number;
  /** How long a session that nobody is connected to can be gone on with. */
  readonly idleMs: number;
  readonly heartbeatMs: number;
  /** How long an IDE may take for a call, and how long it may be away. */
  readonly ideMs: number;
  readonly ideAwayMs: number;
  /** How many ids of messages are known again. */
  readonly seenMessages: number;
}

export const LIMITS: Limits = {
  messageBytes: 10 * MIB,
  connections: 2_000,
  channels: 4_000,
  allAtOnce: 64,
  atOnce: 16,
  calls: 1_000,
  callBytes: 32 * MIB,
  keptMessages: 1_000,
  keptBytes: 16 * MIB,
  allKeptBytes: 64 * MIB,
  pauseBytes: MIB,
  closeBytes: 32 * MIB,
  seenMessages: 2_000,
  idleMs: 30 * 60_000,
  heartbeatMs: 15_000,
  ideMs: 300_000,
  ideAwayMs: 60_000,
};
