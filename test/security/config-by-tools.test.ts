/** What another program, git or Handrail itself would obey later: out of reach of tools, or asked about each time. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Locations, Mode } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectHarmless, expectRefused, testAttacks } from './attack-case.ts';
import { ALLOW_ALL, bash, runUndefended } from './commanding.ts';
import { callOn, type FileTool, PLANTED, toolsThat } from './file-tools.ts';
import { library } from './surfaces.ts';
import { unchecked } from './undefended.ts';

const CHANGING = toolsThat('write', 'make', 'delete', 'delete file', 'move from', 'move to');

/** Files that another program obeys later. */
const OBEYED_LATER = [
  '.vscode/settings.json',
  '.vscode/tasks.json',
  'x.code-workspace',
  '.idea/workspace.xml',
  '.mcp.json',
  '.cursor/mcp.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/plugin/a.ts',
  '.github/workflows/a.yml',
  '.bashrc',
  '.envrc',
];

/** What tools must not change, below a workspace that holds Handrail's own folders. */
const OWN_PLACES = [
  '.handrail/config.jsonc',
  '.handrail/anything',
  'own/config/config.jsonc',
  'own/state/handrail.sqlite',
  'own/state/handrail.sqlite-wal',
  'own/state/audit/chain.jsonl',
  '.git/config',
  '.git/hooks/pre-commit',
  'vendor/.git/hooks/pre-commit',
];

/** A no to each of the files, by each of the tools: as many questions, and nothing else happens. */
async function expectAsked(
  mode: Mode,
  tools: readonly FileTool[],
  prepare: (workspace: TempWorkspace) => void,
): Promise<void> {
  await using workspace = tempWorkspace();
  prepare(workspace);
  const approve = approver('deny');
  const runtime = await workspace.runtime({ approve, mode });
  for (const path of OBEYED_LATER) {
    for (const tool of tools) {
      const session = await runtime.openSession({ dialect: tool.dialect });
      const { outcome } = await runtime.call(tool.tool, callOn(tool, path).args, { session });
      expect({ mode, path, tool, outcome }).toEqual({ mode, path, tool, outcome: 'denied' });
    }
  }
  expect(approve.asked).toHaveLength(OBEYED_LATER.length * tools.length);
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'CF-01',
    title: 'a file that another program obeys later, made or changed (CVE-2025-54135)',
    attack: async () => {
      for (const mode of ['ask', 'reversible', 'auto'] as const) {
        await expectAsked(mode, toolsThat('write'), () => undefined);
        await expectAsked(mode, toolsThat('write', 'delete', 'delete file', 'move from'), (workspace) => {
          for (const path of OBEYED_LATER) workspace.write(path, 'before');
        });
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      for (const path of OBEYED_LATER) unchecked(workspace).write(path);
      expect(readFileSync(join(workspace.root, '.vscode/tasks.json'), 'utf8')).toBe(PLANTED);
    },
  },
  {
    id: 'CF-02',
    title: 'config, policy, approvals, audit and git hooks changed by a tool, under an allow and a yes',
    attack: async () => {
      for (const isThere of [false, true]) {
        await using workspace = tempWorkspace(ALIVE);
        const approve = approver('always');
        const locations = ownPlacesIn(workspace);
        const runtime = await workspace.runtime({ approve, rules: [ALLOW_ALL], locations, readConfig: true });
        if (isThere)
          for (const path of OWN_PLACES) if (!isInUse(workspace, path)) workspace.write(path, '{}');
        for (const path of OWN_PLACES) {
          for (const tool of CHANGING) {
            const session = await runtime.openSession({ dialect: tool.dialect });
            const { result } = await runtime.call(tool.tool, callOn(tool, path).args, { session });
            expect({ path, tool, code: result.error?.code }).toEqual({ path, tool, code: 'E_POLICY_DENIED' });
          }
        }
        expect(approve.asked).toEqual([]);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace();
      for (const path of OWN_PLACES) {
        unchecked(workspace).write(path);
        expect(readFileSync(join(workspace.root, path), 'utf8')).toBe(PLANTED);
      }
    },
  },
  {
    id: 'CF-02',
    title: 'the folder around them, deleted or moved away',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'vendor/.git/hooks/x': '', 'sub/.handrail/a': '' });
      const locations = ownPlacesIn(workspace);
      const surface = await library(workspace, { rules: [ALLOW_ALL], locations });
      for (const path of ['own', 'vendor', 'sub']) {
        for (const tool of toolsThat('delete', 'move from'))
          await expectRefused({ ...surface, state: locations.state }, workspace, callOn(tool, path), [
            'E_POLICY_DENIED',
          ]);
      }
    },
    bites: async () => {
      await using workspace = tempWorkspace({ 'vendor/.git/hooks/x': '' });
      unchecked(workspace).delete('vendor');
      expect(existsSync(join(workspace.root, 'vendor'))).toBe(false);
    },
  },
  {
    id: 'CF-03',
    title: 'the same places by commands, under an allow and a yes (CVE-2026-25722, CVE-2026-25723)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const before = heldPlaces(workspace);
      const surface = await library(workspace, { rules: [ALLOW_ALL], mode: 'auto' });
      for (const command of REPLACING) {
        await expectHarmless(surface, workspace, bash(command));
        expect({ command, held: heldIn(workspace) }).toEqual({ command, held: before });
      }
    },
    bites: async () => {
      for (const command of REPLACING) {
        await using workspace = tempWorkspace(ALIVE);
        const before = heldPlaces(workspace);
        runUndefended(workspace, command);
        expect({ command, held: heldIn(workspace) }).not.toEqual({ command, held: before });
      }
    },
  },
  {
    id: 'CF-03',
    title: 'the same places by commands, before they are there (CVE-2026-25725)',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'vendor/x': '' });
      const surface = await library(workspace, { rules: [ALLOW_ALL], mode: 'auto' });
      for (const command of MAKING)
        await expectRefused(surface, workspace, bash(command), ['E_POLICY_DENIED']);
      expect(existsSync(join(workspace.root, '.git'))).toBe(false);
      expect(existsSync(join(workspace.root, '.handrail'))).toBe(false);
    },
    bites: async () => {
      for (const command of MAKING) {
        await using workspace = tempWorkspace({ ...ALIVE, 'vendor/x': '' });
        const before = readdirSync(workspace.root, { recursive: true });
        runUndefended(workspace, command);
        expect({ command, made: readdirSync(workspace.root, { recursive: true }) }).not.toEqual({
          command,
          made: before,
        });
      }
    },
  },
];

/** Places that somebody obeys later, as files of a repository. */
const HELD = ['.handrail/config.jsonc', '.git/config', '.git/hooks/pre-commit'];

/** Lays them out; returns what is in them. */
function heldPlaces(workspace: TempWorkspace): string[] {
  runUndefended(workspace, 'git init -q . && git add alive.txt');
  for (const path of ['.handrail/config.jsonc', '.git/hooks/pre-commit'])
    workspace.write(path, '{ "a": 1 }\n');
  runUndefended(
    workspace,
    'git add -f .handrail && git -c user.name=a -c user.email=a@localhost commit -qm a && echo "{}" > .handrail/config.jsonc',
  );
  return heldIn(workspace);
}

/** What is in them; one that is gone or a link says so. */
function heldIn({ root }: TempWorkspace): string[] {
  return HELD.map((path) => {
    if (lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true) return `${path}: no file`;
    return readFileSync(join(root, path), 'utf8');
  });
}

/** Commands that replace what is in one of them; with what hides its name from whoever reads the command. */
const REPLACING = HELD.flatMap((path) => [
  `echo x > ${path}`,
  `echo x | tee ${path}`,
  `cp alive.txt ${path}`,
  `cd ${dirname(path)} && echo x > ${basename(path)}`,
  `sed -i s/./x/ ${path}`,
  `rm -f ${path}`,
  `ln -sf ../alive.txt ${path}`,
  `mv ${path.split('/')[0]} moved; mkdir -p ${dirname(path)}; echo x > ${path}`,
  `p=${path}; echo x > "$p"`,
  `f=${basename(path)}; for d in .*/ .git/hooks/; do [ -e "$d$f" ] && echo x > "$d$f"; done`,
  `echo 'echo x > ${path}' | sh`,
  `perl -e 'open F, ">", "${path}" and print F "x"'`,
]).concat(
  'git checkout -q -- .handrail',
  'git config core.pager x',
  'git stash -q',
  'git clean -qfdx; rm -rf .git',
);

/** Commands that make one of them. */
const MAKING = [
  'mkdir .handrail',
  'mkdir -p .handrail && echo x > .handrail/config.jsonc',
  'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit',
  'cp -r vendor .handrail',
  'mv vendor .git',
  'ln -s vendor .handrail',
];

describe('a tool', () => {
  testAttacks(ATTACKS);
});

/** Handrail's own folders in the workspace, in reach of its paths. */
function ownPlacesIn({ root, locations }: TempWorkspace): Locations {
  return { home: locations.home, state: join(root, 'own/state'), config: join(root, 'own/config') };
}

/** What the running Handrail itself made is not to be written over. */
function isInUse({ root }: TempWorkspace, path: string): boolean {
  return existsSync(join(root, path)) || path.startsWith('own/');
}
