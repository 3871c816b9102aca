/**
 * Trust: a workspace's own settings, skills and instructions for agents count only after a person said so, for exactly the content they
 * saw. Any change of a file in the folder ends it, for that folder: tools may write skills, and must not end what the settings deny by it.
 */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { Clock, Files } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';

/** The workspace's folder of settings, out of reach of tools. */
export const SETTINGS_FOLDER = '.handrail';
/** The workspace's folder of skills that other agents know, too. */
export const SHARED_SKILLS = '.agents/skills';
/** The workspace's instructions for agents: a single file. */
export const INSTRUCTIONS = 'AGENTS.md';
export const PROJECT_CONFIG = `${SETTINGS_FOLDER}/config.jsonc`;

/** What there is to trust: every file of the folder, and one hash over all of it. */
export interface TrustContent {
  readonly folder: TrustedFolder;
  readonly files: readonly TrustedFile[];
  readonly hash: string;
}

export type TrustedFolder = typeof SETTINGS_FOLDER | typeof SHARED_SKILLS | typeof INSTRUCTIONS;

/** A file as it was read once: what is hashed is what is shown is what is parsed. */
export interface TrustedFile {
  readonly path: string;
  readonly hash: string;
  readonly bytes: Buffer;
  readonly text: string;
}

const MAX_FILES = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads what there is to trust; undefined where the workspace has no such folder, or nothing in it. A link in it is a failure. */
export async function trustContent(
  files: Files,
  folder: TrustedFolder = SETTINGS_FOLDER,
): Promise<TrustContent | undefined> {
  if (!(await hasFolder(files, folder))) return undefined;
  const found: TrustedFile[] = [];
  const collector = new Collector(files, folder, found);
  await (folder === INSTRUCTIONS ? collector.add(folder) : collector.collect(folder));
  if (found.length === 0) return undefined;
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    folder,
    files: found,
    hash: hash('sha256', JSON.stringify(found.map(({ path, hash }) => ({ path, hash })))),
  };
}

/** Whether the workspace has such a folder; anything else in its place is a failure. */
export async function hasFolder(files: Files, folder: TrustedFolder): Promise<boolean> {
  const { kind, path } = await files.resolve(folder, { followLast: false });
  if (kind === 'missing') return false;
  if (path !== folder) throw unfit(folder, folder, 'it is behind a link');
  const isFile = folder === INSTRUCTIONS;
  if (kind !== (isFile ? 'file' : 'directory'))
    throw unfit(folder, folder, isFile ? 'it is not a plain file' : 'it is not a folder');
  return true;
}

/** The settings in it; none where it has no config file. */
export function projectConfig({ files }: TrustContent): Config {
  const file = files.find(({ path }) => path === PROJECT_CONFIG);
  return file === undefined ? {} : parseConfig(file.text, PROJECT_CONFIG);
}

/** Whether this very content is trusted in this workspace. */
export async function isTrusted(
  database: Database,
  workspace: string,
  content: TrustContent,
): Promise<boolean> {
  const row = await database
    .selectFrom('trust')
    .select('hash')
    .where('workspace', '=', workspace)
    .where('folder', '=', content.folder)
    .executeTakeFirst();
  return row?.hash === content.hash;
}

/** Trusts the content, in place of whatever was trusted before. */
export async function trust(
  database: Database,
  clock: Clock,
  workspace: string,
  content: TrustContent,
): Promise<void> {
  const { folder, hash } = content;
  const row = { workspace, folder, hash, at: clock.now() };
  await database
    .insertInto('trust')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'folder']).doUpdateSet(row))
    .execute();
}

/** Ends trust in all of it; false where there was none. */
export async function distrust(database: Database, workspace: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('trust')
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Walks down a folder, and takes every file with it. */
class Collector {
  readonly #files: Files;
  readonly #folder: TrustedFolder;
  readonly #found: TrustedFile[];
  #bytes = 0;

  constructor(files: Files, folder: TrustedFolder, found: TrustedFile[]) {
    this.#files = files;
    this.#folder = folder;
    this.#found = found;
  }

  async collect(folder: string): Promise<void> {
    for (const { name, kind, size } of await this.#files.list(folder)) {
      const path = `${folder}/${name}`;
      if (kind === 'directory') await this.collect(path);
      // A link could change what it leads to without a trace here.
      else if (kind !== 'file') throw unfit(this.#folder, path, 'it is not a plain file');
      else if (this.#bytes + size > MAX_BYTES || this.#found.length >= MAX_FILES)
        throw unfit(this.#folder, path, 'there is too much in the folder');
      else await this.add(path);
    }
  }

  async add(path: string): Promise<void> {
    await using file = await this.#files.open(path);
    const bytes = await file.read(0, MAX_BYTES);
    this.#bytes += bytes.length;
    this.#found.push({ path, hash: hash('sha256', bytes), bytes, text: bytes.toString('utf8') });
  }
}

/** What people call what is in each. */
export const KINDS: Readonly<Record<TrustedFolder, string>> = {
  [SETTINGS_FOLDER]: 'settings',
  [SHARED_SKILLS]: 'skills',
  [INSTRUCTIONS]: 'instructions',
};

function unfit(folder: TrustedFolder, path: string, why: string): Failure {
  return new Failure(
    'E_UNSUPPORTED',
    `The workspace's ${KINDS[folder]} can not be trusted: ${JSON.stringify(path)}: ${why}.`,
    { hint: 'They do not count as they are. Look at what is there, and remove it.' },
  );
}
