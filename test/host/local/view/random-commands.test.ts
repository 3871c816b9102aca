/** Commands made up by chance: taken over from a view, the workspace is what it would be without one. */
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../support/scale.ts';
import { whyNotAs } from '../sandbox/fixtures/commands-in-a-child.ts';
import { runCaptured } from './fixtures/captured-in-a-child.ts';

const SEEDS = Array.from({ length: scaled(40) }, (_, index) => index + 1);

/** A small generator of numbers, the same for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PATHS = ['a', 'b', 'c', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'd/e/b', 'f', 'f/a', 'f/d', 'f/d/a'];
const MODES = ['644', '600', '755', '700', '555', '444', '000', '750'];

function script(next: (below: number) => number, length: number): string {
  const path = (): string => PATHS[next(PATHS.length)]!;
  const steps: readonly (() => string)[] = [
    () => `mkdir -p ${path()}`,
    () => `mkdir ${path()}`,
    () => `echo ${next(9)} > ${path()}`,
    () => `echo ${next(9)} >> ${path()}`,
    () => `rm -f ${path()}`,
    () => `rm -rf ${path()}`,
    () => `rmdir ${path()}`,
    () => `mv ${path()} ${path()}`,
    // What a folder copied into itself gives depends on the order of its names.
    () => `cp -r ${path()} copy${next(2)}`,
    () => `cp -r copy${next(2)}/. ${path()}`,
    () => `ln -sfn ${path()} ${path()}`,
    () => `ln ${path()} ${path()}`,
    () => `touch ${path()}`,
    () => `chmod ${MODES[next(MODES.length)]} ${path()}`,
  ];
  return Array.from({ length }, () => `${steps[next(steps.length)]!()} 2>/dev/null`).join('; ');
}

describe.each(['root', 'nobody'] as const)('commands by chance, as %s', (user) => {
  const whyNot = whyNotAs(user);

  it.skipIf(whyNot !== undefined)('do the same in a view as without one', { timeout: 120_000 }, async () => {
    const cases = SEEDS.map((seed) => {
      const next = chance(seed);
      // Without hard links before: a view breaks them.
      const before = script(next, 15).replaceAll(/ln [^-][^;]*/g, ':');
      return { before: `${before}; true`, line: `${script(next, 12)}; true` };
    });
    const runs = await runCaptured(user, cases);
    for (const [index, run] of runs.entries())
      expect({ ...cases[index], ...run }).toMatchObject({
        isUntouched: true,
        conflicts: [],
        after: run.direct,
      });
  });
});
