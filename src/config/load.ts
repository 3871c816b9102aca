/** The layers of settings, least specific first: the user's file, then the workspace's own where it is trusted. */
import { join } from 'node:path';
import type { Files } from '../host/ports.ts';
import type { Locations } from '../policy/places.ts';
import type { Database } from '../store/store.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';
import { isTrusted, PROJECT_CONFIG, trustContent } from './trust.ts';

/** Settings as they were found. */
export interface LoadedConfig {
  readonly user: Config;
  /** Empty unless it is trusted. */
  readonly project: Config;
  readonly projectState: 'none' | 'trusted' | 'not-trusted';
}

export interface ConfigSources {
  readonly locations: Locations;
  readonly files: Files;
  readonly database: Database;
  readonly workspace: string;
  readonly readUserFile: (path: string) => string | undefined;
}

/** Where the user's settings are. */
export function userConfigFile({ config }: Locations): string {
  return join(config, 'config.jsonc');
}

/** Reads the layers. A file that can't be used stops the start; an untrusted workspace's is not even parsed. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const file = userConfigFile(sources.locations);
  const text = sources.readUserFile(file);
  // A file that is not there says nothing; one that is there and empty has lost something.
  const user = text === undefined ? {} : parseConfig(text, file);
  const content = await trustContent(sources.files);
  if (content === undefined) return { user, project: {}, projectState: 'none' };
  if (!(await isTrusted(sources.database, sources.workspace, content)))
    return { user, project: {}, projectState: 'not-trusted' };
  const project = content.config === undefined ? {} : parseConfig(content.config, PROJECT_CONFIG);
  return { user, project, projectState: 'trusted' };
}

const MAX_CONFIG_BYTES = 1024 * 1024;

/** A config file of the workspace, as text. */
export async function readText(files: Files, path: string): Promise<string> {
  await using file = await files.open(path);
  return Buffer.from(await file.read(0, MAX_CONFIG_BYTES)).toString('utf8');
}
