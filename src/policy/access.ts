/** The words a policy speaks: what may be touched, and what an operation does to the world. */

import type { CommandPart } from './command/command-analysis.ts';

/** What a policy speaks about. */
export const PERMISSIONS = [
  'fs.read',
  'fs.write',
  'fs.delete',
  'proc.exec',
  'net.connect',
  'git.write',
  'user.ask',
  'state.write',
  'skill.load',
  'agent.spawn',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The one word that says what an operation does to the world. */
export const EFFECTS = ['read', 'write', 'delete', 'exec', 'network', 'state', 'ask'] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * What a call will touch, computed before it runs. For `fs.*` the resource is a workspace path; for `git.write` it is
 * what is done (`commit`), a branch (`branch:main`), or `secrets`, that a commit may hold some; for `state.write` it is `todos`,
 * a scope of memory (`memory:user`), or a process; for `skill.load`, the skill's name.
 */
export interface Access {
  readonly permission: Permission;
  readonly resource: string;
  /** For what a command does: the command, as it was understood. */
  readonly command?: CommandPart | undefined;
  /** What it is a part of, where it would mean something else by itself: a yes to it is one to the whole. */
  readonly whole?: string | undefined;
  /** Also everything below it. */
  readonly isTree?: true | undefined;
  /** For a host that is asked for one thing: the whole address of it. */
  readonly url?: string | undefined;
  /** For what is done to a branch: the one that is checked out in the repository of this path is meant. */
  readonly branchOf?: string | undefined;
  /** It would not be kept in the sandbox. */
  readonly isOutside?: true | undefined;
}

/** An access after links were followed: rules look at both spellings. */
export interface ResolvedAccess extends Access {
  readonly resolved: string;
}

/** How much a call changes, as far as its arguments tell. */
export interface Extent {
  readonly files: number;
  /** Lines that come or go. */
  readonly lines: number;
}

/** Where a resource is known by a name: the field of a rule that speaks about it. */
export const NAMED_RESOURCES = [
  ['git', 'git.write'],
  ['skill', 'skill.load'],
  ['state', 'state.write'],
] as const satisfies readonly (readonly [field: string, permission: Permission])[];

/** Whether a resource of this permission is a path. */
export function isPathPermission(permission: Permission): boolean {
  return permission.startsWith('fs.');
}

/** Whether what stands at a path will not be the same afterwards. */
export function isChange(permission: Permission): boolean {
  return permission === 'fs.write' || permission === 'fs.delete';
}
