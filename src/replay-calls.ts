/** The recorded calls of a workspace, decided anew: under its policy as it is, or as it would be with other rules. */
import { operations } from './capabilities/index.ts';
import { parseConfig } from './config/parse.ts';
import type { Config } from './config/schema.ts';
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
  /** The text of a settings file in place of the user's own, or of the workspace's. */
  readonly settings?: { readonly of: 'user' | 'project'; readonly text: string } | undefined;
}

/** What would be decided otherwise. */
export async function replayCalls(
  runtime: Pick<Runtime, 'policyFor'>,
  records: AsyncIterable<ClosedRecord> | Iterable<ClosedRecord>,
  { mode: chosen, rules: more, settings }: ReplayOptions = {},
): Promise<Replayed> {
  const effects = new Map(operations.map(({ name, effect }) => [name, effect]));
  const config: Config = settings === undefined ? {} : parseConfig(settings.text, 'The changed settings');
  const changed = { more, ...(settings === undefined ? {} : { [settings.of]: config.rules ?? [] }) };
  return replay({
    records,
    // What the settings say counts for calls whose caller said nothing.
    policyFor: (dialect, mode) => runtime.policyFor(dialect, chosen ?? mode ?? config.mode, changed),
    effectOf: (operation) => effects.get(operation),
  });
}
