/** `handrail policy`: why a call would be allowed, asked or denied, and what a changed policy would have decided. */
import { createRuntime } from '../create-runtime.ts';
import type { Mode } from '../policy/decide.ts';
import { replayCalls } from '../replay-calls.ts';
import type { Runtime } from '../runtime-types.ts';
import { parseJson } from './call.ts';
import { openAudit } from './open-audit.ts';
import { shown } from '../shown.ts';
import { print, printJson, table } from './print.ts';
import { noteStart } from './note-start.ts';
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
  surroundings: Surroundings,
): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const { decision, accesses, request } = await runtime.approvalRequest(tool, parseJson(json));
  if (options.json === true) {
    printJson({ decision, accesses, request }, surroundings.isTerminal);
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
export async function policyTest(options: PolicyArguments, surroundings: Surroundings): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  const { layers, examples } = runtime.policySummary();
  print(
    table(
      ['LAYER', 'RULES'],
      layers.map(({ name, rules }) => [name, String(rules)]),
    ),
  );
  print(`${examples} ${examples === 1 ? 'example holds' : 'examples hold'}.`);
  noteStart(runtime);
}

/** Decides the recorded history anew and prints what would differ. */
export async function policyReplay(options: PolicyArguments, surroundings: Surroundings): Promise<void> {
  await using runtime = await openRuntime(options, surroundings);
  await using audit = openAudit(surroundings.locations);
  const records = audit.reader.closed(runtime.workspace.root);
  const { calls, differences } = await replayCalls(runtime, records, { mode: options.mode });
  if (options.json === true) printJson({ calls, differences }, surroundings.isTerminal);
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
}

/** A runtime as a call here would have it. */
function openRuntime(options: PolicyArguments, { locations, folder }: Surroundings): Promise<Runtime> {
  const { workspace = folder, dialect, mode } = options;
  return createRuntime({ workspace, locations, dialect, mode, readConfig: true });
}
