/** What can be done with branches: as data, as accesses, and in words. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { Access } from '../../policy/access.ts';

export const branchActionSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('list') }),
  z.strictObject({ do: z.literal('create'), name: z.string(), start: z.string().optional() }),
  z.strictObject({ do: z.literal('switch'), name: z.string() }),
  z.strictObject({ do: z.literal('delete'), name: z.string(), force: z.boolean() }),
  z.strictObject({ do: z.literal('rename'), name: z.string(), to: z.string() }),
]);
type BranchAction = z.infer<typeof branchActionSchema>;
export type BranchChange = Exclude<BranchAction, { do: 'list' }>;

/** What a caller may say about it; which of it is needed depends on the action. */
interface BranchWords {
  readonly action: BranchAction['do'];
  readonly name?: string | undefined;
  readonly to?: string | undefined;
  readonly start?: string | undefined;
  readonly force?: boolean | undefined;
}

/** The action that is meant. */
export function branchAction({ action, name, to, start, force = false }: BranchWords): BranchAction {
  if (action === 'list') return { do: 'list' };
  const known = needed(name, 'the name of a branch');
  if (action === 'create') return { do: 'create', name: known, start };
  if (action === 'switch') return { do: 'switch', name: known };
  if (action === 'delete') return { do: 'delete', name: known, force };
  return { do: 'rename', name: known, to: needed(to, 'the new name') };
}

function needed(value: string | undefined, what: string): string {
  if (value !== undefined && value !== '') return value;
  throw new Failure('E_INVALID_ARGS', `The action needs ${what}.`);
}

/** What is changed by it. */
export function branchAccesses(action: BranchAction): Access[] {
  const write = (resource: string): Access => ({ permission: 'git.write', resource });
  switch (action.do) {
    case 'list':
      return [];
    case 'create':
      return [write(`branch:${action.name}`), write('branch')];
    case 'switch':
      return [write('switch')];
    case 'delete':
      return [write(`branch:${action.name}`), write('branch -d')];
    default:
      return [write(`branch:${action.name}`), write(`branch:${action.to}`), write('branch -m')];
  }
}

/** The command that people know it by. */
export function describeAction(action: BranchAction): string {
  switch (action.do) {
    case 'list':
      return 'git branch';
    case 'create':
      return `git branch ${action.name} ${action.start ?? 'HEAD'}`;
    case 'switch':
      return `git switch ${action.name}`;
    case 'delete':
      return `git branch ${action.force ? '-D' : '-d'} ${action.name}`;
    default:
      return `git branch -m ${action.name} ${action.to}`;
  }
}
