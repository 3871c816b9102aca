/** No sandbox at all: tier C, and what a human approved to run outside. A clean environment and limits; not a boundary. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { Failure } from '../../../failure.ts';
import type { Root } from '../root.ts';
import { type Environment, minimalEnvironment, TERMINAL_VARIABLES } from './environment.ts';
import { sharedLimits } from './limits.ts';
import { endMarked, killMarked, mark } from './marked-processes.ts';
import type { PreparedRun, Sandbox, SandboxedCommand } from './sandbox.ts';

export interface OpenParts {
  readonly root: Root;
  readonly home: string;
  readonly environment: Environment;
}

const INSTALL = 'apt-get install bubblewrap (dnf, pacman, zypper and apk call it the same)';
const ALLOW_NAMESPACES =
  'Let users make name spaces: sysctl kernel.unprivileged_userns_clone=1; on Ubuntu also kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap.';

/** Commands without confinement, and the reason why there is none. */
export function openSandbox(parts: OpenParts, whyNot: string): Sandbox {
  return {
    report: {
      tier: 'C',
      says: `Commands are not confined, because ${whyNot}: they can do whatever the user can.`,
      hint: /name ?space|uid map/i.test(whyNot) ? ALLOW_NAMESPACES : INSTALL,
    },
    showsViews: false,
    prepare: (command) => openRun(parts, command),
  };
}

function openRun(parts: OpenParts, command: SandboxedCommand): PreparedRun {
  const { root, home, environment } = parts;
  const { program, args, directory, env } = command;
  const limits = sharedLimits(command.limits);
  const id = command.mark ?? randomUUID();
  const usual = minimalEnvironment({
    parent: environment,
    home,
    temporary: '/tmp',
    untrusted: root.roots,
  });
  // Held until the end: the command enters the very folder that was pinned, whatever its name means by then.
  const workspace = root.open();
  const cwd = workspace.entry(directory).toString();
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    workspace[Symbol.dispose]();
    const message = `The command was not started, because ${JSON.stringify(directory)} can not be its directory.`;
    throw new Failure('E_EXEC', message, { hint: 'Name an existing directory.' });
  }
  return {
    process: {
      program: '/bin/sh',
      args: ['-c', `${limits.script}; exec "$@"`, 'handrail', program, ...args],
      cwd,
      env: { ...usual, ...(command.hasTerminal ? TERMINAL_VARIABLES : {}), ...env, ...mark(id) },
    },
    limitsInForce: limits.inForce,
    hosts: () => ({ reached: [], denied: [] }),
    whyNotStarted: () => undefined,
    settled: () => endMarked(id),
    [Symbol.dispose]() {
      killMarked(id);
      workspace[Symbol.dispose]();
    },
  };
}
