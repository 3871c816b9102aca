/** Where Handrail keeps its things for a user. Pure: the environment and the home come from the caller. */
import { isAbsolute, join } from 'node:path';
import type { Locations } from '../policy/places.ts';

/** The user's folders by the XDG rules: a relative value in the environment does not count. */
export function userLocations(env: Readonly<Record<string, string | undefined>>, home: string): Locations {
  const folder = (value: string | undefined, fallback: string): string =>
    join(value !== undefined && isAbsolute(value) ? value : join(home, fallback), 'handrail');
  return {
    home,
    state: folder(env['XDG_STATE_HOME'], '.local/state'),
    config: folder(env['XDG_CONFIG_HOME'], '.config'),
  };
}
