/**
 * What Prometheus is told: counted as it happens, or looked at when it asks. A server has a registry of its own: several
 * may run in one process. Every label has few values: what a client makes up becomes none.
 */
import { Counter, Histogram, Registry } from 'prom-client';
import type { RuntimeEvent } from '../../../runtime/events.ts';
import { addGauge, addLabelledGauge } from './add-gauge.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { waitingCalls } from './waiting-calls.ts';

/** What is looked at when somebody asks. */
export interface LookedAt {
  /** Questions of every process on this machine that wait for an answer. */
  openApprovals(): Promise<number>;
  /** Background processes that run, of every workspace. */
  backgroundProcesses(): Promise<number>;
  /** By what carries them. */
  openSessions(): Readonly<Record<string, number>>;
  /** Who reads the feed of events. */
  eventReaders(): number;
  webSocketConnections(): number;
  /** What is kept for clients of WebSockets that may come back, in characters. */
  webSocketKept(): number;
}

export interface Metrics extends Disposable {
  /** What a runtime of this process tells. */
  hear(event: RuntimeEvent): void;
  /** A request was answered; `route` is the pattern that it fits, undefined where it fits none. */
  answered(request: {
    readonly method: string;
    readonly route: string | undefined;
    readonly status: number;
  }): void;
  /** A message went over a WebSocket. */
  message(direction: 'in' | 'out'): void;
  /** All of it, in Prometheus' text format. */
  scrape(): Promise<{ readonly type: string; readonly text: string }>;
}

/** From what only looks at memory to what somebody is asked about. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The metrics of a server. */
export function serverMetrics(looked: LookedAt): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    name: 'handrail_calls_total',
    help: 'Calls that ended.',
    labelNames: ['dialect', 'tool', 'outcome', 'decision'],
    registers,
  });
  const durations = new Histogram({
    name: 'handrail_call_duration_seconds',
    help: 'How long calls took, with the time they waited for answers.',
    labelNames: ['dialect', 'tool'],
    buckets: SECONDS,
    registers,
  });
  const requests = new Counter({
    name: 'handrail_http_requests_total',
    help: 'HTTP requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const messages = new Counter({
    name: 'handrail_websocket_messages_total',
    help: 'Messages over WebSockets.',
    labelNames: ['direction'],
    registers,
  });
  const waiting = waitingCalls(registers);
  addLookedAt(looked, registry);
  const ownProcess = addProcessMetrics(registry);
  return {
    hear(event) {
      waiting.hear(event);
      if (event.type !== 'call-ended') return;
      const { dialect, tool = 'unknown', outcome, decision = 'none', result } = event;
      calls.inc({ dialect, tool, outcome, decision });
      durations.observe({ dialect, tool }, result.duration_ms / 1_000);
    },
    answered: ({ method, route = 'none', status }) => requests.inc({ method, route, status }),
    message: (direction) => messages.inc({ direction }),
    scrape: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    [Symbol.dispose]: () => ownProcess[Symbol.dispose](),
  };
}

function addLookedAt(looked: LookedAt, registry: Registry): void {
  const gauge = (name: string, help: string, look: () => number | Promise<number>): void =>
    addGauge(registry, name, help, look);
  gauge('handrail_approvals_open', 'Questions that wait for an answer, of every process.', () =>
    looked.openApprovals(),
  );
  gauge('handrail_background_processes', 'Background processes that run.', () =>
    looked.backgroundProcesses(),
  );
  gauge('handrail_event_readers', 'Who reads the feed of events.', () => looked.eventReaders());
  gauge('handrail_websocket_connections', 'Open WebSockets.', () => looked.webSocketConnections());
  gauge('handrail_websocket_kept_characters', 'Kept for clients of WebSockets that may come back.', () =>
    looked.webSocketKept(),
  );
  addLabelledGauge(
    registry,
    ['handrail_sessions_open', 'transport'],
    'Open sessions of clients, by what carries them.',
    () => looked.openSessions(),
  );
}
