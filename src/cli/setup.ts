/** `handrail setup`: shows what it takes for a client to use Handrail, writes it, and takes it back. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unifiedDiff } from '../capabilities/fs/unified-diff.ts';
import { describeTools } from '../create-runtime.ts';
import { Failure } from '../failure.ts';
import { localHost } from '../host/local/host.ts';
import type { StateDirectory } from '../host/ports.ts';
import { openState } from '../open-state.ts';
import { confirmed } from './confirmed.ts';
import { DENIED, FINE, UsageError } from './exit-code.ts';
import { shown } from '../shown.ts';
import { note, print, table } from './print.ts';
import type { Client, ClientSettings, FileChanges, Server, UserFolder } from './setup/client.ts';
import { type ClientFile, userFile, workspaceFile } from './setup/client-file.ts';
import { type ClientName, clients } from './setup/clients.ts';
import { type FilePlan, planRemoval, planSetup } from './setup/plan.ts';
import { forgetPreImage, keepPreImage, readPreImage } from './setup/pre-image.ts';
import type { Surroundings } from './surroundings.ts';

export interface SetupArguments {
  readonly client?: string | undefined;
  readonly workspace?: string;
  readonly user?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Lists the clients, or sets one up: for one workspace, or in the user's own settings for every folder. */
export async function setup(options: SetupArguments, surroundings: Surroundings): Promise<number> {
  if (options.client === undefined) return listClients(surroundings);
  const client = findClient(options.client);
  await using state = openState(surroundings.locations);
  if (options.user === true) {
    const filesOf = (changes: FileChanges): ClientFile[] => userFiles(changes, surroundings);
    return await setUp(options, client.user(server()), filesOf, state.directory);
  }
  const { host, roots } = localHost(options.workspace ?? surroundings.folder, surroundings.locations.home);
  using _host = host;
  const [root] = roots;
  const { files, remarks } = client.workspace(server(root));
  const settings = {
    files,
    remarks: [...remarks, 'The files name places on this machine: keep them out of version control.'],
  };
  const filesOf = ({ names }: FileChanges): ClientFile[] =>
    names.map((name) => workspaceFile(host, root, name));
  return await setUp(options, settings, filesOf, state.directory);
}

function listClients(surroundings: Surroundings): number {
  const rows = Object.entries(clients).map(([name, client]) => [
    name,
    client.title,
    seemsInstalled(client, surroundings) ? 'seems installed' : '',
  ]);
  print(table(['CLIENT', 'WHAT IT IS', ''], rows));
  note('`handrail setup CLIENT` shows what it would write, then asks.');
  return FINE;
}

function seemsInstalled({ programs, trace }: Client, surroundings: Surroundings): boolean {
  const folders = (surroundings.environment['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const places = folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  return [join(folderOf(trace.folder, surroundings).path, trace.name), ...places].some(existsSync);
}

function findClient(name: string): Client {
  if (Object.hasOwn(clients, name)) return clients[name as ClientName];
  const names = Object.keys(clients).join(', ');
  throw new UsageError(`there is no client ${JSON.stringify(name)}; it is one of ${names}.`);
}

/** What a client starts. In the user's settings no workspace is named: it is the folder that the client works in. */
function server(workspace?: string): Server {
  const launcher = fileURLToPath(new URL('../../bin/handrail.js', import.meta.url));
  const args = [launcher, 'mcp', ...(workspace === undefined ? [] : ['--workspace', workspace])];
  refuseVariables([process.execPath, ...args]);
  return {
    command: process.execPath,
    args,
    // As MCP lists them: many models refuse names with dots.
    tools: describeTools('handrail').map(({ name }) => name.replaceAll('.', '_')),
  };
}

/** Most clients put variables into what they start, and know no way to write such a text as it is. */
function refuseVariables(words: readonly string[]): void {
  const word = words.find((text) => /\$|\{(?:env|file):/.test(text));
  if (word === undefined) return;
  throw new Failure('E_UNSUPPORTED', `${JSON.stringify(word)} looks like a variable to clients.`, {
    hint: 'Nothing was written. Give the folder another name.',
  });
}

function userFiles({ folder, names }: FileChanges, surroundings: Surroundings): ClientFile[] {
  const { path, tree } = folderOf(folder!, surroundings);
  return names.map((name) => userFile(join(path, name), tree));
}

/** Where a folder of the user is, and the tree that no link in it may leave. */
function folderOf(
  { path, variable }: UserFolder,
  { environment, locations }: Surroundings,
): { path: string; tree: string } {
  const named = variable === undefined ? undefined : environment[variable];
  if (named !== undefined && isAbsolute(named)) return { path: named, tree: named };
  return { path: join(locations.home, path), tree: locations.home };
}

async function setUp(
  options: SetupArguments,
  settings: ClientSettings,
  filesOf: (changes: FileChanges) => readonly ClientFile[],
  state: StateDirectory,
): Promise<number> {
  const isRemoval = options.remove === true;
  const plans: FilePlan[] = [];
  for (const changes of settings.files) {
    for (const file of await chosen(filesOf(changes), isRemoval)) {
      const plan = isRemoval ? planRemoval : planSetup;
      plans.push(await plan(file, changes.changes, readPreImage(state, file.path)));
    }
  }
  const edits = plans.filter(({ now, next }) => now !== next);
  for (const edit of edits) show(edit);
  if (!isRemoval) for (const remark of settings.remarks) note(remark);
  if (edits.length === 0) {
    note(isRemoval ? 'Nothing of a setup is there; nothing to take back.' : 'All of it is there already.');
    return FINE;
  }
  if (options.dryRun === true) {
    note('Nothing was written.');
    return FINE;
  }
  if (!(await isWanted(options))) {
    note('Nothing was written.');
    return DENIED;
  }
  await carryOut(edits, state);
  note(isRemoval ? 'Taken back.' : 'Written. Start the client anew; `--remove` takes it back.');
  return FINE;
}

/** A setup edits one file of several that a client reads; a removal looks at all that are there. */
async function chosen(files: readonly ClientFile[], isRemoval: boolean): Promise<readonly ClientFile[]> {
  const present: ClientFile[] = [];
  for (const file of files) if ((await file.read()) !== undefined) present.push(file);
  return isRemoval ? present : [present.at(-1) ?? files[0]!];
}

function show({ file, now, next }: FilePlan): void {
  const what = now === undefined ? ' (new)' : next === undefined ? ' (removed)' : '';
  print(`── ${shown(file.path)}${what}`);
  const [, , ...lines] = unifiedDiff(file.path, now, next).diff.trimEnd().split('\n');
  for (const line of lines) print(shown(line.replace(/\r$/, '')));
}

async function isWanted({ yes, remove }: SetupArguments): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY) note('Nobody can be asked here; --yes writes what is shown.');
  return await confirmed(remove === true ? 'Take this back?' : 'Write this?');
}

/** What was shown is what is replaced. What was there is kept first, so that it is never lost. */
async function carryOut(edits: readonly FilePlan[], state: StateDirectory): Promise<void> {
  for (const { file, now } of edits) if ((await file.read()) !== now) throw changedMeanwhile(file);
  for (const { file, next, image, withFolder } of edits) {
    if (image !== undefined) keepPreImage(state, file.path, image);
    if (next === undefined) await file.remove({ withFolder });
    else await file.write(next);
    if (image === undefined) forgetPreImage(state, file.path);
  }
}

function changedMeanwhile({ path }: ClientFile): Failure {
  return new Failure('E_CONFLICT', `${JSON.stringify(path)} changed while it was shown.`, {
    hint: 'Nothing was written. Look at it again.',
  });
}
