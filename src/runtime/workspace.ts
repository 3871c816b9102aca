/** A project root with its settings, as operations and dialects see it. */
import type { PathRules, Roots } from '../host/workspace-path.ts';
import { workspacePath } from '../host/workspace-path.ts';
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

/** The workspace as a dialect with these path rules sees it. */
export function viewWorkspace(workspace: Workspace, rules: PathRules): WorkspaceView {
  return {
    ...workspace,
    path: (written) => workspacePath(written, workspace.roots, rules),
    absolute: (path) => (path === '.' ? workspace.root : `${workspace.root}/${path}`),
  };
}
