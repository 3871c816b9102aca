/**
 * A failure is trouble that can happen: it has a stable code, a message that is a sentence, and where
 * possible a hint that says what to do next. Anything else that is thrown is a bug and becomes E_INTERNAL.
 */

/** Every code an outcome can carry, with what it means to a caller. */
export const FAILURE_CODES = {
  E_INVALID_ARGS: 'the arguments do not fit the tool',
  E_NO_TOOL: 'there is no such tool here',
  E_VERSION: 'the tool exists, but not in that version',
  E_POLICY_DENIED: 'the policy says no',
  E_DENIED: 'a human said no, or nobody could be asked',
  E_PENDING: 'a human was asked, and has not answered yet',
  E_OUTSIDE_WORKSPACE: 'the path leaves the workspace',
  E_INVALID_PATH: 'the path can not name a file',
  E_NOT_FOUND: 'nothing is there',
  E_NOT_FILE: 'it is not a regular file',
  E_NOT_DIR: 'it is not a directory',
  E_TOO_LARGE: 'it is over a limit',
  E_ENCODING: 'it is not UTF-8 text',
  E_CONFLICT: 'it changed, or is in use, since it was looked at',
  E_NOT_UNIQUE: 'several places fit',
  E_PATCH: 'the patch does not apply',
  E_TOOL_TIMEOUT: 'it took too long',
  E_CANCELLED: 'the caller cancelled it',
  E_EXEC: 'a program could not be run',
  E_NO_REPOSITORY: 'there is no git repository',
  E_GIT: 'git refused',
  E_INVALID_REF: 'it is no commit or branch, or can not be the name of one',
  E_NO_PROJECT: 'no project is named, or none of that id is registered',
  E_NO_PROJECT_ROOT: 'the folder of the project is gone',
  E_IO: 'the machine refused',
  E_UNSUPPORTED: 'this can not be done here',
  E_INTERNAL: 'a bug in Handrail',
} as const;

export type FailureCode = keyof typeof FAILURE_CODES;

export interface FailureOptions {
  /** What to do next, as a sentence. */
  readonly hint?: string;
  /** Facts for programs; must be serialisable. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Expected trouble. Throw it for what can happen, and for nothing else. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}

/** What happened and what to do next, as sentences: words of a person or a program may lack the end of theirs. */
export function sentences({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string | undefined;
}): string {
  if (hint === undefined) return message;
  return `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${hint}`;
}

/** Whatever was thrown, as a failure: failures stay, an abort is a cancellation, the rest is a bug. */
export function toFailure(thrown: unknown, signal?: AbortSignal): Failure {
  if (thrown instanceof Failure) return thrown;
  if (signal?.aborted) return new Failure('E_CANCELLED', 'The call was cancelled.', { cause: thrown });
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure('E_INTERNAL', `Handrail has a bug: ${message}`, {
    hint: 'Nothing else was run for this call. Please report it with the audit record.',
    cause: thrown,
  });
}
