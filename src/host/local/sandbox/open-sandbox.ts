/** No sandbox at all: tier C, and what a human approved to run outside. A clean environment and limits; not a boundary. */
import { minimalEnvironment } from './environment.ts';
import { shellLimits } from './limits.ts';
import type { BubblewrapParts } from './bubblewrap-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

const HINT = 'apt-get install bubblewrap (or dnf, pacman, apk: the package has the same name)';

/** Commands without confinement, with the reason why there is none. */
export function openSandbox(parts: BubblewrapParts): (whyNot: string) => Sandbox {
  const { root, folders, home, environment, passedVariables } = parts;
  return (whyNot) => ({
    report: {
      tier: 'C',
      says: `Commands are not confined, because ${whyNot}: they can do what the user can.`,
      hint: HINT,
    },
    prepare({ program, args, directory, env, limits: asked, confinement }) {
      const limits = shellLimits(asked);
      using workspace = root.open();
      void workspace;
      const usual = minimalEnvironment({
        parent: environment,
        passed: passedVariables,
        home,
        temporary: folders.temporary(confinement.session),
        untrusted: root.roots,
      });
      return {
        process: {
          program: '/bin/sh',
          args: ['-c', `${limits.script}; exec "$@"`, 'handrail', program, ...args],
          cwd: directory === '.' ? root.roots[0] : `${root.roots[0]}/${directory}`,
          env: { ...usual, ...env },
        },
        limitsInForce: limits.inForce,
        hosts: () => ({ reached: [], denied: [] }),
        whyNotStarted: () => undefined,
        [Symbol.dispose]: () => {},
      };
    },
  });
}
