/** An OpenTelemetry SDK in this process that keeps what ended, until it is disposed. */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface Traces extends Disposable {
  /** The spans that ended since the last look, the first to end first. */
  take(): ReadableSpan[];
}

/** Registers it, as an application would. */
export function recordTraces(): Traces {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    take() {
      const spans = exporter.getFinishedSpans();
      exporter.reset();
      return spans;
    },
    [Symbol.dispose]() {
      trace.disable();
      context.disable();
    },
  };
}
