/** `handrail init`, `trust` and `config`: settings, and whose settings count. */
import { userConfigFile } from '../config/load.ts';
import { configJsonSchema } from '../config/schema.ts';
import { CONFIG_TEMPLATE } from '../config/template.ts';
import {
  acceptTrustOffer,
  kindsIn,
  readTrustOffer,
  refuseUnusable,
  type TrustOffer,
} from '../config/trust-offer.ts';
import { distrust, hasFolder, PROJECT_CONFIG, SETTINGS_FOLDER } from '../config/trust.ts';
import { openState } from '../open-state.ts';
import { localHost } from '../host/local/host.ts';
import { localUserFile } from '../host/local/user-file.ts';
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
  const sources = { files: host.files, database, workspace };
  const offer = await readTrustOffer(sources);
  for (const problem of offer.problems) note(`Note: ${shown(problem)}`);
  if (offer.contents.length === 0) {
    note(`${workspace} has no settings, skills or instructions of its own; there is nothing to trust.`);
    return FINE;
  }
  const files = offer.contents.flatMap((content) => content.files);
  for (const file of files) showFile(file);
  refuseUnusable(offer);
  if (offer.contents.every((content) => content.isTrusted)) {
    note('This very content is trusted already.');
    return FINE;
  }
  if (options.yes !== true && !process.stdin.isTTY)
    note('Nobody can be asked here; --yes trusts what is shown.');
  if (options.yes !== true && !(await confirmed(`Let these ${kindsIn(offer)} count?`))) {
    note('Not trusted; nothing of it counts.');
    return DENIED;
  }
  await acceptTrustOffer(sources, host.clock, offer.hash);
  note(`Trusted, until any of ${files.length} ${files.length === 1 ? 'file' : 'files'} changes.`);
  return FINE;
}

function showFile({ path, bytes, text }: TrustOffer['contents'][number]['files'][number]): void {
  print(`── ${shown(path)}`);
  if (bytes.includes(0)) print(`  (not text; ${bytes.length} bytes)`);
  else for (const line of text.split('\n')) print(`  ${shown(line)}`);
}
