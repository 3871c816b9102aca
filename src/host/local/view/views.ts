/** Views of one workspace: whether there can be any, a new one for a command, and those that were left behind. */
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import { gitIndexMeaning, MAX_INDEX_BYTES } from '../../git-index-meaning.ts';
import type { CommandChanges, LeftChanges } from '../../ports.ts';
import { openRegular } from '../files.ts';
import { errnoOf, osFailure } from '../os-failure.ts';
import { localProcessTable } from '../process-table.ts';
import type { Root } from '../root.ts';
import { beginFence } from './fence.ts';
import { findChanges } from './find-changes.ts';
import { GIT_INDEX, type ViewStart } from './found-changes.ts';
import { leftViews, removeForgotten } from './left-views.ts';
import { mountOverlay, type Overlay, type OverlayPrograms, type Shown } from './overlay.ts';
import { noChanges, viewChanges } from './view-changes.ts';
import { ViewFolder } from './view-folder.ts';

export interface Views {
  /** Why there can't be any, as the end of a sentence; tried with the real thing, once. */
  whyNot(): Promise<string | undefined>;
  /** A view for one command; `within` is what `nsenter` is told so that it enters where the command will be. */
  open(label: string, within?: readonly string[]): Promise<View>;
  readonly left: LeftChanges;
}

/** Disposing it before its changes are known drops them. */
export interface View extends AsyncDisposable {
  readonly shown: Shown;
  /** What the command changed; nothing of it may run any more. */
  changes(notes: readonly string[], signal: AbortSignal): Promise<CommandChanges>;
}

/** Views kept in the state folder. */
export function localViews(
  root: Root,
  state: string,
  findProgram: (name: string) => string | undefined,
): Views {
  const folder = join(state, 'views');
  const processes = localProcessTable();
  const [workspace] = root.roots;
  const owner = (label: string) => ({ workspace, process: processes.self, label });
  const programs = (): OverlayPrograms | undefined => {
    const [unshare, nsenter, mount] = ['unshare', 'nsenter', 'mount'].map(findProgram);
    if (unshare === undefined || nsenter === undefined || mount === undefined) return undefined;
    return { unshare, nsenter, mount };
  };
  const found = programs();
  const open = (label: string, within: readonly string[] = []): Promise<View> =>
    openView(found!, root, () => makeFolder(label), within);
  const isAlive = (process: string): boolean => processes.isAlive(process);
  const makeFolder = (label: string): ViewFolder => {
    using held = root.open();
    return ViewFolder.make(folder, owner(label), held);
  };
  let tried: Promise<string | undefined> | undefined;
  const tryOnce = async (): Promise<string | undefined> => {
    if (found === undefined) return 'unshare, nsenter or mount is not installed';
    if (/[,:\\"']/.test(folder))
      return `the path of Handrail's state, ${JSON.stringify(folder)}, can't be mounted`;
    try {
      await removeForgotten(folder, isAlive);
      await using _view = await open('probe');
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  };
  return {
    whyNot: async () => whyNotNow(workspace) ?? (await (tried ??= tryOnce())),
    open,
    left: leftViews({ folder, root, owner, isAlive }),
  };
}

/** What is mounted below the workspace is not in a view of it. */
function whyNotNow(workspace: string): string | undefined {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const below = mounts.map(mountPoint).find((place) => place.startsWith(`${workspace}/`));
  return below === undefined ? undefined : `something is mounted below it, at ${JSON.stringify(below)}`;
}

/** The fifth field; blanks and the like are written as octal numbers. */
function mountPoint(line: string): string {
  const written = line.split(' ')[4] ?? '';
  return written.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );
}

async function openView(
  programs: OverlayPrograms,
  root: Root,
  makeFolder: () => ViewFolder,
  within: readonly string[],
): Promise<View> {
  const folder = makeFolder();
  try {
    const fence = beginFence(join(folder.path, 'fence'));
    const overlay = await mountOverlay(programs, root, folder.path, within);
    return viewOf(folder, overlay, root, { indexMeaning: keptIndex(root), fence: await fence() });
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Kept as it is, and looked at only where it matters. */
function keptIndex(root: Root): () => string | undefined {
  try {
    const fd = openRegular(root, GIT_INDEX);
    try {
      if (fstatSync(fd).size > MAX_INDEX_BYTES) return () => undefined;
      const content = readFileSync(fd);
      return () => gitIndexMeaning(content);
    } finally {
      closeSync(fd);
    }
  } catch {
    // There is none, or it can't be read.
    return () => undefined;
  }
}

function viewOf(folder: ViewFolder, overlay: Overlay, root: Root, start: ViewStart): View {
  let isKept = false;
  return {
    shown: overlay,
    async changes(notes, signal) {
      try {
        using upper = folder.openUpper();
        using lower = root.open();
        const changes = await findChanges({ upper, lower, merged: overlay.merged }, start, signal);
        const found = { ...changes, notes: [...notes, ...changes.notes] };
        if (found.entries.length === 0) return noChanges(found);
        folder.setFound(found);
        isKept = true;
        return viewChanges(folder, root, found);
      } catch (error) {
        throw errnoOf(error) === 'ENOENT' ? movedAway(error) : osFailure(error, folder.path);
      }
    },
    async [Symbol.asyncDispose]() {
      overlay[Symbol.dispose]();
      if (!isKept) await folder.remove();
    },
  };
}

function movedAway(cause: unknown): Failure {
  return new Failure(
    'E_CONFLICT',
    'Somebody else moved folders of the workspace that the command changed, too; nothing of it was kept.',
    { hint: 'Run the command again.', cause },
  );
}
