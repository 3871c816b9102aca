/**
 * Step 8's ports: the host's, narrowed to what was granted. An operation names the paths it declared; each is
 * mapped to the link-free path that was decided on. Touching anything else is a bug in the operation.
 */
import { Failure } from '../failure.ts';
import type { Files, OpenFile } from '../host/ports.ts';
import { notToBeTouched, pathIn } from '../host/workspace-path.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import type { Permission, ResolvedAccess } from '../policy/access.ts';
import { changeAll, pathsOf } from './change-all.ts';
import type { FileChange, ScopedFiles } from './operation.ts';
import type { ObservedFiles } from './observed-files.ts';

export interface Scope {
  readonly files: Files;
  readonly accesses: readonly ResolvedAccess[];
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Whether the policy denies touching an entry of a granted tree. */
  readonly isDenied: (access: ResolvedAccess) => boolean;
  /** Whether the policy would no longer ask about reading an entry after a move. */
  readonly losesItsQuestion: (from: string, to: string) => boolean;
  /** Keeps what undo needs, before each change. */
  readonly changes: ChangeRecorder;
  /** Told about every path that was changed. */
  readonly onChange: (path: string) => void;
  readonly observed: ObservedFiles;
  /** Whether an entry is what a call made of it last. */
  readonly isOwnWrite: (path: string) => Promise<boolean>;
  /** Whether showing files is what the call is for. */
  readonly isReading: boolean;
}

/** The files port for the given accesses. */
export function scopeFiles({
  files,
  accesses,
  callId,
  signal,
  isDenied,
  losesItsQuestion,
  changes,
  onChange,
  observed,
  isOwnWrite,
  isReading,
}: Scope): ScopedFiles {
  const granted: Grant = (path, ...permissions) => {
    const access = accesses.find(
      ({ permission, resource }) => resource === path && permissions.includes(permission),
    );
    if (access === undefined) throw new Error(`The operation touches ${path} without having declared it.`);
    return access.resolved;
  };
  const may = (permission: Permission, path: string): boolean =>
    !isDenied({ permission, resource: path, resolved: path });
  const open = async (path: string): Promise<OpenFile> => {
    const resolved = granted(path, 'fs.read');
    try {
      const file = await files.open(resolved);
      observed.saw(resolved, file.stat.version, isReading);
      return file;
    } catch (error) {
      if (error instanceof Failure && error.code === 'E_NOT_FOUND')
        observed.saw(resolved, 'missing', isReading);
      throw error;
    }
  };
  return {
    open,
    stat: async (path) => files.stat(granted(path, 'fs.read')),
    kindOf: async (path) => (await files.stat(granted(path, 'fs.read', 'fs.delete'))).kind,
    async list(path, below) {
      const resolved = granted(path, 'fs.read');
      if (below === undefined) return files.list(resolved);
      const inner = pathIn(resolved, below);
      if (below !== '.' && !may('fs.read', inner)) return [];
      return (await files.list(inner)).filter(({ name }) => may('fs.read', pathIn(inner, name)));
    },
    count: async (path) => files.count(granted(path, 'fs.read', 'fs.delete')),
    async write(path, content) {
      const resolved = granted(path, 'fs.write');
      const version = await changes.write(resolved, content, () =>
        files.write(resolved, content, { callId, signal, expected: observed.expected(resolved) }),
      );
      observed.made(resolved, version);
      onChange(path);
    },
    async remove(path) {
      const resolved = granted(path, 'fs.delete');
      const mayRemove = (inner: string): boolean => may('fs.delete', inner);
      await checkTree(files, resolved, mayRemove);
      const removed = await changes.remove(resolved, () => files.remove(resolved, { signal, mayRemove }));
      observed.forget(resolved);
      onChange(path);
      return removed;
    },
    async move(from, to) {
      const [source, target] = [granted(from, 'fs.delete'), granted(to, 'fs.write')];
      const mayMove = (old: string, moved: string): boolean =>
        may('fs.delete', old) &&
        may('fs.read', old) &&
        may('fs.write', moved) &&
        // Whoever was asked about the tree does not know about everything in it.
        (old === source || !losesItsQuestion(old, moved));
      await checkTree(files, source, (inner) => mayMove(inner, target + inner.slice(source.length)));
      const done = await changes.move(source, target, () => files.move(source, target, { signal, mayMove }));
      observed.forget(source);
      observed.forget(target);
      onChange(from);
      onChange(to);
      return done;
    },
    async makeDirectory(path) {
      const resolved = granted(path, 'fs.write');
      await changes.replace(resolved, { kind: 'directory' }, () => files.makeDirectory(resolved));
      onChange(path);
    },
    async changeAll(planned) {
      const resolved = planned.map((change) => resolveChange(change, granted));
      await observed.refuseChanged(resolved.flatMap(pathsOf));
      await changeAll(resolved, { files, recorder: changes, callId, signal });
      for (const path of resolved.flatMap(pathsOf)) observed.made(path, await observed.versionAt(path));
      for (const path of planned.flatMap(pathsOf)) onChange(path);
    },
    isStale: (path) => observed.isStale(granted(path, 'fs.read')),
    isOwnWrite: (path) => isOwnWrite(path),
    staleIn: (path) => observed.staleIn(granted(path, 'fs.delete')),
  };
}

type Grant = (path: string, ...permissions: Permission[]) => string;

/** A change by the paths that were decided on. What goes has to be what was read, and not a link to it. */
function resolveChange(change: FileChange, granted: Grant): FileChange {
  const going = (path: string): string => {
    const resolved = granted(path, 'fs.delete');
    if (resolved !== granted(path, 'fs.read')) {
      throw new Failure(
        'E_UNSUPPORTED',
        `${JSON.stringify(path)} is a link, which can't be removed or renamed this way.`,
        { hint: 'Nothing was changed.' },
      );
    }
    return resolved;
  };
  if ('from' in change)
    return { ...change, from: going(change.from), path: granted(change.path, 'fs.write') };
  return {
    ...change,
    path: change.after === undefined ? going(change.path) : granted(change.path, 'fs.write'),
  };
}

/** Looks at a whole tree before any of it is kept for undo: what is denied must not be read for that either. */
async function checkTree(files: Files, path: string, may: (inner: string) => boolean): Promise<void> {
  await files.count(path, (inner) => {
    if (!may(inner)) throw notToBeTouched(path, inner);
  });
}

/** The same port for a preview: it can look, and nothing else. */
export function scopeForPreview(scope: Scope): ScopedFiles {
  const refuse = (): Promise<never> => Promise.reject(new Error('A preview must not change anything.'));
  const port = scopeFiles(scope);
  return { ...port, write: refuse, remove: refuse, move: refuse, makeDirectory: refuse, changeAll: refuse };
}
