/** Links and races: what is touched is what was decided on, and nothing outside is ever reached. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scaled } from '../support/scale.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import {
  ALIVE,
  type Attack,
  expectAllowed,
  expectHarmless,
  expectRefused,
  testAttacks,
  testPathAttacks,
  testWaiting,
} from './attack-case.ts';
import { bash, COMMAND_TOOLS, commandOn, runUndefended } from './commanding.ts';
import { closedRecords, snapshotOutside } from './evidence.ts';
import { callOn, FILE_TOOLS, LOOKING, PLANTED, toolsThat } from './file-tools.ts';
import { startFlipping } from './flipping.ts';
import { library } from './surfaces.ts';
import { harmDone, realpathChecked, realpathThenOpen, unchecked } from './undefended.ts';

const HIDDEN = 'hidden\n';

/** What goes to where a link leads; the others mean the link itself. */
const FOLLOWING = [...LOOKING, 'write', 'make'] as const;

describe('links', () => {
  testPathAttacks([
    {
      id: 'LN-01',
      title: 'a link to a file outside (CVE-2025-53109)',
      given({ root, outside }) {
        symlinkSync(join(outside, 's.txt'), join(root, 'notes.txt'));
        symlinkSync('../out/s.txt', join(root, 'relative.txt'));
        symlinkSync('relative.txt', join(root, 'chain.txt'));
      },
      paths: ({ root }) => [
        'notes.txt',
        'relative.txt',
        'chain.txt',
        './notes.txt',
        'relative.txt/../notes.txt',
        `${root}/notes.txt`,
      ],
      does: FOLLOWING,
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: unchecked },
    },
    {
      id: 'LN-02',
      title: 'a link to a folder outside',
      given({ root, outside, ...workspace }) {
        symlinkSync(outside, join(root, 'link'));
        symlinkSync('link', join(root, 'chain'));
        workspace.write('a/b', '');
        symlinkSync('../..', join(root, 'a/up'));
        symlinkSync(`${root}/../out`, join(root, 'through'));
        symlinkSync('/proc/self/root', join(root, 'proc'));
      },
      paths: ({ outside }) => [
        'link/new.txt',
        'link/s.txt',
        'chain/s.txt',
        'a/up/out/s.txt',
        'through/s.txt',
        `proc${outside}/s.txt`,
      ],
      refusedWith: ['E_OUTSIDE_WORKSPACE'],
      bites: { executor: unchecked },
    },
    {
      id: 'LN-02',
      title: 'a link to a folder outside, itself',
      given: ({ root, outside }) => symlinkSync(outside, join(root, 'link')),
      paths: () => ['link', 'link/', 'link/.'],
      does: FOLLOWING,
      refusedWith: ['E_OUTSIDE_WORKSPACE'],
      bites: { executor: unchecked },
    },
    {
      id: 'LN-02',
      title: 'a link to nothing outside (CVE-2026-50549)',
      given({ root, outside }) {
        symlinkSync(join(outside, 'missing'), join(root, 'd'));
        symlinkSync('../out/missing', join(root, 'e'));
      },
      paths: () => ['d', 'e'],
      does: FOLLOWING,
      refusedWith: ['E_OUTSIDE_WORKSPACE'],
      bites: { executor: realpathChecked },
    },
    {
      id: 'LN-05',
      title: 'a loop of links',
      given({ root }) {
        symlinkSync('loop', join(root, 'loop'));
        symlinkSync('b', join(root, 'a'));
        symlinkSync('a', join(root, 'b'));
      },
      paths: () => ['loop', 'a', 'loop/x', 'a/b/c'],
      does: FOLLOWING,
      refusedWith: ['E_INVALID_PATH'],
      bites: {
        noProof:
          'the kernel ends a loop for the undefended as well; endless walks are among the special files',
      },
    },
  ]);

  testWaiting([
    { id: 'LN-03', attack: 'a patch on a hard link', until: 'fs.patch', why: 'no tool applies patches' },
  ]);

  it('are deleted themselves, never what they lead to', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, 'kept/inside.txt': HIDDEN });
    const surface = await library(workspace);
    for (const remove of toolsThat('delete', 'delete file')) {
      for (const target of [workspace.outside, join(workspace.outside, 's.txt'), 'kept', 'loop']) {
        symlinkSync(target, join(workspace.root, 'loop'));
        await expectAllowed(surface, workspace, callOn(remove, 'loop'));
        expect(readdirSync(workspace.root).sort()).toEqual(['alive.txt', 'kept']);
      }
    }
    expect(readFileSync(join(workspace.root, 'kept/inside.txt'), 'utf8')).toBe(HIDDEN);
  });
});

/** Swaps the directory `d` for a link to the outside. */
function swap({ root, outside }: TempWorkspace): void {
  renameSync(join(root, 'd'), join(root, 'd.kept'));
  symlinkSync(outside, join(root, 'd'));
}

/** What happens when a place is looked at, swapped, and then used by its name. */
async function swapUnderUndefended(): Promise<void> {
  await using workspace = tempWorkspace({ 'd/s.txt': 'inside\n' });
  expect(realpathThenOpen(workspace).read('d/s.txt')).toBe('inside\n');
  swap(workspace);
  unchecked(workspace).write('d/s.txt');
  expect(readFileSync(join(workspace.outside, 's.txt'), 'utf8')).toBe(PLANTED);
}

const FLIPS = scaled(10_000);
const FEWEST_CALLS = scaled(900);
const BOTH_SIDES = ['read failed', 'read ok', 'write failed', 'write ok'];

/** Commands that leave a link to the outside in the place of a folder. */
const MAKING_LINKS = [
  'mv d d.kept && ln -s ../out d',
  'd=d; mv $d $d.kept; x=../out; ln -sfn "$x" $d',
  String.raw`rm -r d; perl -e 'symlink "../out", "d"'`,
];

const RACES: readonly Attack[] = [
  {
    id: 'LN-07',
    title: 'a folder that was fine a call ago and is a link now (CVE-2026-39861)',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'd/s.txt': 'inside\n' });
      const surface = await library(workspace);
      for (const tool of toolsThat('read', 'write')) {
        await expectAllowed(surface, workspace, callOn(tool, 'd/s.txt'));
      }
      spawnSync('/bin/sh', ['-c', 'mv d d.kept && ln -s ../out d'], { cwd: workspace.root });
      for (const tool of FILE_TOOLS) {
        for (const path of ['d/s.txt', 'd/new.txt']) {
          await expectRefused(surface, workspace, callOn(tool, path), ['E_OUTSIDE_WORKSPACE']);
        }
      }
    },
    bites: swapUnderUndefended,
  },
  {
    id: 'LN-07',
    title: 'a link that a confined command makes, and a file tool follows (CVE-2026-39861)',
    attack: async () => {
      for (const command of MAKING_LINKS) {
        await using workspace = tempWorkspace({ ...ALIVE, 'd/s.txt': 'inside\n' });
        const surface = await library(workspace);
        await expectAllowed(surface, workspace, bash(command));
        expect(readlinkSync(join(workspace.root, 'd'))).toBe('../out');
        for (const tool of FILE_TOOLS) {
          for (const path of ['d/s.txt', 'd/new.txt'])
            await expectRefused(surface, workspace, callOn(tool, path), ['E_OUTSIDE_WORKSPACE']);
        }
        for (const tool of COMMAND_TOOLS)
          await expectHarmless(surface, workspace, commandOn(tool, 'cat d/s.txt; echo planted > d/s.txt'));
      }
    },
    bites: async () => {
      for (const command of MAKING_LINKS) {
        await using workspace = tempWorkspace({ 'd/s.txt': 'inside\n' });
        runUndefended(workspace, command);
        expect(harmDone(workspace, unchecked(workspace), 'd/s.txt')).not.toEqual([]);
      }
    },
  },
  {
    id: 'LN-06',
    title: 'a swap while a human is asked',
    attack: async () => {
      for (const tool of toolsThat('write', 'make', 'delete', 'delete file', 'move from', 'move to')) {
        await using workspace = tempWorkspace({ ...ALIVE, 'd/s.txt': 'inside\n' });
        const isNew = tool.does === 'move to' || tool.does === 'make';
        const path = isNew ? 'd/new.txt' : 'd/s.txt';
        const surface = await library(workspace, {
          async approve() {
            swap(workspace);
            return { answer: 'once' };
          },
        });
        await expectRefused(surface, workspace, callOn(tool, path), ['E_CONFLICT', 'E_NOT_DIR']);
        expect(readFileSync(join(workspace.root, 'd.kept/s.txt'), 'utf8')).toBe('inside\n');
      }
    },
    bites: swapUnderUndefended,
  },
  {
    id: 'LN-06',
    title: 'a root that is swapped for a link to the outside',
    attack: async () => {
      await using workspace = tempWorkspace();
      const surface = await library(workspace);
      const before = snapshotOutside(workspace);
      renameSync(workspace.root, `${workspace.root}-kept`);
      symlinkSync(workspace.outside, workspace.root);
      for (const tool of FILE_TOOLS) {
        const { outcome, text } = await surface.call(callOn(tool, 's.txt'));
        expect(outcome).toBe('failed');
        expect(text).not.toContain(OUTSIDE_SECRET.trim());
      }
      expect(snapshotOutside(workspace)).toMatchObject(before);
      expect(closedRecords(surface.state).map(({ outcome }) => outcome)).toEqual(
        FILE_TOOLS.map(() => 'failed'),
      );
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      renameSync(workspace.root, `${workspace.root}-kept`);
      symlinkSync(workspace.outside, workspace.root);
      expect(unchecked(workspace).read('s.txt')).toBe(OUTSIDE_SECRET);
    },
  },
  {
    id: 'LN-06',
    title: `a folder that flips between itself and a link, ${FLIPS} times (CVE-2026-44112, CVE-2026-44113)`,
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      await using race = await startFlipping(workspace);
      const before = snapshotOutside(workspace);
      const surface = await library(workspace);
      const calls = [
        ...toolsThat('read').map((tool) => callOn(tool, 'd/g')),
        ...toolsThat('write', 'move from', 'delete', 'delete file').map((tool) => callOn(tool, 'd/f')),
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
      await using workspace = tempWorkspace();
      await using race = await startFlipping(workspace);
      const before = JSON.stringify(snapshotOutside(workspace));
      const { read, write } = realpathThenOpen(workspace);
      let isLost = false;
      // It takes a few tries; should it take for ever, the flipping ends by itself.
      while (!isLost && race.flips() > 0) {
        await new Promise(setImmediate);
        try {
          isLost = read('d/g') === OUTSIDE_SECRET;
          write('d/f');
        } catch {
          // The flipping side was quicker this time.
        }
        isLost ||= JSON.stringify(snapshotOutside(workspace)) !== before;
      }
      expect(isLost).toBe(true);
    },
  },
];

describe('races', () => {
  testAttacks(RACES);
});
