/** What is no policy stops the start, what is no tool is not run, and an empty list allows nothing. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coder } from '../../src/dialects/coder/index.ts';
import { defineDialect, type Rule } from '../../src/index.ts';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { ALIVE, type Attack, expectRefused, testAttacks } from './attack-case.ts';
import { closedRecords } from './evidence.ts';
import { callOn, FILE_TOOLS, toolsThat } from './file-tools.ts';
import { commandLine, library } from './surfaces.ts';
import { dispatch, firstMatch, isListed, loadInGoodFaith } from './undefended.ts';

const UNUSABLE: readonly unknown[] = [
  null,
  'deny',
  [],
  {},
  { action: 'permit', permission: '*' },
  { action: 'toString', permission: '*' },
  { action: 'allow' },
  { action: 'allow', permission: 'fs.raed' },
  { action: 'allow', permission: 'toString' },
  { action: 'allow', permission: '__proto__' },
  { action: 'allow', permission: [] },
  { action: 'allow', permission: 'fs.read', path: [] },
  { action: 'allow', permission: 'fs.read', path: '' },
  { action: 'allow', permission: 'fs.read', tool: [] },
  { action: 'deny', permission: 'fs.read', pth: '.env' },
  { action: 'deny', permission: 'fs.read', path: '../out' },
  { action: 'deny', permission: 'fs.read', path: 'x'.repeat(1_001) },
  { action: 'deny', permission: 'fs.read', floor: false },
  JSON.parse('{"action":"deny","permission":"fs.read","__proto__":{"path":".env"}}'),
];

const NO_TOOLS = [
  'toString',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'valueOf',
  '',
  'READ',
  'read ',
  'read\0',
  'fs.read',
];

const PROJECT_POLICY = JSON.stringify({
  mode: 'auto',
  rules: [{ action: 'allow', permission: '*' }],
  approve: true,
});
const PROJECT_FILES = [
  '.handrail/config.json',
  '.handrail/policy.json',
  'handrail.json',
  '.handrailrc',
  'config/handrail.json',
];

const LOADING: readonly Attack[] = [
  {
    id: 'PO-02',
    title: 'a rule that is none',
    attack: async () => {
      for (const rule of UNUSABLE) {
        await using workspace = tempWorkspace();
        const rules = [{ action: 'deny', permission: 'fs.read', path: '.env' }, rule] as Rule[];
        await expect(workspace.runtime({ rules })).rejects.toMatchObject({
          code: 'E_INVALID_ARGS',
        });
        expect(existsSync(workspace.locations.state)).toBe(false);
      }
    },
    bites: async () => {
      const { rules = [] } = loadInGoodFaith('{"rules": [{"action": "deny", "path": ".env"}') as {
        rules?: [];
      };
      expect(firstMatch(rules, '.env')).toBe('allow');
    },
  },
  {
    id: 'PO-02',
    title: 'a project that loosens it for itself (CVE-2025-61592)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      for (const path of PROJECT_FILES) workspace.write(path, PROJECT_POLICY);
      const runtime = await workspace.runtime();
      for (const tool of toolsThat('write', 'delete')) {
        const session = await runtime.openSession({ dialect: tool.dialect });
        const { args } = callOn(tool, 'alive.txt');
        expect(await runtime.call(tool.tool, args, { session })).toMatchObject({ outcome: 'denied' });
      }
      const call = ['call', 'write', '{"path":"alive.txt","content":""}'];
      expect(await handrail(workspace, call)).toMatchObject({ exitCode: 3 });
    },
    bites: async () => {
      const user = '{"rules": [{"action": "deny"}]}';
      expect(firstMatch(loadInGoodFaith(user, PROJECT_POLICY)['rules'] as [], 'new.txt')).toBe('allow');
    },
  },
  {
    id: 'PO-02',
    title: 'a tool that every object has',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await library(workspace);
      for (const tool of NO_TOOLS) {
        for (const dialect of ['handrail', 'coder', 'codelab']) {
          await expectRefused(surface, workspace, { dialect, tool, args: { path: 'alive.txt' } }, [
            'E_NO_TOOL',
          ]);
        }
      }
      await expectRefused(
        commandLine(workspace),
        workspace,
        { dialect: 'coder', tool: 'toString', args: {} },
        ['E_NO_TOOL'],
      );
    },
    bites: async () => {
      expect(NO_TOOLS.slice(0, 5).filter((name) => dispatch({ read: () => '' }, name))).toHaveLength(4);
    },
  },
  {
    id: 'PO-02',
    title: 'a dialect that every object has',
    attack: async () => {
      await using workspace = tempWorkspace();
      for (const dialect of ['toString', '__proto__', 'constructor', '']) {
        await expect(workspace.runtime({ dialect })).rejects.toMatchObject({ code: 'E_INVALID_ARGS' });
      }
    },
    bites: async () => {
      expect(dispatch({}, 'toString')).toBe(true);
    },
  },
  {
    id: 'PO-02',
    title: 'a tool that is switched off, called all the same (CVE-2026-46519)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const runtime = await workspace.runtime({ dialect: 'coder' });
      const agent = { name: 'reader', tools: { read: false, write: false } };
      const session = await runtime.openSession({ agent });
      const listed = runtime.definitions(agent).map(({ name }) => name);
      expect(listed.filter((name) => name === 'read' || name === 'write')).toEqual([]);
      for (const tool of ['read', 'write']) {
        const { result } = await runtime.call(tool, callOn(FILE_TOOLS[0]!, 'alive.txt').args, { session });
        expect(result.error?.code).toBe('E_NO_TOOL');
      }
      await runtime.flush();
      expect(closedRecords(workspace.locations.state).map(({ name }) => name)).toEqual(['read', 'write']);
    },
    bites: { noProof: 'the undefended has no switches' },
  },
  {
    id: 'PO-03',
    title: 'an empty list of permissions (CVE-2025-66479)',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const runtime = await workspace.runtime();
      for (const tool of FILE_TOOLS) {
        const { args, tool: name } = callOn(tool, 'other.txt');
        const request = { tool_call_id: `${tool.dialect} ${name}`, name, args, requested_permissions: [] };
        const session = await runtime.openSession({ dialect: tool.dialect });
        expect((await runtime.execute(request, { session })).result.error?.code).toBe('E_POLICY_DENIED');
      }
      const unlimited = { tool_call_id: 'unlimited', name: 'read', args: { path: 'alive.txt' } };
      expect(await runtime.execute(unlimited)).toMatchObject({ outcome: 'ok' });
    },
    bites: async () => {
      expect(isListed([], 'fs.write')).toBe(true);
    },
  },
  {
    id: 'PO-03',
    title: 'a dialect without a table of its own',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const bare = defineDialect({ name: 'bare', extends: coder, tools: [] });
      const runtime = await workspace.runtime({ dialects: [bare], dialect: 'bare' });
      for (const tool of toolsThat('read', 'write', 'list').filter(({ dialect }) => dialect === 'coder')) {
        const { args } = callOn(tool, tool.does === 'list' ? '.' : 'alive.txt');
        expect(await runtime.call(tool.tool, args)).toMatchObject({ outcome: 'denied' });
      }
    },
    bites: async () => {
      expect(firstMatch([], 'alive.txt')).toBe('allow');
    },
  },
];

describe('a policy', () => {
  testAttacks(LOADING);

  it('is not what a call says about itself', async () => {
    await using workspace = tempWorkspace(ALIVE);
    const runtime = await workspace.runtime();
    const request = { tool_call_id: '1', name: 'write', args: { path: 'new.txt', content: '' } };
    expect(await runtime.execute({ ...request, requires_approval: false })).toMatchObject({
      outcome: 'denied',
    });
    for (const claim of [{ approved: true }, { mode: 'auto' }, { rules: [] }]) {
      expect((await runtime.execute({ ...request, ...claim })).result.error?.code).toBe('E_INVALID_ARGS');
    }
  });
});
