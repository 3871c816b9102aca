/** `handrail policy`: why a call would be allowed, asked or denied, and what a changed policy would have decided. */
import { operations } from '../capabilities/index.ts';
import { createRuntime } from '../create-runtime.ts';
import { openState } from '../open-state.ts';
import { auditReader } from '../journal/audit-reader.ts';
import { replay } from '../journal/replay.ts';
import type { Mode } from '../policy/decide.ts';
import { FINE } from './exit-code.ts';
import { parseJson } from './call.ts';
import { note, print, printJson, shown, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface PolicyArguments {
  readonly workspace?: string;
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly json?: boolean;
}

/** The decision on a call that has not happened, with its rule and layer. */
export async function policyExplain(
  tool: string,
  json: string,
  options: PolicyArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<void> {
  await using runtime = await createRuntime({
    ...options,
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  const { decision, accesses, request } = await runtime.approvalRequest(tool, parseJson(json));
  if (options.json === true) {
    printJson({ decision, accesses, request }, isTerminal);
    return;
  }
  print(`${decision.action} (${decision.rule})`);
  if ('reason' in decision) print(`  ${shown(decision.reason)}`);
  for (const { permission, resource, resolved } of accesses) {
    print(`  ${permission}  ${shown(resource)}${resource === resolved ? '' : ` -> ${shown(resolved)}`}`);
  }
  if (request?.alwaysRule !== undefined)
    print(`  "always" would write ${shown(JSON.stringify(request.alwaysRule))}`);
}

/** Loads every layer, which runs all examples. */
export async function policyTest(
  options: PolicyArguments,
  { locations, folder }: Surroundings,
): Promise<void> {
  await using runtime = await createRuntime({
    ...options,
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  const { layers, examples } = runtime.policySummary();
  print(
    table(
      ['LAYER', 'RULES'],
      layers.map(({ name, rules }) => [name, String(rules)]),
    ),
  );
  print(`${examples} ${examples === 1 ? 'example holds' : 'examples hold'}.`);
  if (runtime.projectSettings === 'not-trusted')
    note("The workspace's own settings are not trusted and do not count; `handrail trust` shows them.");
}

/** Decides the recorded history anew and prints what would differ. */
export async function policyReplay(
  options: PolicyArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<number> {
  await using runtime = await createRuntime({
    ...options,
    workspace: options.workspace ?? folder,
    locations,
    readConfig: true,
  });
  await using state = openState(locations);
  const reader = auditReader({
    state: state.directory,
    database: state.store.database,
    processes: state.processes,
  });
  const effects = new Map(operations.map(({ name, effect }) => [name, effect]));
  const { calls, differences } = await replay({
    records: reader.closed(runtime.workspace.root),
    policyFor: (dialect) => runtime.policyFor(dialect),
    effectOf: (operation) => effects.get(operation),
  });
  if (options.json === true) printJson({ calls, differences }, isTerminal);
  else {
    const rows = differences.map(({ call_id, tool, before, after, rule }) => [
      call_id,
      tool,
      before,
      after,
      rule,
    ]);
    if (rows.length > 0) print(table(['CALL', 'TOOL', 'WAS', 'WOULD BE', 'RULE'], rows));
    print(`${differences.length} of ${calls} calls would be decided otherwise.`);
  }
  return FINE;
}
