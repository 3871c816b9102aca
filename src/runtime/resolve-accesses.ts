/** What a call will touch: the resources its operation names, and where each path leads once its links are followed. */
import type { Files, Git } from '../host/ports.ts';
import { type Access, isPathPermission, type Permission, type ResolvedAccess } from '../policy/access.ts';
import type { Operation } from './operation.ts';
import type { WorkspaceView } from './workspace.ts';

/** The accesses of one call, each with the path that is free of links. */
export async function resolveAccesses(
  operation: Operation,
  input: unknown,
  workspace: WorkspaceView,
  { files, git }: { readonly files: Files; readonly git: Git },
): Promise<ResolvedAccess[]> {
  const accesses: ResolvedAccess[] = [];
  const resolve = resolver(files);
  for (const access of operation.access(input, workspace)) {
    const { permission, resource } = access;
    if (!operation.permissions.includes(permission)) {
      throw new Error(`${operation.name} needs ${permission}, which it does not list.`);
    }
    const resolved = isPathPermission(permission)
      ? await resolve(permission, resource)
      : (access.whole ?? checkedOut(access, git) ?? resource);
    accesses.push({ ...access, resolved });
  }
  return accesses;
}

/** The branch that is meant by the one that is checked out. */
function checkedOut({ branchOf }: Access, git: Git): string | undefined {
  const branch = branchOf === undefined ? undefined : git.branchAt(branchOf);
  return branch === undefined ? undefined : `branch:${branch}`;
}

/** Follows the links of each path once, however many permissions it is needed for. */
function resolver(files: Files): (permission: Permission, path: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (permission, path) => {
    // Deleting a link deletes the link; everything else goes to where it leads.
    const followLast = permission !== 'fs.delete';
    const key = `${followLast} ${path}`;
    const resolved = known.get(key) ?? (await files.resolve(path, { followLast })).path;
    known.set(key, resolved);
    return resolved;
  };
}
