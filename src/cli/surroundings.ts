/** What the command line takes from its surroundings; nothing else in Handrail reads them. */
import { homedir } from 'node:os';
import { userLocations } from '../config/locations.ts';
import type { Locations } from '../policy/places.ts';
import { UsageError } from './exit-code.ts';

export interface Surroundings {
  readonly locations: Locations;
  readonly folder: string;
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Reads the environment, the home and the current folder. */
export function readSurroundings(): Surroundings {
  return {
    locations: readLocations(),
    folder: currentFolder(),
    isTerminal: process.stdout.isTTY,
    environment: process.env,
  };
}

/** Where Handrail's own things are: known wherever it is started. */
export function readLocations(): Locations {
  return userLocations(process.env, homedir());
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the current folder was deleted. Start it in one that is there.');
  }
}
