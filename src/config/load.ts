/** The layers of settings, least specific first: the user's file, then the workspace's own where it is trusted. */
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import type { Files, UserFile } from '../host/ports.ts';
import type { Locations } from '../policy/places.ts';
import type { Database } from '../store/store.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';
import { isTrusted, projectConfig, trustContent } from './trust.ts';

/** Settings as they were found. */
export interface LoadedConfig {
  readonly user: Config;
  /** Empty unless it is trusted. */
  readonly project: Config;
  /** `unfit` where nobody could trust them, such as behind a link. */
  readonly projectState: 'none' | 'trusted' | 'not-trusted' | 'unfit';
  /** Why they are unfit. */
  readonly problem?: Failure;
}

export interface ConfigSources {
  readonly userFile: UserFile;
  /** Where the workspace's own settings are; without it they are not looked at. */
  readonly project?: ProjectSources | undefined;
}

interface ProjectSources {
  readonly files: Files;
  readonly database: Database;
  readonly workspace: string;
}

/** Where the user's settings are. */
export function userConfigFile({ config }: Locations): string {
  return join(config, 'config.jsonc');
}

/** Reads the layers. A file that can't be used stops the start; an untrusted workspace's is not even parsed. */
export async function loadConfig({ userFile, project }: ConfigSources): Promise<LoadedConfig> {
  const text = userFile.read();
  // A file that is not there says nothing; one that is there and empty has lost something.
  const user = text === undefined ? {} : parseConfig(text, userFile.path);
  return { user, ...(await loadProject(project)) };
}

async function loadProject(sources: ProjectSources | undefined): Promise<Omit<LoadedConfig, 'user'>> {
  if (sources === undefined) return { project: {}, projectState: 'none' };
  const { files, database, workspace } = sources;
  const content = await trustContent(files).catch((error: unknown) => {
    // Whoever made the workspace must not be able to stop every start in it.
    if (error instanceof Failure) return error;
    throw error;
  });
  if (content instanceof Failure) return { project: {}, projectState: 'unfit', problem: content };
  if (content === undefined) return { project: {}, projectState: 'none' };
  if (!(await isTrusted(database, workspace, content))) return { project: {}, projectState: 'not-trusted' };
  return { project: projectConfig(content), projectState: 'trusted' };
}
