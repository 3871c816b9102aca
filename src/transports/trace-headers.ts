/** The headers of a request that say which trace it belongs to. */
import type { TraceContext } from '../runtime/trace-context.ts';

/** What they say; undefined where they say nothing. */
export function readTrace(headers: Headers): TraceContext | undefined {
  const traceparent = headers.get('traceparent');
  if (traceparent === null) return undefined;
  return { traceparent, tracestate: headers.get('tracestate') ?? undefined };
}
