/** `handrail/client`. */
export { ApiFailure } from './api-failure.ts';
export { type Client, handrailClient, type InputOf, type OutputOf } from './client.ts';
export type { EventsOptions, EventsState } from './events.ts';
export type { OperationName } from './operations.ts';
export type { ClientOptions, RequestOptions } from './send.ts';
export {
  HandrailSocket,
  type SocketMessage,
  type SocketOptions,
  type ToolCallOptions,
  type ToolRequest,
  type ToolResult,
  type Verdict,
} from './socket.ts';
