/** What the user's own settings of git say about reading files and about who commits. The user chose them, not a repository. */
import { resolve } from 'node:path';
import type { CommandSurroundings } from '../sandbox/commands.ts';
import { cleanPath } from '../sandbox/environment.ts';
import { gitIdentity } from '../sandbox/git-identity.ts';
import { type GitSetting, listSettings } from './git-settings.ts';
import { readSmallFile } from './read-small-file.ts';

export interface UserSettings {
  readonly settings: readonly GitSetting[];
  readonly files: Readonly<Record<'excludes' | 'attributes' | 'identity', string>>;
}

/** Reads them; the folders of the user are not seen by confined runs, so what they name is taken along. */
export async function readUserSettings(
  program: string,
  { home, environment }: CommandSurroundings,
  untrusted: readonly string[],
): Promise<UserSettings> {
  const folder = environment['XDG_CONFIG_HOME'] ?? `${home}/.config`;
  const env = {
    HOME: home,
    PATH: cleanPath(environment['PATH'], untrusted),
    XDG_CONFIG_HOME: folder,
  };
  const settings = await listSettings(program, env);
  const named = new Map(settings);
  const content = (name: string, usual: string): string => {
    const written = named.get(name);
    const file =
      written === undefined ? `${folder}/git/${usual}` : resolve(home, written.replace(/^~\//, ''));
    return readSmallFile(file) ?? '';
  };
  return {
    settings,
    files: {
      excludes: content('core.excludesfile', 'ignore'),
      attributes: content('core.attributesfile', 'attributes'),
      identity: (await gitIdentity({ home, environment, untrusted })) ?? '',
    },
  };
}
