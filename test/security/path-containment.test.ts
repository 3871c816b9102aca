/** No path argument of any tool leads out of the workspace, however it is written. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { dialects } from '../../src/dialects/index.ts';
import { approver } from '../support/approver.ts';
import { OUTSIDE_SECRET, type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectRefused, testAttacks, testPathAttacks } from './attack-case.ts';
import {
  ALLOW_ALL,
  COMMAND_TOOLS,
  commandOn,
  DIRECTORY_TOOLS,
  harmsOutside,
  runUndefended,
} from './commanding.ts';
import { callOn, FILE_TOOLS, LOOKING, PATTERN_TOOLS } from './file-tools.ts';
import { commandLine, library, type ToolCall } from './surfaces.ts';
import { prefixChecked, readWithCallersRoot, unchecked } from './undefended.ts';

function readsSomething(workspace: TempWorkspace, path: string): boolean {
  const { read, list } = unchecked(workspace);
  try {
    return read(path).length > 0;
  } catch {
    return list(path).length > 0;
  }
}

describe('path arguments', () => {
  testPathAttacks([
    {
      id: 'FS-01',
      title: 'a sibling whose name starts like the root (CVE-2025-54794, CVE-2025-53110, CVE-2026-58481)',
      given({ root }) {
        mkdirSync(`${root}-evil`);
        writeFileSync(`${root}-evil/s.txt`, OUTSIDE_SECRET);
      },
      paths: ({ root }) => [
        `${root}-evil/s.txt`,
        '../ws-evil/s.txt',
        '../ws-evil',
        `${root}/../ws-evil/s.txt`,
      ],
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: prefixChecked },
    },
    {
      id: 'FS-02',
      title: 'climbing (CVE-2025-62353)',
      given: (workspace) => workspace.write('a/b/c.txt', ''),
      paths: ({ root }) => [
        '../out/s.txt',
        'a/../../out/s.txt',
        './../out',
        'a/b/../../../out/s.txt',
        './/..//out//s.txt',
        'missing/../../out/s.txt',
        `${root}/a/../../out/s.txt`,
      ],
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: unchecked },
    },
    {
      id: 'FS-03',
      title: 'absolute paths (CVE-2026-65698)',
      paths: ({ outside }) => [`${outside}/s.txt`, `/${outside}/s.txt`, `/.${outside}/../out/s.txt`],
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: unchecked },
    },
    {
      id: 'FS-03',
      title: 'files of the system',
      paths: () => ['/etc/hostname', '/etc/passwd', '/etc', `${'../'.repeat(40)}etc/passwd`],
      // Only reading is tried: if this ever fails, it must not take the machine along.
      does: LOOKING,
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { harms: readsSomething },
    },
    {
      id: 'FS-04',
      title: 'the outside through /proc',
      paths: ({ outside }) => [`/proc/self/root${outside}/s.txt`, `/proc/self/root${outside}`],
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: unchecked },
    },
    {
      id: 'FS-04',
      title: '/proc, /sys and /dev themselves',
      paths: () => [
        '/proc/self/environ',
        '/proc/self/cwd/../..',
        '/sys/kernel',
        '/dev',
        `${'../'.repeat(40)}proc/self/environ`,
      ],
      does: LOOKING,
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { harms: readsSomething },
    },
  ]);

  it('names where a climbing path would have led', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const surface = await library(workspace);
    const call: ToolCall = { dialect: 'coder', tool: 'read', args: { path: 'a/../../out/s.txt' } };
    const { text } = await expectRefused(surface, workspace, call, ['E_OUTSIDE_WORKSPACE']);
    expect(text).toContain(join(workspace.outside, 's.txt'));
  });

  it('refuses every sibling that shares the beginning of its name with the root', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'coder' });
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[^/\0]{1,20}$/u), async (suffix) => {
        for (const path of [`${workspace.root}${suffix}/s.txt`, `../ws${suffix}/s.txt`]) {
          const { result } = await runtime.call('read', { path });
          expect(['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH']).toContain(result.error?.code);
        }
      }),
    );
  });

  it('are in the tables of file tools, whatever tool they belong to', () => {
    const inTables = [
      ...FILE_TOOLS,
      ...COMMAND_TOOLS,
      ...DIRECTORY_TOOLS,
      ...PATTERN_TOOLS.map(({ callWith }) => callWith('x')),
    ];
    const covered = new Set(
      inTables.map(({ dialect, tool }) =>
        dialects()
          .find(({ name }) => name === dialect)
          ?.tools.get(tool),
      ),
    );
    const forgotten = dialects().flatMap(({ name, tools }) =>
      [...tools.values()]
        .filter(({ operation }) => operation.permissions.some((permission) => permission.startsWith('fs.')))
        .filter((tool) => !covered.has(tool) && !PATHLESS.has(tool.name))
        .map((tool) => `${name} ${tool.name}`),
    );
    expect(forgotten).toEqual([]);
  });
});

/** What they look at is the repository of the workspace, or a command in it; no argument of theirs is a path. */
const PATHLESS = new Set(['git.branch', 'run_persistent']);

const MOVED_ROOTS: readonly Attack[] = [
  {
    id: 'FS-09',
    title: 'a call that names a root of its own (CVE-2025-59532, CVE-2026-50548)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await library(workspace);
      for (const move of MOVES) {
        for (const tool of FILE_TOOLS) {
          const { args, ...call } = callOn(tool, 's.txt');
          await expectRefused(surface, workspace, { ...call, args: { ...(args as object), ...move } }, [
            'E_INVALID_ARGS',
          ]);
        }
      }
      const call: ToolCall = { dialect: 'handrail', tool: 'read', args: { path: 's.txt', ...MOVES[0] } };
      await expectRefused(commandLine(workspace), workspace, call, ['E_INVALID_ARGS']);
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      for (const move of MOVES)
        expect(readWithCallersRoot(workspace, { path: 's.txt', ...move })).toBe(OUTSIDE_SECRET);
    },
  },
  {
    id: 'FS-09',
    title: 'a folder to run a command in that is outside (CVE-2025-59532, CVE-2026-50548)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      symlinkSync(workspace.outside, join(workspace.root, 'link'));
      const surface = await library(workspace, { rules: [ALLOW_ALL] });
      for (const cwd of foldersOutside(workspace)) {
        for (const tool of COMMAND_TOOLS) {
          await expectRefused(
            surface,
            workspace,
            commandOn(tool, USE_FOLDER, { cwd }),
            tool.takesDirectory ? ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'] : ['E_INVALID_ARGS'],
          );
        }
      }
    },
    bites: async () => {
      await using first = tempWorkspace();
      for (const index of foldersOutside(first).keys()) {
        await using workspace = tempWorkspace();
        symlinkSync(workspace.outside, join(workspace.root, 'link'));
        const directory = foldersOutside(workspace)[index]!;
        expect({ directory, isHarmed: harmsOutside(workspace, USE_FOLDER, { directory }) }).toEqual({
          directory,
          isHarmed: true,
        });
      }
    },
  },
];

const MISLEADING: readonly Attack[] = [
  {
    id: 'SH-11',
    title: 'a folder to run a command in that is a link, and a way up from where it leads',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, ...BESIDE_LINK });
      symlinkSync('a/b', join(workspace.root, 'link'));
      const rules: Rule[] = [
        ALLOW_ALL,
        { action: 'ask', permission: ['fs.read', 'fs.write'], path: '/a/x.txt' },
      ];
      const surface = await library(workspace, { approve: approver('deny'), rules });
      for (const command of UPWARD) {
        for (const tool of DIRECTORY_TOOLS) {
          const call = commandOn(tool, command, { cwd: 'link' });
          const { text } = await expectRefused(surface, workspace, call, ['E_EXEC', 'E_DENIED']);
          expect(text).not.toContain('guarded');
        }
      }
    },
    bites: async () => {
      for (const command of UPWARD) {
        await using workspace = tempWorkspace(BESIDE_LINK);
        symlinkSync('a/b', join(workspace.root, 'link'));
        const told = runUndefended(workspace, command, { directory: 'link' });
        const kept = readFileSync(join(workspace.root, 'a/x.txt'), 'utf8');
        expect(told.includes('guarded') || kept !== 'guarded\n').toBe(true);
      }
    },
  },
];

/** By names alone, the way up from the link leads to the one that nobody is asked about. */
const BESIDE_LINK = { 'a/b/y': '', 'a/x.txt': 'guarded\n', 'x.txt': 'free\n' };
const UPWARD = ['cat ../x.txt', 'cat < ../x.txt', 'echo planted > ../x.txt', 'cd . && cat ../x.txt'];

/** Reads and changes the outside, where it is run there. */
const USE_FOLDER = 'cat s.txt; echo planted > s.txt';

const foldersOutside = ({ root, outside }: TempWorkspace): string[] => [
  '../out',
  'a/../../out',
  './/..//out',
  outside,
  `${root}/../out`,
  `/proc/self/root${outside}`,
  'link',
];

describe('the root', () => {
  it.each(['/', '/proc', '/proc/self', '/sys', '/dev'])('is never %s', async (workspace) => {
    await using ground = tempWorkspace();
    await expect(ground.runtime({ workspace })).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
  });

  it('is never the home, nor a folder that holds it', async () => {
    await using ground = tempWorkspace();
    const { home } = ground.locations;
    for (const workspace of [home, dirname(home)]) {
      await expect(ground.runtime({ workspace })).rejects.toMatchObject({ code: 'E_UNSUPPORTED' });
    }
  });

  testAttacks([...MOVED_ROOTS, ...MISLEADING]);
});

const MOVES: readonly Record<string, string>[] = [
  { cwd: '../out' },
  { workspace: '../out' },
  { root: 'a/../../out' },
];
