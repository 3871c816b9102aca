/** Figures that are looked at when somebody asks. */
import { Gauge, type Registry } from 'prom-client';

/** Adds one. */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  look: () => number | Promise<number>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set(await look());
    },
  });
  registry.registerMetric(gauge);
}

/** Adds one with a label; `look` gives a figure for each of its values. */
export function addLabelledGauge(
  registry: Registry,
  [name, label]: readonly [name: string, label: string],
  help: string,
  look: () => Readonly<Record<string, number>>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      for (const [value, figure] of Object.entries(look())) this.set({ [label]: value }, figure);
    },
  });
  registry.registerMetric(gauge);
}
