/** Runs of git that change a repository. */
import type { GitStep } from '../../host/ports.ts';
import type { GitChange, ScopedRepository } from '../../runtime/operation.ts';
import { gitFailure } from './read-git.ts';

/** Runs steps; what the last one writes, or a failure where one complains. */
export async function changeGit(
  repository: ScopedRepository,
  steps: readonly GitStep[],
  options: GitChange,
): Promise<string> {
  const output = await repository.change(steps, options);
  if (output.exitCode !== 0 || output.timedOut) throw gitFailure(output);
  return output.stdout.toString();
}
