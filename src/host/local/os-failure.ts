/** Turns an errno of the operating system into a failure that says what happened to which path. */
import { Failure, type FailureCode } from '../../failure.ts';

interface Meaning {
  readonly code: FailureCode;
  readonly message: (path: string) => string;
  readonly hint?: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: 'E_NOT_FOUND', message: (path) => `There is no ${path}.` },
  ENOTDIR: { code: 'E_NOT_DIR', message: (path) => `A part of ${path} is not a directory.` },
  EISDIR: { code: 'E_NOT_FILE', message: (path) => `${path} is a directory.` },
  ELOOP: {
    code: 'E_CONFLICT',
    message: (path) => `${path} became a link while it was being used.`,
    hint: 'Another program is changing this place; look again before you go on.',
  },
  ENAMETOOLONG: { code: 'E_INVALID_PATH', message: (path) => `The name ${path} is too long.` },
  EACCES: { code: 'E_IO', message: (path) => `The operating system does not permit access to ${path}.` },
  EPERM: { code: 'E_IO', message: (path) => `The operating system does not permit this on ${path}.` },
  EROFS: { code: 'E_IO', message: (path) => `${path} is on a read-only file system.` },
  ENOSPC: {
    code: 'E_IO',
    message: (path) => `The disk is full; ${path} was not written.`,
    hint: 'Nothing was changed. Make room and send the call again.',
  },
  EDQUOT: { code: 'E_IO', message: (path) => `The disk quota is used up; ${path} was not written.` },
  ENXIO: { code: 'E_NOT_FILE', message: (path) => `${path} is a socket or a device.` },
  EMFILE: { code: 'E_IO', message: (path) => `Too many files are open; ${path} could not be opened.` },
};

/** The failure for an error of a system call on `path`; failures pass through, other errors come back as they are. */
export function osFailure(error: unknown, path: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const meaning = MEANINGS[errno];
  const shown = JSON.stringify(path);
  if (meaning === undefined) {
    return new Failure('E_IO', `The operating system answered ${errno} for ${shown}.`, {
      details: { errno },
      cause: error,
    });
  }
  return new Failure(meaning.code, meaning.message(shown), {
    ...(meaning.hint === undefined ? {} : { hint: meaning.hint }),
    details: { errno },
    cause: error,
  });
}

/** The errno name of a system error, or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'errno' in error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
