/**
 * Step 8's port for what a call leaves to its session in the workspace, such as the pictures of a document it read. Nobody is
 * asked: it is a folder of the session's own, and undo takes it back. But whatever is denied stays denied.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { OpenFile } from '../host/ports.ts';
import { pathIn } from '../host/workspace-path.ts';
import type { Scope } from './context.ts';
import type { SessionFiles } from './operation.ts';
import type { Locks } from './spine.ts';

export interface SessionScope extends Pick<
  Scope,
  'files' | 'callId' | 'signal' | 'isDenied' | 'changes' | 'onChange'
> {
  readonly session: string;
  readonly root: string;
  readonly locks: Locks;
  readonly isReadOnly: boolean;
  /** Called before the first change. */
  readonly onFirst: () => void;
}

/** The port for one call. */
export function scopeSessionFiles(scope: SessionScope): SessionFiles {
  const { files, changes, callId, signal } = scope;
  let isFirst = true;
  return {
    async keep(folder, name, content) {
      const path = pathIn(pathIn(folder, folderOf(scope.session)), name);
      const { path: resolved } = await files.resolve(path, { followLast: true });
      if (scope.isReadOnly) return { whyNot: 'nothing is written in mode read-only.' };
      if (resolved !== path) return { whyNot: `${folder} is behind a link.` };
      if (scope.isDenied({ permission: 'fs.write', resource: path, resolved }))
        return { whyNot: `the policy does not permit writing to ${folder}.` };
      await using _lock = await scope.locks.hold(scope.root, [path], signal);
      if (await holds(scope, path, content)) return { path };
      if (isFirst) scope.onFirst();
      isFirst = false;
      await changes.write(path, content, () => files.write(path, content, { callId, signal }));
      scope.onChange(path);
      return { path };
    },
  };
}

/** A session's id as a folder; callers may choose ids that no folder could have. */
function folderOf(session: string): string {
  if (/^[\w-][\w.-]{0,99}$/.test(session)) return session;
  return `ses_${createHash('sha256').update(session).digest('hex').slice(0, 32)}`;
}

/** Whether a file holds this already. */
async function holds({ files }: SessionScope, path: string, content: Uint8Array): Promise<boolean> {
  let file: OpenFile;
  try {
    file = await files.open(path);
  } catch (error) {
    if (error instanceof Failure && error.code === 'E_NOT_FOUND') return false;
    throw error;
  }
  await using opened = file;
  return opened.stat.size === content.length && (await opened.read(0, content.length)).equals(content);
}
