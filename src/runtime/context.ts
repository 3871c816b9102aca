/**
 * Step 8's ports: the host's, narrowed to what was granted. An operation names the paths it declared; each is
 * mapped to the link-free path that was decided on. Touching anything else is a bug in the operation.
 */
import { Failure } from '../failure.ts';
import type { Files, FileVersion, OpenFile } from '../host/ports.ts';
import type { ChangeRecorder } from '../journal/pre-images.ts';
import type { Permission, ResolvedAccess } from '../policy/access.ts';
import type { ScopedFiles } from './operation.ts';

export interface Scope {
  readonly files: Files;
  readonly accesses: readonly ResolvedAccess[];
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Whether the policy denies touching an entry of a granted tree. */
  readonly isDenied: (access: ResolvedAccess) => boolean;
  /** Keeps what undo needs, before each change. */
  readonly changes: ChangeRecorder;
  /** Told about every path that was changed. */
  readonly onChange: (path: string) => void;
  /** What the call saw of each file, at its preview too: only that may be replaced. */
  readonly observed: Map<string, FileVersion>;
  readonly seen: SeenFiles;
}

/** What a session last saw of each file. */
export interface SeenFiles {
  /** Whether looking at a file is what the call is for. */
  readonly isReading: boolean;
  /** Whether work on a file that is no longer the one last seen is refused. */
  readonly isGuarded: boolean;
  readonly versions: Map<string, FileVersion>;
}

/** The files port for the given accesses. */
export function scopeFiles({
  files,
  accesses,
  callId,
  signal,
  isDenied,
  changes,
  onChange,
  observed,
  seen,
}: Scope): ScopedFiles {
  const granted = (path: string, ...permissions: Permission[]): string => {
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
    const observe = (version: FileVersion): void => {
      if (!observed.has(resolved)) observed.set(resolved, version);
      if (seen.isReading) seen.versions.set(resolved, version);
    };
    try {
      const file = await files.open(resolved);
      observe(file.stat.version);
      return file;
    } catch (error) {
      if (error instanceof Failure && error.code === 'E_NOT_FOUND') observe('missing');
      throw error;
    }
  };
  return {
    open,
    stat: async (path) => files.stat(granted(path, 'fs.read')),
    kindOf: async (path) => (await files.stat(granted(path, 'fs.read', 'fs.delete'))).kind,
    async list(path, below = '.') {
      const resolved = granted(path, 'fs.read');
      if (below === '.') return files.list(resolved);
      const inner = resolved === '.' ? below : `${resolved}/${below}`;
      return may('fs.read', inner) ? files.list(inner) : [];
    },
    count: async (path) => files.count(granted(path, 'fs.read', 'fs.delete')),
    async write(path, content) {
      const resolved = granted(path, 'fs.write');
      const expected = observed.get(resolved);
      const version = await changes.write(resolved, content, () =>
        files.write(resolved, content, { callId, signal, expected }),
      );
      observed.set(resolved, version);
      seen.versions.set(resolved, version);
      onChange(path);
    },
    async remove(path) {
      const resolved = granted(path, 'fs.delete');
      const mayRemove = (inner: string): boolean => may('fs.delete', inner);
      await checkTree(files, resolved, mayRemove);
      const removed = await changes.remove(resolved, () => files.remove(resolved, { signal, mayRemove }));
      onChange(path);
      return removed;
    },
    async move(from, to) {
      const [source, target] = [granted(from, 'fs.delete'), granted(to, 'fs.write')];
      const mayMove = (old: string, moved: string): boolean =>
        may('fs.delete', old) && may('fs.read', old) && may('fs.write', moved);
      await checkTree(files, source, (inner) => mayMove(inner, target + inner.slice(source.length)));
      const done = await changes.move(source, target, () => files.move(source, target, { signal, mayMove }));
      onChange(from);
      onChange(to);
      return done;
    },
    async makeDirectory(path) {
      const resolved = granted(path, 'fs.write');
      await changes.replace(resolved, { kind: 'directory' }, () => files.makeDirectory(resolved));
      onChange(path);
    },
    isStale(path) {
      const resolved = granted(path, 'fs.read');
      const [last, now] = [seen.versions.get(resolved), observed.get(resolved)];
      return seen.isGuarded && last !== undefined && now !== undefined && last !== now;
    },
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
  return { ...scopeFiles(scope), write: refuse, remove: refuse, move: refuse, makeDirectory: refuse };
}

function notToBeTouched(path: string, inner: string): Failure {
  return new Failure(
    'E_POLICY_DENIED',
    `${JSON.stringify(path)} holds ${JSON.stringify(inner)}, which must not be touched.`,
    {
      hint: 'Nothing was changed. Go on with the other entries one by one.',
    },
  );
}
