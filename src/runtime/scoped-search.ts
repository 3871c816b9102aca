/** Step 8's search port: below what was granted, and blind to every file there that a call of its own could not read without a question. */
import type { Search } from '../host/ports.ts';
import { pathIn } from '../host/workspace-path.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { isDenied, isReadableWithin, type Policy, type PolicyCall } from '../policy/decide.ts';
import type { ScopedSearch } from './operation.ts';

export interface SearchScope {
  readonly search: Search;
  readonly call: PolicyCall;
  readonly policy: Policy;
  readonly signal: AbortSignal;
}

/** The search port for what a call was granted. */
export function scopeSearch({ search, call, policy, signal }: SearchScope): ScopedSearch {
  const granted = (path: string): ResolvedAccess => {
    const access = call.accesses.find(
      ({ permission, resource }) => permission === 'fs.read' && resource === path,
    );
    if (access === undefined) throw new Error(`The operation searches ${path} without having declared it.`);
    return access;
  };
  const reading = (path: string): ResolvedAccess => ({
    permission: 'fs.read',
    resource: path,
    resolved: path,
  });
  return {
    grep(request, visit) {
      const access = granted(request.path);
      let last: { path: string; isReadable: boolean } | undefined;
      // All lines of a file come in a row.
      const isReadable = (path: string): boolean => {
        if (last?.path !== path)
          last = { path, isReadable: isReadableWithin(access, reading(path), call, policy) };
        return last.isReadable;
      };
      return search.grep({ ...request, path: access.resolved, signal, mayRead: isReadable }, visit);
    },
    files(query) {
      const { resource, resolved } = granted(query.path);
      // The pattern speaks about paths as they were asked for; links in them were followed since.
      const asAsked = (path: string): string =>
        resource === resolved
          ? path
          : pathIn(resource, path.slice(resolved === '.' ? 0 : resolved.length + 1));
      const matches = (path: string): boolean =>
        query.matches(asAsked(path)) && !isDenied(reading(path), call, policy);
      return search.files({ ...query, path: resolved, matches, signal });
    },
  };
}
