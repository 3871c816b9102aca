/** The stale guard: nobody overwrites what they have not seen. */
import { Failure } from '../../failure.ts';
import type { OperationContext } from '../../runtime/operation.ts';

/** Refuses to go on with a file that changed since the session last saw it. The call must have opened it. */
export function refuseStale(path: string, { files, settings }: OperationContext): void {
  if (!settings.refuseStale || !files.isStale(path)) return;
  throw new Failure(
    'E_CONFLICT',
    `${JSON.stringify(path)} has changed since it was last read in this session.`,
    {
      hint: 'Nothing was written. Read it again, then write what should be there now.',
    },
  );
}
