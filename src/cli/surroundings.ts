/** What the command line takes from its surroundings; nothing else in Handrail reads them. */
import { homedir } from 'node:os';
import { userLocations } from '../config/locations.ts';
import type { Locations } from '../policy/places.ts';

export interface Surroundings {
  readonly locations: Locations;
  readonly folder: string;
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Reads the environment, the home and the current folder. */
export function readSurroundings(): Surroundings {
  return {
    locations: userLocations(process.env, homedir()),
    folder: process.cwd(),
    isTerminal: process.stdout.isTTY,
    environment: process.env,
  };
}
