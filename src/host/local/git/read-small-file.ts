/** Small files that say where a repository is and how it is set up; whoever made it could have put anything in their place. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import { errnoOf } from '../os-failure.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** A pipe must not hold the call. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The content of a regular file; undefined where there is none, a link included. */
export function readSmallFile(path: string | Buffer): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return undefined;
    if (found.size > MAX_BYTES)
      throw new Failure('E_GIT', `A file of the repository has ${found.size} bytes, far more than it needs.`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
