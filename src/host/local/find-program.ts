/** Programs by name, as a shell would find them, but never from the workspace. */
import { accessSync, constants, statSync } from 'node:fs';
import { cleanPath } from './sandbox/environment.ts';

/** The file of a program; undefined where it is not installed. */
export function findProgram(
  name: string,
  path: string | undefined,
  untrusted: readonly string[],
): string | undefined {
  return cleanPath(path, untrusted)
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find(isExecutable);
}

/** Whether a file can be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
