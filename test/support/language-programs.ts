/** Where the language servers are that the tests use, and why one is missing. `npm test` installs them. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { leftOut } from '../host/local/fixtures/left-out.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDERS = [join(PROJECT, '.tmp/peers/node_modules/.bin'), join(PROJECT, 'node_modules/.bin')];

/** A search path that has them. */
export const LANGUAGE_PATH = [...FOLDERS, process.env['PATH'] ?? ''].join(delimiter);

/** The file of a program on it. */
export function languageProgram(name: string): string | undefined {
  return LANGUAGE_PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Why a test can't run without these programs, said aloud; undefined where it can. */
export function whyNoPrograms(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => languageProgram(name) === undefined);
  return missing.length === 0
    ? undefined
    : leftOut(`${missing.join(', ')} not installed: run \`node scripts/test.js\` as root`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
