/** Step 8's port to the index of code: below what was granted, and without parts of files that could not be read without a question. */
import type { CodeIndex } from '../host/ports.ts';
import { isWithin } from '../host/workspace-path.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { isReadableWithin, type Policy, type PolicyCall } from '../policy/decide.ts';
import type { ScopedCodeIndex } from './operation.ts';

export interface CodeIndexScope {
  readonly index: CodeIndex;
  readonly call: PolicyCall;
  readonly policy: Policy;
  readonly signal: AbortSignal;
}

/** The port for what a call was granted. */
export function scopeCodeIndex({ index, call, policy, signal }: CodeIndexScope): ScopedCodeIndex {
  const granted = (path: string): ResolvedAccess => {
    const access = call.accesses.find(
      ({ permission, resource }) => permission === 'fs.read' && resource === path,
    );
    if (access === undefined) throw new Error(`The operation searches ${path} without having declared it.`);
    return access;
  };
  return {
    async find({ paths, ...question }) {
      const trees = paths.map(granted);
      const isReadable = (path: string): boolean =>
        trees.some(
          (tree) =>
            isWithin(path, tree.resolved) &&
            isReadableWithin(tree, { permission: 'fs.read', resource: path, resolved: path }, call, policy),
        );
      const answer = await index.find({ ...question, paths: trees.map(({ resolved }) => resolved), signal });
      return answer.status === 'ready'
        ? { ...answer, parts: answer.parts.filter((part) => isReadable(part.path)) }
        : answer;
    },
  };
}
