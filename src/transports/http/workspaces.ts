/** The workspaces that a server can open: its own, and those of registered projects. */
import { lent } from '../../runtime-pool.ts';
import type { Runtime } from '../../runtime-types.ts';

/** Their roots. */
export async function openableRoots(own: Runtime): Promise<ReadonlySet<string>> {
  return new Set([own.workspace.root, ...(await own.projectRegistry.list()).map(({ root }) => root)]);
}

/** The runtime of one, undefined where it can not be opened. Dispose it: that gives it back, and ends nothing. */
export async function openWorkspace(own: Runtime, root: string): Promise<Runtime | undefined> {
  if (own.workspace.root === root) return lent(own, () => undefined);
  const project = (await own.projectRegistry.list()).find((registered) => registered.root === root);
  return project && own.project(project.id);
}
