/** Commands confined by macOS's Seatbelt. Not yet run on a Mac. */
import { Failure } from '../../../failure.ts';
import type { BubblewrapParts } from './bubblewrap-sandbox.ts';
import { minimalEnvironment } from './environment.ts';
import { sharedLimits } from './limits.ts';
import type { Sandbox } from './sandbox.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';
import { visiblePlaces } from './visible-places.ts';

const PROGRAM = '/usr/bin/sandbox-exec';

/** The sandbox of a Mac. */
export function seatbeltSandbox(parts: BubblewrapParts): Sandbox {
  const { root, folders, home, own, environment } = parts;
  const [workspace] = root.roots;
  const { toolchains } = visiblePlaces({ home, own, workspace });
  return {
    report: {
      tier: 'seatbelt',
      says: 'Commands are confined by Seatbelt, by a profile that has not been tried on many machines; processes they leave behind are ended by group only.',
    },
    showsViews: false,
    prepare({ program, args, directory, env, limits: asked, confinement }) {
      const { hosts, session, hidden, frozen, isReadOnly, isNarrow } = confinement;
      if (isNarrow === true) {
        throw new Failure(
          'E_UNSUPPORTED',
          'A command can not be kept from reading elsewhere on this system.',
          {
            hint: 'Name the files it reads, or have a person approve it.',
          },
        );
      }
      if (hosts.length > 0) {
        throw new Failure('E_UNSUPPORTED', 'Single hosts can not be granted to a command on this system.', {
          hint: 'Run it without the network, or have a person approve it to run outside the sandbox.',
        });
      }
      const [temporary, caches] = [folders.temporary(session), folders.caches()];
      const limits = sharedLimits(asked);
      const absolute = (path: string): string => (path === '.' ? workspace : `${workspace}/${path}`);
      const profile = seatbeltProfile({
        workspace,
        home,
        isReadOnly,
        hidden: hidden.map(absolute),
        frozen: frozen.map(absolute),
        toolchains: toolchains.map(({ shown }) => shown),
        writable: [temporary, caches],
        own,
      });
      const usual = minimalEnvironment({
        parent: environment,
        home,
        temporary,
        untrusted: root.roots,
      });
      return {
        process: {
          program: PROGRAM,
          args: ['-p', profile, '/bin/sh', '-c', `${limits.script}; exec "$@"`, 'handrail', program, ...args],
          cwd: absolute(directory),
          env: { ...usual, XDG_CACHE_HOME: caches, ...env },
        },
        limitsInForce: limits.inForce,
        hosts: () => ({ reached: [], denied: [] }),
        whyNotStarted: () => undefined,
        settled: async () => {},
        [Symbol.dispose]: () => {},
      };
    },
  };
}
