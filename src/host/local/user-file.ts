/** Files of the user's own config folder; a person's to write, never a tool's. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, osFailure } from './os-failure.ts';

/** The text of a file; undefined where there is none. */
export function readUserFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw osFailure(error, path);
  }
}

/** Writes a file in one step, with its folder. */
export function writeUserFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    throw osFailure(error, path);
  }
}
