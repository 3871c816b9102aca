/** A real repository in a temporary workspace, made and asked by the git of the machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempWorkspace, tempWorkspace } from './temp-workspace.ts';

export interface TempRepository extends TempWorkspace {
  /** Runs plain git in the workspace, or in a folder of it, and gives back what it writes. */
  git(...args: readonly string[]): string;
  gitIn(folder: string, ...args: readonly string[]): string;
  /** Commits everything. */
  commit(message: string): void;
}

/** A workspace with a repository that has one commit with the given files; without files, none. */
export function tempRepository(
  files: Readonly<Record<string, string>> = {},
  ...init: string[]
): TempRepository {
  const workspace = tempWorkspace(files);
  writeFileSync(
    join(workspace.locations.home, '.gitconfig'),
    '[user]\n\tname = Tester\n\temail = tester@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  );
  const env = environmentOf(workspace);
  const gitIn = (folder: string, ...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: join(workspace.root, folder),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 512 * 1024 * 1024,
    });
  const git = (...args: readonly string[]): string => gitIn('.', ...args);
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  git('init', '--quiet', ...init);
  if (Object.keys(files).length > 0) commit('first');
  return { ...workspace, git, gitIn, commit };
}

/** The same, for what may fail. */
export function tryGit(
  workspace: TempWorkspace,
  ...args: readonly string[]
): { status: number; output: string } {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: workspace.root,
    env: environmentOf(workspace),
    encoding: 'utf8',
  });
  return { status: status ?? -1, output: stdout + stderr };
}

function environmentOf({ locations }: TempWorkspace): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: locations.home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
    LC_ALL: 'C.UTF-8',
  };
}
