/**
 * Trust: a workspace's own settings count only after a person said so, for exactly the content they saw. Any change of
 * a file in the settings folder ends it.
 */
import { hash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { Clock, Files } from '../host/ports.ts';
import type { Database } from '../store/store.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';

/** The workspace's folder of settings, out of reach of tools. */
export const SETTINGS_FOLDER = '.handrail';
export const PROJECT_CONFIG = `${SETTINGS_FOLDER}/config.jsonc`;

/** What there is to trust: every file of the settings folder, and one hash over all of it. */
export interface TrustContent {
  readonly files: readonly TrustedFile[];
  readonly hash: string;
}

/** A file as it was read once: what is hashed is what is shown is what is parsed. */
export interface TrustedFile {
  readonly path: string;
  readonly hash: string;
  readonly text: string;
}

const MAX_FILES = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads what there is to trust; undefined where the workspace has no settings. A link in them is a failure. */
export async function trustContent(files: Files): Promise<TrustContent | undefined> {
  if (!(await hasSettings(files))) return undefined;
  const found: TrustedFile[] = [];
  await collect(files, SETTINGS_FOLDER, found);
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    files: found,
    hash: hash('sha256', JSON.stringify(found.map(({ path, hash }) => ({ path, hash })))),
  };
}

/** Whether the workspace has a folder of settings; anything else in its place is a failure. */
export async function hasSettings(files: Files): Promise<boolean> {
  const { kind } = await files.resolve(SETTINGS_FOLDER, { followLast: false });
  if (kind !== 'missing' && kind !== 'directory') throw unfit(SETTINGS_FOLDER, 'it is not a folder');
  return kind === 'directory';
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
  const row = { workspace, hash: content.hash, at: clock.now() };
  await database
    .insertInto('trust')
    .values(row)
    .onConflict((conflict) => conflict.column('workspace').doUpdateSet(row))
    .execute();
}

/** Ends trust; false where there was none. */
export async function distrust(database: Database, workspace: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('trust')
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function collect(files: Files, folder: string, found: TrustedFile[]): Promise<void> {
  for (const { name, kind, size } of await files.list(folder)) {
    const path = `${folder}/${name}`;
    if (kind === 'directory') await collect(files, path, found);
    // A link could change what it leads to without a trace here.
    else if (kind !== 'file') throw unfit(path, 'it is not a plain file');
    else if (bytesOf(found) + size > MAX_BYTES || found.length >= MAX_FILES)
      throw unfit(path, 'there is too much in the folder');
    else found.push(await readOnce(files, path));
  }
}

function bytesOf(found: readonly TrustedFile[]): number {
  return found.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

async function readOnce(files: Files, path: string): Promise<TrustedFile> {
  await using file = await files.open(path);
  const bytes = await file.read(0, MAX_BYTES);
  return { path, hash: hash('sha256', bytes), text: Buffer.from(bytes).toString('utf8') };
}

function unfit(path: string, why: string): Failure {
  return new Failure(
    'E_UNSUPPORTED',
    `The workspace's settings can not be trusted: ${JSON.stringify(path)}: ${why}.`,
    { hint: 'They do not count as they are. Look at what is there, and remove it.' },
  );
}
