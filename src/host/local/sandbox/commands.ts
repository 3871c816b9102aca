/** Commands on this machine: which sandbox there is, and the run of a command in it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import type { Commands, Confinement, SandboxTier, StartRequest } from '../../ports.ts';
import { findProgram } from '../find-program.ts';
import type { Root } from '../root.ts';
import { bubblewrapSandbox } from './bubblewrap-sandbox.ts';
import { type CapturedCommands, capturedCommands } from './captured-commands.ts';
import { controlGroups } from './control-groups.ts';
import type { Environment } from './environment.ts';
import { openSandbox } from './open-sandbox.ts';
import { privateFolders } from './private-folders.ts';
import { runCommand } from './run-command.ts';
import type { Sandbox } from './sandbox.ts';
import { seatbeltSandbox } from './seatbelt-sandbox.ts';
import type { HeldNetwork } from './session-network.ts';
import { startCommand, type StartedCommand } from './start-command.ts';

/** What commands need to know about the user and Handrail's own folders. */
export interface CommandSurroundings {
  readonly home: string;
  readonly state: string;
  readonly config: string;
  /** The environment Handrail was started in; next to nothing of it is passed on. */
  readonly environment: Environment;
  /** Somebody else removes the sessions' temporary files. */
  readonly leavesTemporary?: boolean;
}

export interface LocalCommands extends Commands, Disposable {
  /** A network that several commands can be in; undefined where each has to have its own, or none has. */
  openNetwork(): Promise<HeldNetwork | undefined>;
}

/** Which tier holds at least what another one does. */
const STRENGTH: Readonly<Record<SandboxTier, number>> = { C: 0, seatbelt: 1, 'A-': 1, A: 2 };

/** Commands in one workspace; disposing it ends those that go on, and removes the temporary files of its sessions. */
export function localCommands(root: Root, surroundings: CommandSurroundings): LocalCommands {
  const { state, config, home, environment } = surroundings;
  const folders = privateFolders(state, root.roots[0]);
  const groups = controlGroups();
  const find = (name: string): string | undefined => findProgram(name, environment['PATH'], root.roots);
  const parts = { root, folders, groups, home, own: [state, config], environment, nsenter: find('nsenter') };
  const outside = (whyNot: string): Sandbox => openSandbox(parts, whyNot);
  const choose = async (): Promise<Sandbox> => {
    if (process.platform === 'darwin') return seatbeltSandbox(parts);
    const bubblewrap = find('bwrap');
    if (bubblewrap === undefined) return outside('bubblewrap is not installed');
    const sandbox = await bubblewrapSandbox(bubblewrap, parts);
    return 'whyNot' in sandbox ? outside(sandbox.whyNot) : sandbox;
  };
  let chosen: Promise<Sandbox> | undefined;
  const sandbox = (): Promise<Sandbox> => (chosen ??= choose());
  let made: CapturedCommands | undefined;
  const captured = (): CapturedCommands => (made ??= capturedCommands(root, state, find));
  const running = new Set<StartedCommand>();
  const confinedBy = async (request: StartRequest): Promise<[Sandbox, Confinement]> => {
    refuseUnusable(request);
    refuseBehindLink(root, request.directory);
    if (request.confinement === 'none') return [outside('a person wanted it so'), UNCONFINED];
    const chosenSandbox = await sandbox();
    refuseWeaker(chosenSandbox, request.confinement);
    return [chosenSandbox, request.confinement];
  };
  return {
    sandbox: async () => {
      const chosenSandbox = await sandbox();
      return { ...chosenSandbox.report, ...(await captured().undo(chosenSandbox)) };
    },
    left: {
      // Most starts find no folder that anything could be left in.
      list: () => (KEPT.some((folder) => hasEntries(join(state, folder))) ? captured().left.list() : []),
      reopen: (id) => captured().left.reopen(id),
      drop: (id) => captured().left.drop(id),
    },
    async run(request) {
      const [by, confinement] = await confinedBy(request);
      const { capture } = request;
      if (capture === undefined || request.confinement === 'none')
        return runCommand(by, request, confinement);
      return captured().run(by, { ...request, capture, confinement });
    },
    async start(request) {
      const started = await startCommand(...(await confinedBy(request)), request);
      running.add(started);
      void started.exited.then(() => running.delete(started));
      return started;
    },
    openNetwork: async () => (await sandbox()).openNetwork?.(),
    [Symbol.dispose]() {
      for (const started of running) started.kill();
      if (surroundings.leavesTemporary !== true) folders[Symbol.dispose]();
      groups[Symbol.dispose]();
    },
  };
}

/** Where views and copies are kept, in the state folder. */
const KEPT = ['views', 'copies'];

function hasEntries(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

const UNCONFINED: Confinement = { isReadOnly: false, hidden: [], frozen: [], hosts: [], session: '' };

function refuseUnusable({ program, args, env }: StartRequest): void {
  if (program.trim() === '') {
    throw new Failure('E_INVALID_ARGS', 'There is no command to run.', { hint: 'Name a program.' });
  }
  const texts = [program, ...args, ...Object.entries(env).flat()];
  if (texts.some((text) => text.includes('\0')) || Object.keys(env).some((name) => !/^[^=]+$/.test(name))) {
    throw new Failure('E_INVALID_ARGS', 'A command, its arguments and variables can not hold NUL bytes.', {
      hint: 'Pass binary data through stdin or a file.',
    });
  }
}

/** A command was judged by where its directory is named to be; behind a link, `..` leads elsewhere. */
function refuseBehindLink(root: Root, directory: string): void {
  using stack = new DisposableStack();
  let folder = stack.use(root.open());
  for (const name of directory === '.' ? [] : directory.split('/')) {
    const found = folder.lstat(name);
    if (found?.isSymbolicLink() === true)
      throw new Failure(
        'E_EXEC',
        `A command can't be started in ${JSON.stringify(directory)}, behind a link.`,
        {
          hint: 'Name the directory that the link leads to.',
        },
      );
    // What is no directory is refused, too, by what starts the command.
    if (found?.isDirectory() !== true) return;
    folder = stack.use(folder.openDirectory(name));
  }
}

function refuseWeaker({ report }: Sandbox, { minimum = 'C' }: Confinement): void {
  if (STRENGTH[report.tier] >= STRENGTH[minimum]) return;
  throw new Failure(
    'E_UNSUPPORTED',
    `The policy wants commands confined by tier ${minimum} at least; here there is ${report.tier}. ${report.says}`,
    { hint: report.hint ?? 'Ask for less in the settings, or run Handrail where more is possible.' },
  );
}
