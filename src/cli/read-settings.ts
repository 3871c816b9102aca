/** The settings as a start in this folder would find them, for commands that start nothing. */
import { type LoadedConfig, loadConfig, userConfigFile } from '../config/load.ts';
import { Failure } from '../failure.ts';
import { localHost } from '../host/local/host.ts';
import { localUserFile } from '../host/local/user-file.ts';
import { openState } from '../open-state.ts';
import type { Locations } from '../policy/places.ts';

/** Reads them; in a folder that can't be a workspace, the user's alone count. */
export async function readSettings(folder: string, locations: Locations): Promise<LoadedConfig> {
  const userFile = localUserFile(userConfigFile(locations));
  const opened = openFolder(folder, locations);
  if (opened === undefined) return loadConfig({ userFile });
  using host = opened.host;
  await using state = openState(locations);
  const { database } = state.store;
  return await loadConfig({ userFile, project: { files: host.files, database, workspace: opened.roots[0] } });
}

function openFolder(folder: string, { home }: Locations): ReturnType<typeof localHost> | undefined {
  try {
    return localHost(folder, home);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
