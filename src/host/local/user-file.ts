/** A file of the user's own config folder; a person's to write, never a tool's. A link to it is followed, and stays. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../failure.ts';
import type { UserFile } from '../ports.ts';
import { errnoOf, osFailure } from './os-failure.ts';

/** The file at an absolute path, whether it is there or not. */
export function localUserFile(path: string): UserFile {
  return { path, read: () => read(path), write: (text) => write(path, text), canWrite: () => canWrite(path) };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw osFailure(error, path);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    throw new Failure('E_NOT_FOUND', `${JSON.stringify(path)} is a link that leads nowhere.`, {
      hint: 'Remove the link, or put the file back that it leads to.',
    });
  }
}

/** In one step: whoever reads it meanwhile finds the old text or the new one. */
function write(path: string, text: string): void {
  const temporary = `${realPath(path)}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(temporary), { recursive: true, mode: 0o700 });
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    chmodSync(temporary, mode & 0o777);
    renameSync(temporary, realPath(path));
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary);
    throw osFailure(error, path);
  }
}

function canWrite(path: string): boolean {
  let folder = dirname(realPath(path));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
