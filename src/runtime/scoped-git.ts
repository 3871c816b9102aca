/** Step 8's git port: repositories that hold what was granted; read where nothing can be changed, changed where it can be taken back. */
import { Failure } from '../failure.ts';
import type { CommandResult, Confinement, Files, Git, GitStep, Repository } from '../host/ports.ts';
import { isWithin, pathIn } from '../host/workspace-path.ts';
import { secretLines } from '../journal/redact.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { decide, isDenied, isReadableWithin } from '../policy/decide.ts';
import type { GitChange, GitOutput, ScopedGit, ScopedRepository } from './operation.ts';
import { type CommandScope, denied, runConfined } from './scoped-commands.ts';

interface GitHost {
  readonly git: Git;
  readonly files: Files;
}

/** How long git may take. */
const TIMEOUT_MS = 120_000;
/** What it says while it changes something. */
const MAX_SAID_BYTES = 1024 * 1024;

/** The git port for what a call was granted. */
export function scopeGit(scope: CommandScope, host: GitHost): ScopedGit {
  return {
    async open(path) {
      const access = scope.call.accesses.find(
        ({ permission, resource }) => permission === 'fs.read' && resource === path,
      );
      if (access === undefined) throw new Error(`The operation opens ${path} without having declared it.`);
      return scopeRepository(scope, host, access, await host.git.open(access.resolved));
    },
  };
}

function scopeRepository(
  scope: CommandScope,
  host: GitHost,
  access: ResolvedAccess,
  opened: Repository,
): ScopedRepository {
  const { call, policy } = scope;
  const reading = (path: string): ResolvedAccess => {
    const whole = pathIn(opened.path, path);
    return { permission: 'fs.read', resource: whole, resolved: whole };
  };
  const { path, isLinked, isInside, underWay, hasSubmodules, filters, settings } = opened;
  // Of several places that were declared, one that a file lies in speaks for it.
  const trees = call.accesses.filter(({ permission }) => permission === 'fs.read');
  const mayShow = (inner: string): boolean =>
    trees.some(
      (tree) =>
        isWithin(pathIn(path, inner), tree.resolved) && isReadableWithin(tree, reading(inner), call, policy),
    );
  return {
    path,
    isLinked,
    isInside,
    underWay,
    hasSubmodules,
    filters,
    settings,
    runsPrograms: scope.settings.runsGitPrograms,
    scope: below(access.resolved, path),
    mayName: (inner) => !isDenied(reading(inner), call, policy),
    mayShow,
    isAllowed(what) {
      const wanted: ResolvedAccess = { permission: 'git.write', resource: what, resolved: what };
      const isDeclared = call.accesses.some(
        ({ permission, resource }) => permission === 'git.write' && resource === what,
      );
      return isDeclared || decide({ ...call, accesses: [wanted] }, policy).action === 'allow';
    },
    isSensitive: (inner) => decide({ ...call, accesses: [reading(inner)] }, policy).action !== 'allow',
    secretLines,
    read: (step, maxBytes) => read(scope, opened, step, maxBytes),
    change: (steps, options) => change(scope, opened, steps, options),
    readFile: async (inner, maxBytes) =>
      mayShow(inner) ? readFile(host.files, pathIn(path, inner), maxBytes) : undefined,
    async openInner(inner) {
      return scopeRepository(scope, host, access, await host.git.open(pathIn(path, inner)));
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
  { commands, session, signal }: CommandScope,
  opened: Repository,
  step: GitStep,
  maxBytes: number,
): Promise<GitOutput> {
  const ran = await commands.run({
    ...(await opened.prepare(step)),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: maxBytes,
    keep: 'head-and-tail',
    confinement: { ...APART, isReadOnly: true, session },
    signal,
  });
  return toOutput(ran);
}

async function change(
  scope: CommandScope,
  opened: Repository,
  steps: readonly GitStep[],
  { command, opensConfig }: GitChange,
): Promise<GitOutput> {
  if (!scope.call.accesses.some(({ permission }) => permission === 'git.write'))
    throw new Error('The operation changes a repository without having declared it.');
  if (!opened.isInside) throw elsewhere();
  // Where the settings can be changed, nothing but git itself runs.
  const runsPrograms = scope.settings.runsGitPrograms && opensConfig !== true;
  const ran = await runConfined({ ...scope, opensGitConfig: opensConfig === true }, command, {
    ...(await opened.prepareChange(steps, { runsPrograms })),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_SAID_BYTES,
    keep: 'head-and-tail',
    confinement: {
      ...APART,
      isReadOnly: false,
      frozen: ['.handrail', ...(await denied(scope, 'fs.write'))],
      session: scope.session,
      minimum: scope.settings.minimumSandbox,
      opensGitConfig: opensConfig === true,
    },
  });
  return toOutput(ran);
}

/** Nothing but the system and the workspace, and no network. */
const APART: Omit<Confinement, 'session' | 'isReadOnly'> = {
  isNarrow: true,
  hidden: [],
  frozen: [],
  hosts: [],
};

function toOutput(ran: CommandResult): GitOutput {
  return {
    exitCode: ran.exitCode,
    stdout: Buffer.from(ran.stdout),
    stderr: Buffer.from(ran.stderr).toString(),
    bytes: ran.totalBytes.stdout,
    isCut: ran.truncated.stdout,
    timedOut: ran.timedOut,
  };
}

async function readFile(files: Files, path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    await using file = await files.open(path);
    return await file.read(0, maxBytes);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function elsewhere(): Failure {
  return new Failure('E_UNSUPPORTED', 'The repository of this work tree lies outside the workspace.', {
    hint: 'It can be looked at here; change it where it is, or with a command that a person lets out of the sandbox.',
  });
}
