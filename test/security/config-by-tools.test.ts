/** What another program, git or Handrail itself would obey later: out of reach of tools, or asked about each time. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Locations, Mode, Rule } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectRefused, testAttacks, testWaiting } from './attack-case.ts';
import { callOn, type FileTool, PLANTED, toolsThat } from './file-tools.ts';
import { library } from './surfaces.ts';
import { unchecked } from './undefended.ts';

const ALLOW_ALL: Rule = { action: 'allow', permission: '*' };
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
];

describe('a tool', () => {
  testAttacks(ATTACKS);

  testWaiting([
    { id: 'CF-03', attack: 'the same places by commands', until: 'proc.exec', why: 'no tool runs commands' },
  ]);
});

/** Handrail's own folders in the workspace, in reach of its paths. */
function ownPlacesIn({ root, locations }: TempWorkspace): Locations {
  return { home: locations.home, state: join(root, 'own/state'), config: join(root, 'own/config') };
}

/** What the running Handrail itself made is not to be written over. */
function isInUse({ root }: TempWorkspace, path: string): boolean {
  return existsSync(join(root, path)) || path.startsWith('own/');
}
