/** This machine as the host of a workspace, for who may be one. */
import { Failure } from './failure.ts';
import { localHost } from './host/local/host.ts';
import { spellings } from './host/local/root.ts';
import { homeCredentials, type Locations } from './policy/places.ts';

/** Opens a folder as a workspace, or fails with the reason it can't be one. Without an environment it runs nothing. */
export function openHost(
  workspace: string,
  locations: Locations,
  environment?: Readonly<Record<string, string | undefined>>,
): ReturnType<typeof localHost> {
  const { home, state, config } = locations;
  const surroundings = environment && { state, config, environment };
  const opened = localHost(workspace, home, surroundings);
  if (!isClosed(opened.roots[0], locations)) return opened;
  opened.host[Symbol.dispose]();
  throw new Failure('E_UNSUPPORTED', "The workspace lies in Handrail's own folders, or among credentials.", {
    hint: 'Choose a project folder, or set XDG_STATE_HOME to another place.',
  });
}

/** Places out of reach can lie in a workspace, behind a wall of their own; a workspace can't lie in them. */
function isClosed(root: string, locations: Locations): boolean {
  const holds = (folder: string): boolean => root === folder || root.startsWith(`${folder}/`);
  const closed = [locations.state, locations.config, ...homeCredentials(locations)].flatMap(spellings);
  return closed.some(holds) || root.split('/').includes('.ssh');
}
