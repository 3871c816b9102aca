/**
 * One run under bubblewrap. A small shell starts first, inside, and says so; what was mounted is looked at from
 * outside; only then is it told to become the command. So nothing of the command runs before the sandbox is known to be right.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../failure.ts';
import type { CommandLimits, SessionNetwork } from '../../ports.ts';
import { type Profile, profileArguments } from './bubblewrap.ts';
import type { ControlGroups } from './control-groups.ts';
import { ownLimits, type ShellLimits } from './limits.ts';
import { type Network, networkTo } from './network.ts';
import type { PreparedRun } from './sandbox.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Shown } from '../view/overlay.ts';
import { enteringArguments, verifyNetwork } from './session-network.ts';
import type { WorkspaceMounts } from './workspace-mounts.ts';

export interface ConfinedCommand {
  readonly bubblewrap: string;
  /** A file with the filter of system calls. */
  readonly filter: string;
  readonly profile: Omit<Profile, 'workspace'>;
  readonly mounts: WorkspaceMounts;
  readonly limits?: CommandLimits | undefined;
  readonly groups: ControlGroups;
  /** The hosts that can be reached; none: no network. */
  readonly hosts: readonly string[];
  /** The network it is started in, by the program that enters it. */
  readonly entered?: { readonly nsenter: string; readonly network: SessionNetwork } | undefined;
  readonly hasTerminal: boolean;
  /** Shown in place of the workspace. */
  readonly view?: Shown | undefined;
  readonly program: string;
  readonly args: readonly string[];
}

const GATE = 5;
const NETWORK = 6;

/** Prepares a run; dispose it when it is over. */
export function confinedRun(command: ConfinedCommand): PreparedRun {
  const { bubblewrap, filter, profile, mounts, view, program, args, entered } = command;
  const limits = ownLimits(command.limits);
  const network = command.hosts.length === 0 ? undefined : networkTo(command.hosts, entered !== undefined);
  const filterDescriptor = openSync(filter, 'r');
  const group = command.groups.take();
  group?.setLimits(limits.processes, limits.memoryBytes);
  let child: string | undefined;
  let hasStarted = false;
  const [outermost, ...wrapped] = [
    ...(entered === undefined ? [] : [entered.nsenter, ...enteringArguments(entered.network)]),
    ...(view?.enter ?? []),
    bubblewrap,
  ];
  return {
    process: {
      program: outermost,
      args: [
        ...wrapped,
        ...profileArguments({
          ...profile,
          workspace: mounts.args,
          shown: [...profile.shown, ...(network?.shown ?? [])],
          env: { ...network?.env, ...profile.env },
        }),
        '/bin/sh',
        '-c',
        starter(limits.script, network, command.hasTerminal),
        'handrail',
        program,
        ...args,
      ],
      cwd: '/',
      env: {},
      descriptors: [filterDescriptor, 'pipe', 'pipe', ...(network === undefined ? [] : ['pipe' as const])],
      async onStart([, status, gate, carrier]) {
        child = await childPid(status!);
        await Promise.all([group?.add(child), firstBytes(gate!)]);
        // The shell may have been started before its parent was moved.
        for (const shell of childrenOf(child)) await group?.add(shell);
        mounts.verify(`/proc/${child}/root`, view);
        if (entered !== undefined) verifyNetwork(child, entered.network);
        if (network !== undefined) {
          gate!.write('\n');
          await network.serve(carrier!);
        }
        hasStarted = true;
        gate!.end('\n');
      },
      terminate: () => terminate(child),
    },
    limitsInForce: group === undefined ? limits.inForce : groupLimits(limits),
    hosts: () => ({ reached: [...(network?.reached ?? [])], denied: [...(network?.denied ?? [])] }),
    settled: () => settled(child),
    whyNotStarted: (written) => (hasStarted ? undefined : notSetUp(profile.directory, written)),
    [Symbol.dispose]() {
      closeSync(filterDescriptor);
      network?.[Symbol.dispose]();
      group?.[Symbol.dispose]();
    },
  };
}

/** The limits hold from there on, so they come last. */
function starter(limits: string, network: Network | undefined, hasTerminal: boolean): string {
  const wait = `read -r _ <&${GATE} || exit 125`;
  return [
    `echo >&${GATE}`,
    wait,
    ...(network === undefined ? [] : [network.start(NETWORK), wait, `exec ${NETWORK}>&-`]),
    `exec ${GATE}>&-`,
    limits,
    // In a session of its own the terminal is the command's: its keys for stopping work, and nobody else's do.
    ...(hasTerminal ? ['command -v setsid >/dev/null && set -- setsid -c "$@"'] : []),
    'exec "$@"',
  ].join('; ');
}

/** bubblewrap says first which process is the first one inside. */
async function childPid(status: Duplex): Promise<string> {
  const [, pid] = /"child-pid": (\d+)/.exec((await firstBytes(status)).toString()) ?? [];
  status.resume();
  if (pid === undefined) throw new Failure('E_EXEC', 'bubblewrap did not say which process it made.');
  return pid;
}

/** Waits for ever where the other end is closed: the end of the process tells more then. */
function firstBytes(pipe: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => void pipe.on('error', reject).once('data', resolve));
}

function childrenOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

function groupLimits({ processes, memoryBytes }: ShellLimits): string[] {
  return [`memory: ${Math.floor(memoryBytes / 2 ** 20)} MiB in all`, `processes: ${processes}`];
}

/** Asks all that is inside, in whatever session it is by now; where nobody can be found, the group of the first. */
function terminate(child: string | undefined): void {
  const inside = child === undefined ? [] : descendantsOf(child);
  for (const pid of inside.length === 0 && child !== undefined ? [`-${child}`] : inside) {
    try {
      process.kill(Number(pid), 'SIGTERM');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function descendantsOf(pid: string): string[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** How long processes that were killed may take to be gone. */
const SETTLE_MS = 10_000;

/** With the first process inside all others end; bubblewrap itself may end before. */
async function settled(child: string | undefined): Promise<void> {
  if (child === undefined) return;
  const givenUpAt = performance.now() + SETTLE_MS;
  while (isRunning(child)) {
    if (performance.now() > givenUpAt)
      throw new Failure('E_EXEC', 'The command was ended, but a process of it hangs in the system.', {
        hint: 'What it changed is not known and was dropped. Look at the disk it works on.',
      });
    await pause(1);
  }
}

function isRunning(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}

function notSetUp(directory: string, written: string): Failure {
  const said =
    written
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^bwrap: /, '') ?? '';
  const details = { reason: said };
  if (said.startsWith("Can't chdir")) {
    const message = `The command was not started, because ${JSON.stringify(directory)} can not be its directory.`;
    return new Failure('E_EXEC', message, { hint: 'Name an existing directory.', details });
  }
  if (said.startsWith('execvp')) {
    return new Failure('E_EXEC', 'The sandbox found no /bin/sh to start the command with.', {
      hint: 'Install a shell at /bin/sh.',
      details,
    });
  }
  return new Failure(
    'E_EXEC',
    `The sandbox could not be set up: ${said || 'bubblewrap ended without a word'}.`,
    {
      hint: 'Nothing was run. `handrail doctor` says what the sandbox needs.',
      details,
    },
  );
}
