/**
 * May what a command changed become part of the workspace? Protected places and written denies hold for it as for any
 * call. Git is the exception that makes sense: a repository that is new may have hooks that do nothing, and harmless
 * settings; branches may be called whatever they like.
 */
import type { Permission, ResolvedAccess } from './access.ts';
import { movedBranches } from './changed-branches.ts';
import { decideUntouchable, type Policy, type PolicyCall } from './decide.ts';
import { isHarmlessConfig } from './harmless-config.ts';

/** An entry that is not what it was. */
export interface ChangedPath {
  readonly path: string;
  readonly before: { readonly kind: string };
  readonly after: { readonly kind: string };
}

export interface ChangeContext {
  readonly call: PolicyCall;
  readonly policy: Policy;
  /** Whether the settings of repositories are what was to be changed. */
  readonly opensGitConfig: boolean;
  /** The new content of a small file; undefined where it is none. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The old one. */
  readonly readBefore: (path: string) => Promise<string | undefined>;
}

/** Why the changes are refused. */
export interface Refusal {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

/** The first entry that nobody may change; undefined where there is none. */
export async function refusedEntry(
  entries: readonly ChangedPath[],
  context: ChangeContext,
): Promise<Refusal | undefined> {
  const { call, policy, opensGitConfig } = context;
  const repositories = new Repositories(entries, context);
  for (const entry of entries) {
    const { path, after } = entry;
    const permission: Permission = after.kind === 'missing' ? 'fs.delete' : 'fs.write';
    const access: ResolvedAccess = { permission, resource: path, resolved: path };
    const decision = decideUntouchable(access, call, policy);
    if (decision?.action !== 'deny') continue;
    const isProtected = decision.rule === 'protected';
    if (isProtected && opensGitConfig && GIT_CONFIG.test(path)) continue;
    if (isProtected && path.includes('.git') && (await repositories.isFine(entry))) continue;
    return { path, rule: decision.rule, reason: decision.reason };
  }
  return refusedBranch(entries, context);
}

const GIT_CONFIG = /(^|\/)\.git\/config$/;

/** Whatever a command is called, the branches that it moved are known. */
async function refusedBranch(
  entries: readonly ChangedPath[],
  { call, policy, read, readBefore }: ChangeContext,
): Promise<Refusal | undefined> {
  const paths = entries.map(({ path }) => path);
  for (const { repository, name } of await movedBranches({ paths, before: readBefore, after: read })) {
    const resource = `branch:${name}`;
    const decision = decideUntouchable(
      { permission: 'git.write', resource, resolved: resource },
      call,
      policy,
    );
    if (decision?.action === 'deny')
      return { path: `${repository}/refs/heads/${name}`, rule: decision.rule, reason: decision.reason };
  }
  return undefined;
}

/** What commands may do to repositories, though file tools may not. */
class Repositories {
  readonly #kinds: ReadonlyMap<string, ChangedPath>;
  readonly #contents: Pick<ChangeContext, 'read' | 'readBefore'>;

  constructor(entries: readonly ChangedPath[], contents: Pick<ChangeContext, 'read' | 'readBefore'>) {
    this.#kinds = new Map(entries.map((entry) => [entry.path, entry]));
    this.#contents = contents;
  }

  async isFine({ path, before, after }: ChangedPath): Promise<boolean> {
    const names = path.split('/');
    const git = names.indexOf('.git');
    // In another spelling, or not of git at all.
    if (git === -1) return false;
    const folder = names.slice(0, git + 1).join('/');
    const below = names.slice(git + 1);
    if (below.length > 0 && isNameOnly(below)) return true;
    if (this.#isGone(folder)) return true;
    const last = below.at(-1);
    if (last === 'config' && after.kind === 'file') {
      const text = await this.#contents.read(path);
      return text !== undefined && isHarmlessConfig(text, await this.#contents.readBefore(path));
    }
    if (before.kind !== 'missing' || after.kind === 'missing') return false;
    if (last === undefined) return after.kind === 'directory' || this.#leadsInside(path);
    if (last === 'commondir') return this.#says(path, /^\.\.\/\.\.\n?$/);
    // Only of a repository that is new as a whole.
    const isNew = this.#isNew(folder) || (below[0] === 'modules' && this.#isNewModule(names.slice(0, -1)));
    return isNew && below.includes('hooks') && (after.kind === 'directory' || last.endsWith('.sample'));
  }

  #isGone(folder: string): boolean {
    return this.#kinds.get(folder)?.after.kind === 'missing';
  }

  #isNew(folder: string): boolean {
    return this.#kinds.get(folder)?.before.kind === 'missing';
  }

  /** The folder of a submodule's repository, or one in it. */
  #isNewModule(names: readonly string[]): boolean {
    return names.some((_, index) => this.#isNew(names.slice(0, index + 1).join('/')));
  }

  /** A file in place of the folder, as worktrees and submodules have it. */
  #leadsInside(path: string): Promise<boolean> {
    return this.#says(path, /^gitdir: [^\n]*\/?\.git\/(worktrees|modules)\/[^\n]+\n?$/);
  }

  async #says(path: string, pattern: RegExp): Promise<boolean> {
    return pattern.test((await this.#contents.read(path)) ?? '');
  }
}

/** Below these folders of a repository, a name is that of a branch, or of an object. */
function isNameOnly(below: readonly string[]): boolean {
  const names = below[0] === 'worktrees' ? below.slice(2) : below;
  return names.length > 1 && ['refs', 'logs', 'objects'].includes(names[0]!);
}
