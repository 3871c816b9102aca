/** What a client may send, as it is read: a message of a known type, or what is wrong with it. */
import * as z from 'zod';

const callId = z.string().min(1).max(200);

/** What every message may carry besides: with an id it is acknowledged, and done once. */
const ENVELOPE = { message_id: z.string().min(1).max(200).optional() };

const MESSAGES = {
  tool_call: z.object({
    ...ENVELOPE,
    type: z.literal('tool_call'),
    call_id: callId,
    tool_name: z.string().min(1),
    args: z.unknown().optional(),
    arguments: z.unknown().optional(),
    requires_approval: z.boolean().optional(),
    turn: z.string().min(1).max(200).optional(),
    traceparent: z.string().max(200).optional(),
    tracestate: z.string().max(2_000).optional(),
  }),
  tool_result: z.object({
    ...ENVELOPE,
    type: z.literal('tool_result'),
    call_id: callId,
    result: z.unknown().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  hitl_decision: z.object({
    ...ENVELOPE,
    type: z.literal('hitl_decision'),
    call_id: callId,
    decision: z.enum(['approve', 'edit', 'reject']),
    /** For how long an approval counts; once where it is not said. */
    scope: z.enum(['once', 'session', 'always']).optional(),
    modified_arguments: z.unknown().optional(),
    feedback: z.string().max(2_000).optional(),
  }),
  user_message: z.object({
    ...ENVELOPE,
    type: z.literal('user_message'),
    content: z.string().min(1).max(10_000),
    role: z.literal('user').optional(),
  }),
  switch_agent: z.object({
    ...ENVELOPE,
    type: z.literal('switch_agent'),
    agent_type: z.string().min(1).max(100),
    content: z.string().max(10_000).optional(),
    reason: z.string().max(2_000).optional(),
  }),
  ack: z.object({ ...ENVELOPE, type: z.literal('ack'), seq: z.int() }),
} as const;

type Types = keyof typeof MESSAGES;
export type Incoming = { readonly [Type in Types]: z.output<(typeof MESSAGES)[Type]> }[Types];
export type Of<Type extends Types> = z.output<(typeof MESSAGES)[Type]>;

/** What went wrong with a message; the connection stays open. */
export interface Trouble {
  readonly type: 'error';
  readonly content: string;
  readonly error_code: ErrorCode;
  /** Of the message that it is about. */
  readonly message_id?: string;
  readonly call_id?: string;
}

export type ErrorCode =
  | 'INVALID_FORMAT'
  | 'INVALID_TYPE'
  | 'MISSING_FIELD'
  | 'INVALID_CALL_ID'
  | 'UNSUPPORTED'
  | 'UNAUTHORIZED'
  | 'AGENT_ERROR'
  | 'INVALID_AGENT'
  | 'INTERNAL_ERROR'
  | 'MISSED';

/** What the protocol names and only the server says, or nobody here. */
const NOT_TAKEN = new Set([
  'assistant_message',
  'agent_switched',
  'agent_status',
  'error',
  'context_update',
  'plan_update',
  'plan_progress',
  'agent_chain_update',
  'hitl_response',
]);
const MAX_SHOWN = 100;

/** Reads one message. */
export function readMessage(text: string): Incoming | Trouble {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return trouble('INVALID_FORMAT', `Invalid JSON message: ${cut((error as Error).message)}`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return trouble('INVALID_FORMAT', 'Invalid JSON message: it is not an object');
  const about = correlation(given);
  const { type } = given as { readonly type?: unknown };
  if (typeof type !== 'string') return trouble('MISSING_FIELD', 'A message needs a type.', about);
  if (NOT_TAKEN.has(type))
    return trouble('UNSUPPORTED', `This server does not take messages of the type ${type}.`, about);
  if (!Object.hasOwn(MESSAGES, type))
    return trouble('INVALID_TYPE', `Unknown message type: ${cut(type)}`, about);
  const parsed = MESSAGES[type as Types].safeParse(given);
  if (!parsed.success) return misfit(type, given, parsed.error.issues[0]!, about);
  const message: Incoming = parsed.data;
  if (message.type === 'tool_call' && message.args !== undefined && message.arguments !== undefined)
    return trouble('INVALID_FORMAT', 'tool_call takes args or arguments, not both.', about);
  return message;
}

/** An `error` as it is sent. */
export function trouble(
  error_code: ErrorCode,
  content: string,
  about: Pick<Trouble, 'message_id' | 'call_id'> = {},
): Trouble {
  return { type: 'error', content, error_code, ...about };
}

/** What tells a client which of its messages an error is about. */
export function correlation(message: object): Pick<Trouble, 'message_id' | 'call_id'> {
  const { message_id, call_id } = message as Readonly<Record<string, unknown>>;
  const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 200;
  return { ...(isShort(message_id) ? { message_id } : {}), ...(isShort(call_id) ? { call_id } : {}) };
}

function misfit(
  type: string,
  given: object,
  { path, message }: z.core.$ZodIssue,
  about: Pick<Trouble, 'message_id' | 'call_id'>,
): Trouble {
  const [field] = path;
  if (!Object.hasOwn(given, field!))
    return trouble('MISSING_FIELD', `${type} needs ${path.join('.')}.`, about);
  const code = field === 'call_id' ? 'INVALID_CALL_ID' : 'INVALID_FORMAT';
  return trouble(code, `${path.join('.')} of ${type} does not fit: ${message}.`, about);
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
