/** This machine as a host for one workspace. */
import { Failure } from '../../failure.ts';
import type { Commands, Git, Host } from '../ports.ts';
import type { Roots } from '../workspace-path.ts';
import { localClock } from './clock.ts';
import { localDocuments } from './documents/documents.ts';
import { localFiles } from './files.ts';
import { localGit } from './git/local-git.ts';
import { localIds } from './ids.ts';
import { handlesWork, pinRoot } from './root.ts';
import { type CommandSurroundings, localCommands } from './sandbox/commands.ts';
import { localSearch } from './search.ts';
import { localWeb } from './web/web.ts';

/**
 * Pins a workspace root on this machine; `home` is the folder that can never be one. Without surroundings it is a host
 * for files, and runs nothing.
 */
export function localHost(
  workspace: string,
  home: string,
  surroundings?: Omit<CommandSurroundings, 'home'>,
): { host: Host; roots: Roots } {
  if (!handlesWork()) {
    throw new Failure(
      'E_UNSUPPORTED',
      `Files can not be contained safely on this system (${process.platform}).`,
      {
        hint: 'Handrail needs Linux with /proc mounted; on Windows use WSL2, on macOS a Linux container.',
      },
    );
  }
  const root = pinRoot(workspace, home);
  const commands = surroundings === undefined ? NO_COMMANDS : localCommands(root, { ...surroundings, home });
  const documents = localDocuments();
  const host: Host = {
    files: localFiles(root),
    search: localSearch(root),
    commands,
    documents,
    web: localWeb(),
    git: surroundings === undefined ? NO_GIT : localGit(root, { ...surroundings, home }, commands),
    clock: localClock,
    ids: localIds(localClock),
    containment: 'directory handles (O_NOFOLLOW on every component)',
    [Symbol.dispose]() {
      commands[Symbol.dispose]();
      documents[Symbol.dispose]();
      root[Symbol.dispose]();
    },
  };
  return { host, roots: root.roots };
}

const NO_COMMANDS_HERE = 'This host runs no commands.';

const NO_COMMANDS: Commands & Disposable = {
  sandbox: async () => ({ tier: 'C', says: NO_COMMANDS_HERE, undo: 'none', undoSays: NO_COMMANDS_HERE }),
  run: refuseToRun,
  start: refuseToRun,
  left: { list: () => [], reopen: refuseToRun, drop: refuseToRun },
  [Symbol.dispose]: () => {},
};

function refuseToRun(): never {
  throw new Failure('E_UNSUPPORTED', 'This host was opened for its files only; it runs no commands.');
}

const NO_GIT: Git = {
  async open() {
    throw new Failure('E_UNSUPPORTED', 'This host was opened for its files only; it runs no git.');
  },
  branchAt: () => undefined,
};
