/** `handrail tools`: the catalogue of a dialect. */
import { describeTools } from '../create-runtime.ts';
import type { Mode } from '../policy/decide.ts';
import { print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface ToolsArguments {
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly json?: boolean;
}

/** Prints it. */
export function tools(
  { dialect = 'handrail', mode, json }: ToolsArguments,
  { isTerminal }: Surroundings,
): void {
  const definitions = describeTools(dialect, mode);
  if (json === true) {
    printJson(definitions, isTerminal);
    return;
  }
  const rows = definitions.map((tool) => [
    tool.name,
    tool.version,
    tool.risk,
    tool.needsApproval ? 'asks' : '',
    tool.description,
  ]);
  print(table(['TOOL', 'VERSION', 'RISK', 'APPROVAL', 'DESCRIPTION'], rows));
}
