/** Views that processes which are gone left behind. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import type { LeftChanges } from '../../ports.ts';
import type { Root } from '../root.ts';
import { viewChanges } from './view-changes.ts';
import { ViewFolder, type ViewOwner } from './view-folder.ts';

export interface LeftViewParts {
  /** Where views are kept. */
  readonly folder: string;
  readonly root: Root;
  /** How a view is marked that this process has. */
  readonly owner: (label: string) => ViewOwner;
  readonly isAlive: (process: string) => boolean;
}

/** Those of one workspace. */
export function leftViews({ folder, root, owner, isAlive }: LeftViewParts): LeftChanges {
  const [workspace] = root.roots;
  const leftOwner = (id: string): ViewOwner | undefined => {
    const found = new ViewFolder(folder, id).owner();
    return found?.workspace === workspace && !isAlive(found.process) ? found : undefined;
  };
  const ids = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  return {
    list: () =>
      ids().flatMap((id) => {
        const left = leftOwner(id);
        if (left === undefined) return [];
        // What is half removed is nobody's any more; it is to be dropped.
        const label = new ViewFolder(folder, id).isGone ? '' : left.label;
        return [{ id, label, isApplied: false }];
      }),
    async reopen(id) {
      const view = ids().includes(id) ? new ViewFolder(folder, id) : undefined;
      const label = leftOwner(id)?.label;
      const found = view?.found();
      if (view === undefined || label === undefined || found === undefined) throw notLeft(id);
      view.setOwner(owner(label));
      return viewChanges(view, root, found);
    },
    async drop(id) {
      if (ids().includes(id) && leftOwner(id) !== undefined) await new ViewFolder(folder, id).remove();
    },
  };
}

/** Who has not asked for a view in this long will not. */
const FORGOTTEN_MS = 7 * 86_400_000;

/** Removes views of processes that are gone, of any workspace, that nobody came for. */
export async function removeForgotten(folder: string, isAlive: LeftViewParts['isAlive']): Promise<void> {
  for (const id of existsSync(folder) ? readdirSync(folder) : []) {
    const view = new ViewFolder(folder, id);
    const found = lstatSync(view.path, { throwIfNoEntry: false });
    const isOld = found !== undefined && Date.now() - found.mtimeMs > FORGOTTEN_MS;
    const owner = view.owner();
    if (isOld && (owner === undefined || !isAlive(owner.process))) await view.remove();
  }
}

function notLeft(id: string): Failure {
  return new Failure('E_NOT_FOUND', `No changes of a command were left behind as ${JSON.stringify(id)}.`, {
    hint: 'The command ended before its changes were known, or they were taken over or dropped since.',
  });
}
