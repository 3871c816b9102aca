/** What a client says about a call beside its arguments: whose it is, which turn it belongs to, which trace. */
import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';

export interface CallMeta {
  /** Who sent it, where each request says so. */
  readonly client: string | undefined;
  readonly session: string | undefined;
  readonly turn: string | undefined;
  readonly traceId: string | undefined;
}

const MAX_ID = 200;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** Reads it from a request's `_meta`. */
export function readCallMeta({ _meta: meta = {}, envelope = {} }: ServerContext['mcpReq']): CallMeta {
  const client = (envelope as Readonly<Record<string, Implementation | undefined>>)[CLIENT_INFO_META_KEY];
  const traceparent = meta[TRACEPARENT_META_KEY];
  return {
    client: client?.name,
    session: idIn(meta, 'handrail/session'),
    turn: idIn(meta, 'handrail/turn'),
    // A trace that is not well formed is to be ignored, says its standard.
    traceId: typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined,
  };
}

function idIn(meta: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const id = meta[key];
  if (id === undefined || (typeof id === 'string' && id.length > 0 && id.length <= MAX_ID)) return id;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta["${key}"] is a text of 1 to ${MAX_ID} characters.`,
  );
}
