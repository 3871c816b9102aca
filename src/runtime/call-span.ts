/**
 * The OpenTelemetry span of a call: which tool it was and how it ended, never what it was about. Where this process has no
 * SDK, not even the API is loaded, which takes as long as many calls; the call then is in the trace of its caller by name alone.
 */
import type * as OpenTelemetry from '@opentelemetry/api';
import { readTraceparent, toTraceparent, type TraceContext } from './trace-context.ts';

export interface CallSpan {
  /** Undefined where the call is in no trace. */
  readonly traceId: string | undefined;
  /** For the caller, and for who goes on from here. */
  readonly traceparent: string | undefined;
  /** What the commands of a call are told of its trace: nothing where nobody records it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Does something in the span: what is traced meanwhile is a part of it. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Does something in a span of its own, below this one. */
  part<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  end(attributes: OpenTelemetry.Attributes, errorType: string | undefined): void;
}

type Api = typeof OpenTelemetry;

/** Where the API keeps what an SDK registers, for all copies of itself in a process. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

let loading: Promise<Api> | undefined;

/** Whether this process has an SDK. */
export function isTraced(): boolean {
  return (globalThis as { [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED]?.trace !== undefined;
}

/** Begins the span of a call, below that of its caller. */
export async function startSpan(tool: string, trace: TraceContext | undefined): Promise<CallSpan> {
  const api = await (loading ??= import('@opentelemetry/api'));
  const parent = parentContext(api, trace);
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
  };
  const tracer = api.trace.getTracer('handrail');
  const span = tracer.startSpan(`execute_tool ${tool}`, { attributes }, parent);
  return recordedSpan(api, tracer, span, api.trace.setSpan(parent, span));
}

/** A call that nobody records. */
export function unrecordedSpan(trace: TraceContext | undefined): CallSpan {
  const parent = readTraceparent(trace);
  return {
    traceId: parent?.traceId,
    traceparent: parent && toTraceparent(parent),
    environment: {},
    within: (work) => work(),
    part: (_name, work) => work(),
    end: () => undefined,
  };
}

/** What the caller says counts more than what happens to be around. */
function parentContext(
  { context, trace, createTraceState }: Api,
  given: TraceContext | undefined,
): OpenTelemetry.Context {
  const parent = readTraceparent(given);
  if (parent === undefined) return context.active();
  const traceState = createTraceState(given?.tracestate);
  return trace.setSpanContext(context.active(), { ...parent, traceState, isRemote: true });
}

function recordedSpan(
  api: Api,
  tracer: OpenTelemetry.Tracer,
  span: OpenTelemetry.Span,
  context: OpenTelemetry.Context,
): CallSpan {
  const own = span.spanContext();
  const traceparent = api.isSpanContextValid(own) ? toTraceparent(own) : undefined;
  const fail = (failed: OpenTelemetry.Span): void =>
    void failed.setStatus({ code: api.SpanStatusCode.ERROR });
  return {
    traceId: traceparent === undefined ? undefined : own.traceId,
    traceparent,
    environment: span.isRecording() && traceparent !== undefined ? { TRACEPARENT: traceparent } : {},
    within: (work) => api.context.with(context, work),
    async part(name, work) {
      const part = tracer.startSpan(name, {}, context);
      try {
        return await api.context.with(api.trace.setSpan(context, part), work);
      } catch (error) {
        fail(part);
        throw error;
      } finally {
        part.end();
      }
    },
    end(attributes, errorType) {
      span.setAttributes(attributes);
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType);
        fail(span);
      }
      span.end();
    },
  };
}
