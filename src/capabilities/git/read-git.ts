/** Runs of git that only look, and what its complaints mean. */
import { Failure } from '../../failure.ts';
import type { GitStep } from '../../host/ports.ts';
import type { GitOutput, ScopedRepository } from '../../runtime/operation.ts';

/** More than anybody reads; what is shown is bounded later. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** What git writes; a failure where it complains. */
export async function readGit(
  repository: ScopedRepository,
  step: GitStep,
  maxBytes: number = MAX_BYTES,
): Promise<Buffer> {
  return answerOf(await repository.read(step, maxBytes), maxBytes);
}

/** The answer of a run; a failure where it is a complaint, or not all of it is there. */
export function answerOf(output: GitOutput, maxBytes: number): Buffer {
  if (output.exitCode !== 0 || output.timedOut) throw gitFailure(output);
  if (!output.isCut) return output.stdout;
  throw new Failure(
    'E_TOO_LARGE',
    `The answer of git has ${output.bytes} bytes, more than the ${maxBytes} that are taken.`,
    { hint: 'Ask about a single path.', details: { file_size: output.bytes, max_size: maxBytes } },
  );
}

const REVISION_COMPLAINT =
  /bad revision|ambiguous argument|unknown revision|not a valid object name|invalid object name|invalid reference/i;

const COMPLAINTS: readonly (readonly [pattern: RegExp, toFailure: (said: string) => Failure])[] = [
  [
    /\.lock': File exists/,
    () =>
      new Failure('E_CONFLICT', 'Another git is at work in the repository, or died there.', {
        hint: 'Nothing was changed. Try again; where nothing runs, remove the file index.lock in its .git folder.',
      }),
  ],
  [
    /index file (?:corrupt|smaller)|bad (?:index file|signature)|unknown index entry/,
    (said) =>
      new Failure('E_GIT', `The index of the repository is damaged: ${said}`, {
        hint: 'Remove the file .git/index and run `git reset`.',
      }),
  ],
  [
    REVISION_COMPLAINT,
    (said) =>
      new Failure('E_INVALID_REF', `There is no such commit: ${said}`, {
        hint: 'Give a branch, a tag, an id, or one of them with ~N behind it.',
      }),
  ],
  [
    /who you are|identity unknown|empty ident|auto-detect/i,
    () =>
      new Failure('E_GIT', 'git does not know who commits.', {
        hint: 'The user sets it with `git config --global user.name` and `user.email`.',
      }),
  ],
];

/** The failure for a run that did not go well. */
export function gitFailure({ stderr, timedOut, exitCode }: Omit<GitOutput, 'stdout'>): Failure {
  if (timedOut)
    return new Failure('E_TOOL_TIMEOUT', 'git took too long.', { hint: 'Ask about a single path.' });
  const said = stderr
    .split('\n')
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .find((line) => line !== '' && !/^(?:warning|hint):/.test(line));
  const known = COMPLAINTS.find(([pattern]) => pattern.test(stderr))?.[1];
  const shown = (said ?? `it ended with ${exitCode}`).slice(0, MAX_SAID);
  return known?.(shown) ?? new Failure('E_GIT', `git refused: ${shown}`);
}

const MAX_SAID = 500;
