/** The stale guard: nobody overwrites what they have not seen. */
import { Failure } from '../../failure.ts';
import type { OperationContext } from '../../runtime/operation.ts';

/** Refuses to go on with a file that changed since the session last saw it. The call must have opened it. */
export function refuseStale(path: string, { files, settings }: OperationContext): void {
  if (settings.refuseStale && files.isStale(path))
    throw stale(path, 'written', 'write what should be there now');
}

/** Refuses to delete what changed since the session last saw it, or a directory that holds such a file. */
export async function refuseStaleTree(path: string, { files, settings }: OperationContext): Promise<void> {
  const changed = settings.refuseStale ? await files.staleIn(path) : undefined;
  if (changed !== undefined) throw stale(changed, 'deleted', 'delete it if it should still go');
}

function stale(path: string, done: string, next: string): Failure {
  return new Failure(
    'E_CONFLICT',
    `${JSON.stringify(path)} has changed since it was last read in this session.`,
    { hint: `Nothing was ${done}. Read it again, then ${next}.` },
  );
}
