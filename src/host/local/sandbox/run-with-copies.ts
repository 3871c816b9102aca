/** A command on the workspace itself, after everything in it was copied that there is room for. */
import { Failure } from '../../../failure.ts';
import type { CommandResult } from '../../ports.ts';
import type { CopiedWorkspace, Copies } from '../copies/open-copies.ts';
import { noChanges } from '../view/view-changes.ts';
import type { CapturedRequest } from './captured-commands.ts';
import { runCommand } from './run-command.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs it, and finds what it changed; where everything must have a copy and has not, nothing is run. */
export async function runWithCopies(
  copies: Copies,
  sandbox: Sandbox,
  request: CapturedRequest,
): Promise<CommandResult> {
  const { capture, confinement, signal } = request;
  const copied = await prepare(copies, request);
  if (capture.mustCover && copied.gaps.length > 0) {
    copied.forget();
    throw notCovered(copied.gaps);
  }
  try {
    const result = await runCommand(sandbox, request, confinement);
    return { ...result, changes: await copied.changes(signal) };
  } catch (error) {
    // It may have run for a while: what it changed by then is somebody's to look at.
    copied.leave();
    throw error;
  }
}

/** Where not even a beginning can be made, that is one large gap: a full disk must not keep anybody from making room. */
async function prepare(copies: Copies, { capture, signal }: CapturedRequest): Promise<CopiedWorkspace> {
  try {
    return await copies.prepare(capture.label, { signal });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const gaps = [`What the command changed is not known, because nothing could be copied: ${error.message}`];
    return { gaps, changes: async () => noChanges({ gaps, notes: [] }), forget: () => {}, leave: () => {} };
  }
}

function notCovered(gaps: readonly string[]): Failure {
  return new Failure(
    'E_UNSUPPORTED',
    `The command was not run, because not all that it might change could be taken back. ${gaps.join(' ')}`,
    {
      hint: 'Have a person approve it, or put out of the workspace what is named here.',
      details: { gaps },
    },
  );
}
