/** `handrail tools`: the catalogue of a dialect. */
import { describeTools } from '../create-runtime.ts';
import type { Mode } from '../policy/decide.ts';
import { print, printJson, table } from './print.ts';
import { readSettings } from './read-settings.ts';
import type { Surroundings } from './surroundings.ts';

export interface ToolsArguments {
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly json?: boolean;
}

/** Prints it; what is not given is as the settings say. */
export async function tools(
  options: ToolsArguments,
  { locations, folder, isTerminal }: Surroundings,
): Promise<void> {
  const { user, project } = await readSettings(folder, locations);
  const { dialect = 'handrail', mode } = { ...user, ...project, ...options };
  const definitions = describeTools(dialect, mode);
  if (options.json === true) {
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
