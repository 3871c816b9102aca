/** Entries that are not plain files of their own: hard links, pipes, sockets, trees that contain themselves. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import {
  ALIVE,
  type Attack,
  expectAllowed,
  expectHarmless,
  expectRefused,
  testAttacks,
  testPathAttacks,
} from './attack-case.ts';
import { ALLOW_ALL, runUndefended } from './commanding.ts';
import { snapshotOutside } from './evidence.ts';
import { callOn, FILE_TOOLS, PLANTED, toolsThat } from './file-tools.ts';
import { SEARCHES, shownPaths } from './searching.ts';
import { commandLine, library, type Surface } from './surfaces.ts';
import { deleteFollowing, unchecked, walkFollowing } from './undefended.ts';

/** A file with one name outside and one inside; by the inside one it may be read. */
function plantHardLink({ root, outside }: TempWorkspace): void {
  writeFileSync(join(outside, 'shared'), 'shared\n');
  linkSync(join(outside, 'shared'), join(root, 'hard'));
}

const CHMOD = 'chmod 777 hard';
const ANYTHING = { rules: [ALLOW_ALL], mode: 'auto', environment: process.env } as const;

type Call = (tool: string, args: object) => Promise<{ readonly id?: string }>;

function plantPipe({ root }: TempWorkspace, path: string): void {
  spawnSync('mkfifo', [join(root, path)]);
}

/** A tree with a way out, a way around and a pipe. */
function plantTree(workspace: TempWorkspace): void {
  workspace.write('tree/deep/file', '');
  symlinkSync(workspace.outside, join(workspace.root, 'tree/deep/out'));
  symlinkSync('..', join(workspace.root, 'tree/deep/self'));
}

const SPECIAL_FILES: readonly Attack[] = [
  {
    id: 'LN-03',
    title: 'a hard link to an outside file',
    attack: async () => {
      for (const tool of toolsThat('write', 'delete', 'delete file')) {
        await using workspace = tempWorkspace(ALIVE);
        plantHardLink(workspace);
        await expectAllowed(await library(workspace), workspace, callOn(tool, 'hard'));
        expect(statSync(join(workspace.outside, 'shared')).nlink).toBe(1);
      }
      await using workspace = tempWorkspace(ALIVE);
      plantHardLink(workspace);
      const [write] = toolsThat('write');
      expect((await expectHarmless(commandLine(workspace), workspace, callOn(write!, 'hard'))).outcome).toBe(
        'ok',
      );
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantHardLink(workspace);
      unchecked(workspace).write('hard');
      expect(readFileSync(join(workspace.outside, 'shared'), 'utf8')).toBe(PLANTED);
    },
  },
  {
    id: 'LN-03',
    title: 'another mode for a hard link to an outside file, by a command, a preview or a patch',
    attack: async () => {
      for (const change of [
        (call) => call('bash', { command: CHMOD }),
        async (call) => {
          const { id } = await call('preview_command', { command: CHMOD });
          await call('apply_preview', { id });
        },
        (call) => call('patch', { patch: 'diff --git a/hard b/hard\nold mode 100644\nnew mode 100755\n' }),
      ] satisfies ((call: Call) => Promise<unknown>)[]) {
        await using workspace = tempWorkspace();
        const runtime = await workspace.runtime(ANYTHING);
        const session = await runtime.openSession();
        plantHardLink(workspace);
        const before = snapshotOutside(workspace);
        await change(async (tool, args) => {
          const { outcome, reply } = await runtime.call(tool, args, { session });
          expect({ tool, outcome }).toEqual({ tool, outcome: 'ok' });
          return reply as { readonly id?: string };
        });
        expect(statSync(join(workspace.root, 'hard')).mode & 0o111).toBe(0o111);
        expect(snapshotOutside(workspace)).toEqual(before);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantHardLink(workspace);
      const before = snapshotOutside(workspace);
      runUndefended(workspace, CHMOD);
      expect(snapshotOutside(workspace)).not.toEqual(before);
    },
  },
  {
    id: 'LN-03',
    title: 'the old mode for a file that has become a hard link to an outside one, by undo',
    attack: async () => {
      await using workspace = tempWorkspace({ hard: 'shared\n' });
      const runtime = await workspace.runtime(ANYTHING);
      await runtime.call('bash', { command: CHMOD });
      rmSync(join(workspace.root, 'hard'));
      plantHardLink(workspace);
      chmodSync(join(workspace.outside, 'shared'), 0o777);
      const before = snapshotOutside(workspace);
      expect(await runtime.undo()).toMatchObject({ steps: [{ path: 'hard', action: 'restore' }] });
      expect(statSync(join(workspace.root, 'hard')).mode & 0o777).not.toBe(0o777);
      expect(snapshotOutside(workspace)).toEqual(before);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantHardLink(workspace);
      const before = snapshotOutside(workspace);
      chmodSync(join(workspace.root, 'hard'), 0o600);
      expect(snapshotOutside(workspace)).not.toEqual(before);
    },
  },
  {
    id: 'LN-05',
    title: 'a pipe',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      plantPipe(workspace, 'pipe');
      symlinkSync('pipe', join(workspace.root, 'to-pipe'));
      const surface = await library(workspace);
      for (const path of ['pipe', 'to-pipe']) await refuseIrregular(surface, workspace, path);
      await expectRefused(commandLine(workspace), workspace, callOn(FILE_TOOLS[0]!, 'pipe'), ['E_NOT_FILE']);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantPipe(workspace, 'pipe');
      const program = `require('node:fs').readFileSync(${JSON.stringify(join(workspace.root, 'pipe'))})`;
      const { error } = spawnSync(process.execPath, ['-e', program], { timeout: 2_000 });
      expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    },
  },
  {
    id: 'LN-05',
    title: 'a socket',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const server = createServer().listen(join(workspace.root, 'socket'));
      await once(server, 'listening');
      await refuseIrregular(await library(workspace), workspace, 'socket');
      server.close();
    },
    bites: { noProof: 'opening a socket as a file fails by itself (ENXIO); the point is a typed answer' },
  },
  {
    id: 'LN-05',
    title: 'a tree with a way out, a way around and a pipe, to be deleted',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const [remove] = toolsThat('delete');
      for (const surface of [await library(workspace), commandLine(workspace)]) {
        plantTree(workspace);
        plantPipe(workspace, 'tree/pipe');
        await expectAllowed(surface, workspace, callOn(remove!, 'tree'));
        expect(readdirSync(workspace.root)).toEqual(['alive.txt']);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      plantTree(workspace);
      const met = walkFollowing(join(workspace.root, 'tree')).filter((path) => path.endsWith('deep/file'));
      expect(met.length).toBeGreaterThan(10);
      deleteFollowing(join(workspace.root, 'tree/deep'));
      expect(existsSync(join(workspace.outside, 's.txt'))).toBe(false);
    },
  },
];

describe('special files', () => {
  testAttacks(SPECIAL_FILES);
});

async function refuseIrregular(surface: Surface, workspace: TempWorkspace, path: string): Promise<void> {
  for (const tool of toolsThat('read', 'view', 'write', 'list', 'search', 'find')) {
    await expectRefused(surface, workspace, callOn(tool, path), ['E_NOT_FILE', 'E_NOT_DIR']);
  }
}

const BEING_WRITTEN = '.handrail-call_1m7f623rmpjh59nez2txh0qxa-3.tmp';

describe('a file that is being written', () => {
  testPathAttacks([
    {
      id: 'LN-04',
      title: 'its temporary name, left behind by a crash',
      given: (workspace) => {
        for (const name of [BEING_WRITTEN, BEING_WRITTEN.toUpperCase()])
          workspace.write(`sub/${name}`, OUTSIDE_SECRET);
      },
      paths: () => [`sub/${BEING_WRITTEN}`, `sub/${BEING_WRITTEN.toUpperCase()}`, `sub/./${BEING_WRITTEN}`],
      refusedWith: ['E_POLICY_DENIED'],
      bites: {
        harms: (workspace, path) => unchecked(workspace).read(path) === OUTSIDE_SECRET,
      },
    },
  ]);

  it('is on no list', async () => {
    await using workspace = tempWorkspace({ ...ALIVE, [BEING_WRITTEN]: 'needle\n' });
    const surface = await library(workspace);
    for (const { search } of SEARCHES)
      expect(shownPaths(await expectAllowed(surface, workspace, search('needle')))).not.toContain(
        BEING_WRITTEN,
      );
    for (const tool of toolsThat('list')) {
      const { text } = await expectAllowed(surface, workspace, callOn(tool, '.'));
      expect(text).not.toContain(BEING_WRITTEN);
    }
  });
});
