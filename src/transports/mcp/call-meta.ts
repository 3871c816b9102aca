/** What a client says about a call beside its arguments: in which project, whose it is, which turn it belongs to, which trace. */
import type { TraceContext } from '../../runtime/trace-context.ts';
import { INVALID_PARAMS, isRecord, RpcError } from './rpc-peer.ts';

export interface CallMeta {
  /** Who sent it, where each request says so. */
  readonly client: string | undefined;
  /** The project it is for, where that is not the connection's own. */
  readonly project: string | undefined;
  readonly session: string | undefined;
  readonly turn: string | undefined;
  readonly trace: TraceContext | undefined;
}

/** What a request says about itself. */
export interface RequestWords {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** From 2026-07-28 on. */
  readonly envelope?: unknown;
}

/** Where a request names its project. */
export const PROJECT_KEY = 'handrail/project';
const MAX_ID = 200;
/** As the protocol names it. */
const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/** Reads it from a request's `_meta`. */
export function readCallMeta({ _meta: meta = {}, envelope }: RequestWords): CallMeta {
  return {
    client: nameIn(envelope),
    project: idIn(meta, PROJECT_KEY),
    session: idIn(meta, 'handrail/session'),
    turn: idIn(meta, 'handrail/turn'),
    trace: traceIn(meta),
  };
}

/** The name that a client gives itself. */
function nameIn(envelope: unknown): string | undefined {
  const client = isRecord(envelope) ? envelope[CLIENT_INFO_KEY] : undefined;
  return isRecord(client) && typeof client['name'] === 'string' ? client['name'] : undefined;
}

/** Under the names that the protocol gives them. */
function traceIn({ traceparent, tracestate }: Readonly<Record<string, unknown>>): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}

function idIn(meta: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const id = meta[key];
  if (id === undefined || (typeof id === 'string' && id.length > 0 && id.length <= MAX_ID)) return id;
  throw new RpcError(INVALID_PARAMS, `_meta["${key}"] is a text of 1 to ${MAX_ID} characters.`);
}
