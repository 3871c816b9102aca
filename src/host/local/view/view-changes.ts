/** The changes of a command that ran in a view: nothing of them is in the workspace until they are taken over. */
import { constants, openSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import type { ChangedEntry, CommandChanges, OpenFile } from '../../ports.ts';
import { openRegular } from '../files.ts';
import { KnownLines } from '../known-lines.ts';
import { LocalOpenFile } from '../open-file.ts';
import { osFailure } from '../os-failure.ts';
import type { Root } from '../root.ts';
import { findConflicts } from './conflicts.ts';
import type { FoundChanges, FoundEntry } from './found-changes.ts';
import { setMode, statIn } from './look.ts';
import { takeOver } from './take-over.ts';
import { TreeWalk } from './tree-walk.ts';
import type { ViewFolder } from './view-folder.ts';

/** The changes that were found in a view. */
export function viewChanges(folder: ViewFolder, root: Root, found: FoundChanges): CommandChanges {
  const known = new KnownLines();
  return {
    id: folder.id,
    isApplied: false,
    entries: found.entries.map(toldEntry),
    gaps: found.gaps,
    notes: found.notes,
    async open(path) {
      const fd = openChanged(folder, path);
      return fd === undefined ? openNow(root, path, known) : new LocalOpenFile(fd, known);
    },
    openBefore: async (path) => openNow(root, path, known),
    conflicts: () => findConflicts(found.entries, root.open()),
    async takeOver() {
      if (found.entries.length === 0) return;
      await folder.syncFound();
      await takeOver({
        id: folder.id,
        found,
        upper: folder.openUpper(),
        workspace: root.open(),
      });
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

/** Of a command that changed nothing, or could not. */
export function noChanges(
  { gaps, notes }: Pick<CommandChanges, 'gaps' | 'notes'> = { gaps: [], notes: [] },
): CommandChanges {
  const nothing = async (path: string): Promise<OpenFile> => {
    throw new Failure('E_NOT_FOUND', `${JSON.stringify(path)} was not changed.`);
  };
  return {
    id: 'none',
    isApplied: true,
    entries: [],
    gaps,
    notes,
    open: nothing,
    openBefore: nothing,
    conflicts: async () => [],
    takeOver: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function toldEntry({ path, before, after, bytesBefore, bytesAfter }: FoundEntry): ChangedEntry {
  return { path, before, after, bytesBefore, bytesAfter };
}

/** A file of the upper layer; undefined where it was taken over. */
function openChanged(folder: ViewFolder, path: string): number | undefined {
  try {
    using walk = new TreeWalk(folder.openUpper());
    const { folder: parent, name } = walk.parentOf(path);
    const found = statIn(parent, name);
    if (found?.isFile() !== true) return undefined;
    // Its mode is on record; here it must be readable.
    if ((found.mode & 0o400n) === 0n) setMode(parent, name, 0o600);
    return openSync(parent.entry(name), constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    throw osFailure(error, path);
  }
}

function openNow(root: Root, path: string, known: KnownLines): OpenFile {
  try {
    return new LocalOpenFile(openRegular(root, path), known);
  } catch (error) {
    throw osFailure(error, path);
  }
}
