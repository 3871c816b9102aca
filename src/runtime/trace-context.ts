/** The trace that a caller is in, as W3C's Trace Context writes it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** The span that a caller is in. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads it; one that is not well formed is to be ignored, says its standard. */
export function readTraceparent(trace: TraceContext | undefined): ParentSpan | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(trace?.traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** Writes it. */
export function toTraceparent({ traceId, spanId, traceFlags }: ParentSpan): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
