/** `handrail projects`: folders that are known by an id. */
import { resolve } from 'node:path';
import { openState, type State } from '../open-state.ts';
import type { Mode } from '../policy/decide.ts';
import { overlaps, projectRegistry, type ProjectRegistry } from '../project-registry.ts';
import { shown } from '../shown.ts';
import { note, print, printJson, table } from './print.ts';
import type { Surroundings } from './surroundings.ts';

export interface ProjectsAddArguments {
  readonly folder?: string | undefined;
  readonly id?: string;
  readonly name?: string;
  readonly dialect?: string;
  readonly mode?: Mode;
}

/** Registers a folder and prints its id. */
export async function projectsAdd(
  { folder, id, name, dialect, mode }: ProjectsAddArguments,
  surroundings: Surroundings,
): Promise<void> {
  await using state = openState(surroundings.locations);
  const registry = registryOf(state, surroundings);
  const place = resolve(surroundings.folder, folder ?? '.');
  const added = await registry.add({ folder: place, id, name, settings: { dialect, mode } });
  print(added.id);
  for (const overlap of overlaps(added, await registry.list())) note(overlap);
}

/** Those that are registered. */
export async function projectsList(
  { json }: { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<void> {
  await using state = openState(surroundings.locations);
  const registry = registryOf(state, surroundings);
  const found = [];
  for (const project of await registry.list())
    found.push({ ...project, trust: await registry.settingsState(project) });
  if (json === true) printJson(found, surroundings.isTerminal);
  else if (found.length === 0) note('No project is registered yet: `handrail projects add` in its folder.');
  else {
    const rows = found.map(({ id, name, root, settings: { dialect = '', mode = '' }, trust }) => [
      id,
      shown(name),
      dialect,
      mode,
      trust,
      shown(root),
    ]);
    print(table(['PROJECT', 'NAME', 'DIALECT', 'MODE', 'SETTINGS', 'FOLDER'], rows));
  }
}

/** Forgets a project. */
export async function projectsRemove(id: string, surroundings: Surroundings): Promise<void> {
  await using state = openState(surroundings.locations);
  await registryOf(state, surroundings).remove(id);
  note(`${id} is no project any more; its folder, its undo and its audit stay.`);
}

function registryOf({ store }: State, { locations }: Surroundings): ProjectRegistry {
  return projectRegistry({ store, locations });
}
