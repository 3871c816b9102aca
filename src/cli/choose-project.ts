/** `--project`: the project's folder as the workspace, and what the project says about new sessions. */
import type { Command } from 'commander';
import { openState } from '../open-state.ts';
import { projectRegistry } from '../project-registry.ts';
import type { Surroundings } from './surroundings.ts';

/** Fills in what a project stands for; what is written on the command line counts more. */
export async function chooseProject(
  command: Command,
  id: string,
  { locations }: Surroundings,
): Promise<void> {
  await using state = openState(locations);
  const { root, settings } = await projectRegistry({ store: state.store, locations }).locate(id);
  const { dialect = settings.dialect, mode = settings.mode } = command.opts();
  for (const [option, value] of Object.entries({ workspace: root, dialect, mode }))
    command.setOptionValue(option, value);
}
