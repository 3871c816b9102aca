/** Searches while another process swaps a folder for a link to the outside: nothing of the outside is ever shown. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scaled } from '../support/scale.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, testAttacks } from './attack-case.ts';
import { closedRecords, snapshotOutside } from './evidence.ts';
import { callOn, toolsThat } from './file-tools.ts';
import { startFlipping } from './flipping.ts';
import { SEARCHES, shownLines, shownPaths } from './searching.ts';
import { library } from './surfaces.ts';
import { checkThenList, checkThenSearch } from './undefended-search.ts';

const FLIPS = scaled(10_000);
const FEWEST_CALLS = scaled(600);
const BOTH_SIDES = ['stat ok', 'stat failed', 'mkdir ok', 'mkdir failed'];

/** More files of the outside, by names that are nowhere in the workspace. */
function plantOutside({ outside }: TempWorkspace): void {
  for (let index = 0; index < 20; index++)
    writeFileSync(join(outside, `only-outside-${index}`), OUTSIDE_SECRET);
}

/** What an answer tells of the outside: names that are only there, and lines that are. */
function told(text: string): string[] {
  return [...text.matchAll(/only-outside|s\.txt|outside secret/g)].map(([found]) => found);
}

/** Asks an undefended search until it tells something, as long as the race is on. */
async function askUntilTold(search: (workspace: TempWorkspace) => string): Promise<string[]> {
  await using workspace = tempWorkspace();
  plantOutside(workspace);
  await using race = await startFlipping(workspace);
  let found: string[] = [];
  // It takes a few tries; should it take for ever, the flipping ends by itself.
  while (found.length === 0 && race.flips() > 0) {
    await new Promise(setImmediate);
    try {
      found = told(search(workspace));
    } catch {
      // The flipping side was quicker this time.
    }
  }
  return found;
}

/** Checks where a folder really is, then makes one in it by its name; tells whether that was outside. */
function checkThenMake({ root, outside }: TempWorkspace): string {
  if (!realpathSync(join(root, 'd')).startsWith(root)) throw new Error('outside');
  mkdirSync(join(root, 'd/only-outside-new'), { recursive: true });
  return existsSync(join(outside, 'only-outside-new')) ? 'only-outside' : '';
}

const RACES: readonly Attack[] = [
  {
    id: 'LN-06',
    title: `lines of a folder that flips between itself and a link, ${FLIPS} times`,
    attack: () => searchWhileFlipping('lines'),
    bites: async () => {
      expect(await askUntilTold((workspace) => checkThenSearch(workspace, 'secret', 'd'))).not.toEqual([]);
    },
  },
  {
    id: 'LN-06',
    title: `names in a folder that flips between itself and a link, ${FLIPS} times`,
    attack: () => searchWhileFlipping('names'),
    bites: async () => {
      expect(await askUntilTold((workspace) => checkThenList(workspace, 'd'))).not.toEqual([]);
    },
  },
  {
    id: 'LN-06',
    title: `new folders, facts and several files in one that flips, ${FLIPS} times`,
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      plantOutside(workspace);
      await using race = await startFlipping(workspace);
      const before = snapshotOutside(workspace);
      const surface = await library(workspace);
      const calls = [
        ...toolsThat('stat', 'read several', 'view').flatMap((tool) => [
          callOn(tool, 'd/g'),
          callOn(tool, 'd/s.txt'),
        ]),
        ...toolsThat('make').flatMap((tool) => [
          callOn(tool, 'd/new/deep'),
          callOn(tool, 'd/only-outside-1/x'),
        ]),
      ];
      const outcomes = new Set<string>();
      // Both sides of the race have to be met; should that take for ever, the flipping ends, and says so.
      const isMet = (): boolean => BOTH_SIDES.every((outcome) => outcomes.has(outcome));
      for (let made = 0; race.flips() < FLIPS || made < FEWEST_CALLS || !isMet(); made += calls.length) {
        for (const call of calls) {
          const { outcome, text } = await surface.call(call);
          expect(text).not.toContain(OUTSIDE_SECRET.trim());
          outcomes.add(`${call.tool} ${outcome}`);
        }
      }
      expect(snapshotOutside(workspace)).toEqual(before);
      expect(closedRecords(surface.state).filter(({ error }) => error?.code === 'E_INTERNAL')).toEqual([]);
    },
    bites: async () => {
      expect(await askUntilTold(checkThenMake)).toEqual(['only-outside']);
    },
  },
];

async function searchWhileFlipping(shows: 'lines' | 'names'): Promise<void> {
  await using workspace = tempWorkspace(ALIVE);
  plantOutside(workspace);
  await using race = await startFlipping(workspace);
  const before = snapshotOutside(workspace);
  const surface = await library(workspace);
  const calls = SEARCHES.filter((tool) => tool.shows === shows).flatMap(({ search }) => [
    search('s', 'd'),
    search('s', '.'),
  ]);
  const outcomes = new Set<string>();
  let foundInside = 0;
  const isMet = (): boolean => outcomes.size > 1 && foundInside > 0;
  for (let made = 0; race.flips() < FLIPS || made < FEWEST_CALLS || !isMet(); made += calls.length) {
    for (const call of calls) {
      const answer = await surface.call(call);
      outcomes.add(answer.outcome);
      // A refusal names where the path leads, and nothing that is there.
      expect({ call, told: told(answer.text).filter((found) => found !== 's.txt') }).toEqual({
        call,
        told: [],
      });
      expect(shownPaths(answer).filter((path) => path.endsWith('s.txt'))).toEqual([]);
      if (shownPaths(answer).includes('d/g') || shownLines(answer).some(({ text }) => text === 'inside'))
        foundInside++;
    }
  }
  expect(snapshotOutside(workspace)).toEqual(before);
  expect(outcomes).toEqual(new Set(['ok', 'failed']));
  expect(closedRecords(surface.state).filter(({ error }) => error?.code === 'E_INTERNAL')).toEqual([]);
}

describe('races of searches', () => {
  testAttacks(RACES);
});
