/** The recorded calls of a workspace, decided anew: under its policy as it is, or as it would be with more rules. */
import { operations } from './capabilities/index.ts';
import type { ClosedRecord } from './journal/audit-record.ts';
import { replay, type Replayed } from './journal/replay.ts';
import type { Mode } from './policy/decide.ts';
import type { Rule } from './policy/rule.ts';
import type { Runtime } from './runtime-types.ts';

export interface ReplayOptions {
  /** In place of the mode that each call had. */
  readonly mode?: Mode | undefined;
  /** Besides those of the user's settings. */
  readonly rules?: readonly Rule[];
}

/** What would be decided otherwise. */
export function replayCalls(
  runtime: Pick<Runtime, 'policyFor'>,
  records: AsyncIterable<ClosedRecord> | Iterable<ClosedRecord>,
  { mode: chosen, rules }: ReplayOptions = {},
): Promise<Replayed> {
  const effects = new Map(operations.map(({ name, effect }) => [name, effect]));
  return replay({
    records,
    policyFor: (dialect, mode) => runtime.policyFor(dialect, chosen ?? mode, rules),
    effectOf: (operation) => effects.get(operation),
  });
}
