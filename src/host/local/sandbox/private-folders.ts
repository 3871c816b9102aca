/** Folders of Handrail's state that commands may write: caches of a workspace, and the `/tmp` of a session in it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { osFailure } from '../os-failure.ts';

export interface PrivateFolders extends Disposable {
  /** Kept from one process to the next. */
  caches(): string;
  /** Kept until this is disposed. */
  temporary(session: string): string;
  /** A folder for what only Handrail itself uses. */
  own(): string;
}

/** What a process that was killed left behind is removed after this long. */
const LEFT_BEHIND_MS = 7 * 86_400_000;

/** The folders for one workspace, made when they are first asked for. */
export function privateFolders(state: string, workspace: string): PrivateFolders {
  const sandbox = join(state, 'sandbox');
  const sessions = new Set<string>();
  const ensure = (...names: string[]): string => {
    const folder = join(sandbox, ...names);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw osFailure(error, folder);
    }
    return folder;
  };
  return {
    caches: () => ensure('caches', nameOf(workspace)),
    temporary(session) {
      if (sessions.size === 0) removeLeftBehind(join(sandbox, 'tmp'));
      // By workspace too: every sandbox that has the folder has the same mounts in it.
      const name = nameOf(`${workspace}\0${session}`);
      sessions.add(name);
      return ensure('tmp', name);
    },
    own: () => ensure(),
    [Symbol.dispose]() {
      for (const name of sessions) rmSync(join(sandbox, 'tmp', name), { recursive: true, force: true });
      sessions.clear();
    },
  };
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function removeLeftBehind(folder: string): void {
  try {
    const isOld = (path: string): boolean => Date.now() - statSync(path).mtimeMs > LEFT_BEHIND_MS;
    const paths = readdirSync(folder).map((name) => join(folder, name));
    for (const path of paths.filter(isOld)) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another process cleans up too, or nothing is there yet.
  }
}
