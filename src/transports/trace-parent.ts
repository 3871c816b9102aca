/** The trace that a request belongs to, as `traceparent` of W3C names it. */

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** Its id; one that is not well formed is to be ignored, says the standard. */
export function traceIdOf(traceparent: unknown): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
}
