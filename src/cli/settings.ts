/** `handrail init`, `trust` and `config`: settings, and whose settings count. */
import { userConfigFile } from '../config/load.ts';
import { configJsonSchema } from '../config/schema.ts';
import { CONFIG_TEMPLATE } from '../config/template.ts';
import {
  distrust,
  INSTRUCTIONS,
  hasFolder,
  isTrusted,
  KINDS,
  PROJECT_CONFIG,
  projectConfig,
  SETTINGS_FOLDER,
  SHARED_SKILLS,
  trust,
  type TrustContent,
  trustContent,
} from '../config/trust.ts';
import { Failure } from '../failure.ts';
import { openState } from '../open-state.ts';
import { localHost } from '../host/local/host.ts';
import { localUserFile } from '../host/local/user-file.ts';
import type { Files } from '../host/ports.ts';
import type { Locations } from '../policy/places.ts';
import { confirmed } from './confirmed.ts';
import { DENIED, FAILED, FINE } from './exit-code.ts';
import { shown } from '../shown.ts';
import { note, print, printJson } from './print.ts';
import type { Surroundings } from './surroundings.ts';

/** Writes a commented file: the workspace's own, or the user's; never over one that is there. */
export async function init(
  { workspace, user }: { readonly workspace?: string; readonly user?: boolean },
  { locations, folder }: Surroundings,
): Promise<number> {
  return user === true ? initUser(locations) : initWorkspace(workspace ?? folder, locations);
}

function initUser(locations: Locations): number {
  const file = localUserFile(userConfigFile(locations));
  if (file.read() !== undefined) return isThere(file.path);
  file.write(CONFIG_TEMPLATE);
  print(file.path);
  return FINE;
}

/** Through the workspace's own files, which never lead out of it. */
async function initWorkspace(folder: string, { home }: Locations): Promise<number> {
  const { host, roots } = localHost(folder, home);
  using _host = host;
  const path = `${roots[0]}/${PROJECT_CONFIG}`;
  if (await hasFolder(host.files, SETTINGS_FOLDER)) {
    const { kind } = await host.files.resolve(PROJECT_CONFIG, { followLast: false });
    if (kind !== 'missing') return isThere(path);
  }
  await host.files.write(PROJECT_CONFIG, Buffer.from(CONFIG_TEMPLATE), { callId: host.ids.next('call') });
  print(path);
  note('It counts once it is trusted: `handrail trust`.');
  return FINE;
}

function isThere(path: string): number {
  note(`handrail: ${path} is there already; nothing was written.`);
  return FAILED;
}

/** The schema of settings files, for editors. */
export function configSchemaCommand({ isTerminal }: Surroundings): void {
  printJson(configJsonSchema(), isTerminal);
}

export interface TrustArguments {
  readonly workspace?: string;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

/** Shows the workspace's own settings, skills and instructions whole, and trusts exactly what was shown. */
export async function trustWorkspace(
  options: TrustArguments,
  { locations, folder }: Surroundings,
): Promise<number> {
  const { host, roots } = localHost(options.workspace ?? folder, locations.home);
  const [workspace] = roots;
  await using state = openState(locations);
  const { database } = state.store;
  if (options.remove === true) {
    note(
      (await distrust(database, workspace))
        ? `${workspace} is not trusted any more.`
        : `${workspace} was not trusted.`,
    );
    return FINE;
  }
  const contents = await readContents(host.files);
  if (contents.length === 0) {
    note(`${workspace} has no settings, skills or instructions of its own; there is nothing to trust.`);
    return FINE;
  }
  const files = contents.flatMap((content) => content.files);
  for (const file of files) showFile(file);
  // Settings that can't be used are not trusted either.
  for (const content of contents) if (content.folder === SETTINGS_FOLDER) projectConfig(content);
  const known = await Promise.all(contents.map((content) => isTrusted(database, workspace, content)));
  if (known.every(Boolean)) {
    note('This very content is trusted already.');
    return FINE;
  }
  if (options.yes !== true && !process.stdin.isTTY)
    note('Nobody can be asked here; --yes trusts what is shown.');
  if (options.yes !== true && !(await confirmed(`Let these ${kindsOf(contents)} count?`))) {
    note('Not trusted; nothing of it counts.');
    return DENIED;
  }
  const now = await readContents(host.files);
  if (hashesOf(now) !== hashesOf(contents)) {
    note(`handrail: the ${kindsOf(contents)} changed while they were shown; look at them again.`);
    return FAILED;
  }
  for (const content of contents) await trust(database, host.clock, workspace, content);
  note(`Trusted, until any of ${files.length} ${files.length === 1 ? 'file' : 'files'} changes.`);
  return FINE;
}

/** Skills or instructions that can't be trusted keep nobody from trusting the settings. */
async function readContents(files: Files): Promise<TrustContent[]> {
  const settings = await trustContent(files);
  const others = ([SHARED_SKILLS, INSTRUCTIONS] as const).map((folder) =>
    trustContent(files, folder).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      note(`Note: ${shown(error.message)}`);
      return undefined;
    }),
  );
  return [settings, ...(await Promise.all(others))].filter((content) => content !== undefined);
}

function showFile({ path, bytes, text }: TrustContent['files'][number]): void {
  print(`── ${shown(path)}`);
  if (bytes.includes(0)) print(`  (not text; ${bytes.length} bytes)`);
  else for (const line of text.split('\n')) print(`  ${shown(line)}`);
}

function hashesOf(contents: readonly TrustContent[]): string {
  return contents.map(({ folder, hash }) => `${folder} ${hash}`).join('\n');
}

function kindsOf(contents: readonly TrustContent[]): string {
  return contents.map(({ folder }) => KINDS[folder]).join(' and ');
}
