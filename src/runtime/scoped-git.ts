/** Step 8's git port: repositories that hold what was granted, read where nothing can be changed. */
import type { Commands, Confinement, Git, GitStep, Repository } from '../host/ports.ts';
import { isWithin, pathIn } from '../host/workspace-path.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { isDenied, isReadableWithin, type Policy, type PolicyCall } from '../policy/decide.ts';
import type { GitOutput, ScopedGit, ScopedRepository } from './operation.ts';

export interface GitScope {
  readonly git: Git;
  readonly commands: Commands;
  readonly call: PolicyCall;
  readonly policy: Policy;
  readonly session: string;
  readonly signal: AbortSignal;
}

/** How long git may take to look at a repository. */
const READ_MS = 120_000;

/** The git port for what a call was granted. */
export function scopeGit(scope: GitScope): ScopedGit {
  const { git, call } = scope;
  return {
    async open(path) {
      const access = call.accesses.find(
        ({ permission, resource }) => permission === 'fs.read' && resource === path,
      );
      if (access === undefined) throw new Error(`The operation opens ${path} without having declared it.`);
      return scopeRepository(scope, access, await git.open(access.resolved));
    },
  };
}

function scopeRepository(scope: GitScope, access: ResolvedAccess, opened: Repository): ScopedRepository {
  const { call, policy } = scope;
  const named = (path: string): ResolvedAccess => {
    const whole = pathIn(opened.path, path);
    return { permission: 'fs.read', resource: whole, resolved: whole };
  };
  const { path, isLinked, isInside, underWay, hasSubmodules, settings } = opened;
  return {
    path,
    isLinked,
    isInside,
    underWay,
    hasSubmodules,
    settings,
    scope: below(access.resolved, path),
    mayName: (inner) => !isDenied(named(inner), call, policy),
    mayShow: (inner) => isReadableWithin(access, named(inner), call, policy),
    read: (step, maxBytes) => read(scope, opened, step, maxBytes),
    async openInner(inner) {
      return scopeRepository(scope, access, await scope.git.open(pathIn(path, inner)));
    },
    [Symbol.dispose]: () => opened[Symbol.dispose](),
  };
}

/** A path as git names it, from the folder of its repository. */
function below(path: string, folder: string): string {
  if (path === folder || !isWithin(path, folder)) return '.';
  return folder === '.' ? path : path.slice(folder.length + 1);
}

async function read(
  { commands, session, signal }: GitScope,
  opened: Repository,
  step: GitStep,
  maxBytes: number,
): Promise<GitOutput> {
  const { exitCode, stdout, stderr, truncated, totalBytes, timedOut } = await commands.run({
    ...(await opened.prepare(step)),
    timeoutMs: READ_MS,
    maxOutputBytes: maxBytes,
    keep: 'head-and-tail',
    confinement: { ...LOOKING, session },
    signal,
  });
  return {
    exitCode,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr).toString(),
    bytes: totalBytes.stdout,
    isCut: truncated.stdout,
    timedOut,
  };
}

/** Nothing but the system and the workspace, and nothing of it can be changed. */
const LOOKING: Omit<Confinement, 'session'> = {
  isReadOnly: true,
  isNarrow: true,
  hidden: [],
  frozen: [],
  hosts: [],
};
