/** What can be wrong with a document. */
import { Failure } from '../../../../failure.ts';

/** It is cut off or broken. */
export function damaged(why: string): Failure {
  return new Failure('E_UNSUPPORTED', `The document is damaged or cut off: ${why.slice(0, 300)}.`, {
    hint: 'Open it in its program and save it anew, or get it again.',
    details: { reason: 'damaged' },
  });
}

/** It needs a password. */
export function encrypted(): Failure {
  return new Failure('E_UNSUPPORTED', 'The document is encrypted.', {
    hint: 'Save a copy without a password, and read that.',
    details: { reason: 'encrypted' },
  });
}

/** It is something else than its name says. */
export function renamed(extension: string, what: string): Failure {
  return new Failure('E_UNSUPPORTED', `The file is not what its name (${extension}) says: it is ${what}.`, {
    hint: 'Give it the name of what it is.',
    details: { reason: 'renamed' },
  });
}

/** It takes more memory than the parser has. */
export function tooMuchMemory(): Failure {
  return new Failure('E_TOO_LARGE', 'The document takes more memory than it is given.', {
    hint: 'Ask for a smaller part of it, or convert it to text in another way.',
    details: { reason: 'limit' },
  });
}

/** Whatever a library threw, as a failure. */
export function toTrouble(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof RangeError) {
    return /call stack/.test(message)
      ? new Failure('E_TOO_LARGE', 'The document is nested too deeply.', { details: { reason: 'limit' } })
      : tooMuchMemory();
  }
  if (/allocat|out of memory|heap/i.test(message)) return tooMuchMemory();
  if (/password|encrypt/i.test(message)) return encrypted();
  return damaged(message.split('\n', 1)[0]!);
}
