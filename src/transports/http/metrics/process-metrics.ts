/** How the server's own process does, under the names that dashboards know where there are such. */
import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, type Registry } from 'prom-client';
import { addGauge, addLabelledGauge } from './add-gauge.ts';

const LAG_RESOLUTION_MS = 20;

/** Adds them; the event loop is watched from the first look on, until it is disposed. */
export function addProcessMetrics(registry: Registry): Disposable {
  const gauge = (name: string, help: string, look: () => number): void =>
    addGauge(registry, name, help, look);
  gauge('process_start_time_seconds', 'When it started.', () => Date.now() / 1_000 - process.uptime());
  gauge('process_resident_memory_bytes', 'Memory of the machine.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'The heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory outside of the heap.', () => process.memoryUsage().external);
  const processors = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Time on processors.',
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  registry.registerMetric(processors);
  return addLoopLag(registry);
}

function addLoopLag(registry: Registry): Disposable {
  let histogram: ELDHistogram | undefined;
  addLabelledGauge(
    registry,
    ['handrail_event_loop_lag_seconds', 'quantile'],
    'How late the event loop came round since the last look.',
    () => {
      const watched = (histogram ??= watchLag());
      const late = [50, 99, 100].map((percent) => [percent / 100, secondsLate(watched.percentile(percent))]);
      watched.reset();
      return Object.fromEntries(late) as Record<string, number>;
    },
  );
  return { [Symbol.dispose]: () => histogram?.disable() };
}

function watchLag(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** The histogram holds the whole time between two looks. */
function secondsLate(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1_000);
}
