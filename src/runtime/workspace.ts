/** A project root with its settings, as operations and dialects see it. */
import type { PathRules, Roots } from '../host/workspace-path.ts';
import { Failure } from '../failure.ts';
import { projectPath, workspacePath } from '../host/workspace-path.ts';
import type { SearchProvider } from '../search-providers.ts';

export interface Workspace {
  /** The real, absolute path of the root. */
  readonly root: string;
  readonly roots: Roots;
  /** Who is asked where something is looked for on the web. */
  readonly searchProviders: readonly SearchProvider[];
}

/** A workspace together with the way a dialect writes paths. */
export interface WorkspaceView extends Workspace {
  /** Turns a path argument into a workspace path, or fails. */
  path(written: string): string;
  /** A workspace path as an absolute one. */
  absolute(path: string): string;
}

/** The project that a call names in its paths. */
export interface NamedProject {
  readonly id: string;
  /** It is another one than that of the session. */
  readonly isOther: boolean;
}

/** The workspace as a dialect with these path rules sees it, in a call that names this project. */
export function viewWorkspace(workspace: Workspace, rules: PathRules, named?: NamedProject): WorkspaceView {
  return {
    ...workspace,
    path(written) {
      if (rules.projects !== true) return workspacePath(written, workspace.roots, rules);
      const { project, path } = projectPath(written);
      const isHere = project === undefined ? named?.isOther !== true : project === named?.id;
      if (!isHere) throw severalProjects();
      return workspacePath(path, workspace.roots, rules);
    },
    absolute: (path) => (path === '.' ? workspace.root : `${workspace.root}/${path}`),
  };
}

/** The failure of a call that would be in two projects at once. */
export function severalProjects(): Failure {
  return new Failure('E_INVALID_PATH', 'The paths of the call are in several projects.', {
    hint: 'Make a call for each project.',
  });
}
