/** A deny holds in any order and under any yes, and no allow reaches further than it says. */
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule, RuntimeOptions } from '../../src/index.ts';
import { PERMISSIONS } from '../../src/policy/access.ts';
import { decide, type PolicyCall } from '../../src/policy/decide.ts';
import { Policies } from '../../src/policy/policies.ts';
import { approver } from '../support/approver.ts';
import { handrail } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';
import {
  ALIVE,
  type Attack,
  expectAllowed,
  expectRefused,
  testAttacks,
  testPathAttacks,
} from './attack-case.ts';
import { ALLOW_ALL, bash, harmsOutside, runUndefended } from './commanding.ts';
import { callOn, toolsThat } from './file-tools.ts';
import { library, type Surface } from './surfaces.ts';
import { firstMatch, nameChecked } from './undefended.ts';

const KEY = 'src/keys/public.txt';
const OVERLAPPING: readonly Rule[] = [
  { action: 'deny', permission: '*', path: 'src/keys/' },
  ALLOW_ALL,
  { action: 'ask', permission: ['fs.read', 'fs.write', 'fs.delete'], path: 'src/' },
  { action: 'allow', permission: '*', path: KEY },
];

/** The same rules as the undefended reads them: by the beginning of the path. */
const NAIVE = OVERLAPPING.map(({ action, path }) =>
  typeof path === 'string' ? { action, path } : { action },
);

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

const DENIES: readonly Attack[] = [
  {
    id: 'PO-01',
    title: 'overlapping rules in any order (CVE-2025-48888)',
    attack: async () => {
      for (const rules of permutations(OVERLAPPING)) {
        await using workspace = tempWorkspace({ ...ALIVE, [KEY]: 'kept\n' });
        const surface = await library(workspace, { rules });
        for (const tool of toolsThat('read', 'read several', 'search', 'write', 'delete', 'delete file')) {
          await expectRefused(surface, workspace, callOn(tool, KEY), ['E_POLICY_DENIED']);
        }
      }
    },
    bites: async () => {
      const decisions = new Set(permutations(NAIVE).map((rules) => firstMatch(rules, KEY)));
      expect(decisions).toEqual(new Set(['deny', 'allow', 'ask']));
    },
  },
  {
    id: 'PO-01',
    title: 'a call with one denied part',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, [KEY]: 'kept\n' });
      // Writing reads what it replaces, and deleting a tree deletes what is in it.
      const rules: Rule[] = [
        ALLOW_ALL,
        { action: 'deny', permission: 'fs.read', path: KEY },
        { action: 'deny', permission: 'fs.delete', path: KEY },
      ];
      const surface = await library(workspace, { rules });
      for (const tool of toolsThat('write'))
        await expectRefused(surface, workspace, callOn(tool, KEY), ['E_POLICY_DENIED']);
      for (const tool of toolsThat('delete')) {
        for (const path of [KEY, 'src/keys', 'src']) {
          await expectRefused(surface, workspace, callOn(tool, path), ['E_POLICY_DENIED']);
        }
      }
      expect(readdirSync(join(workspace.root, 'src/keys'))).toEqual(['public.txt']);
    },
    bites: async () => {
      expect(firstMatch([{ action: 'deny', path: KEY }], 'src')).toBe('allow');
    },
  },
  {
    id: 'PO-01',
    title: 'a yes to everything',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const approve = approver('session');
      const surface = await library(workspace, { approve, mode: 'read-only', rules: [ALLOW_ALL] });
      for (const tool of toolsThat('write', 'delete', 'delete file')) {
        await expectRefused(surface, workspace, callOn(tool, 'alive.txt'), ['E_POLICY_DENIED']);
      }
      expect(approve.asked).toEqual([]);
      const call = ['call', 'write', '{"path":"alive.txt","content":""}', '--yes', '--mode', 'read-only'];
      expect(await handrail(workspace, call)).toMatchObject({ exitCode: 3 });
    },
    bites: async () => {
      expect(firstMatch([{ action: 'allow' }, { action: 'deny' }], 'alive.txt')).toBe('allow');
    },
  },
  {
    id: 'PO-01',
    title: 'a compound command with one denied part, in any order of parts, rules and modes',
    attack: async () => {
      for (const rules of permutations<Rule>([
        ALLOW_ALL,
        DENY_TOUCH,
        { ...ALLOW_ALL, permission: 'proc.exec' },
      ])) {
        for (const mode of ['ask', 'auto'] as const) {
          await using workspace = tempWorkspace(ALIVE);
          const surface = await library(workspace, { rules, mode });
          for (const command of COMPOUND)
            await expectRefused(surface, workspace, bash(command), ['E_POLICY_DENIED']);
          expect(readdirSync(workspace.root)).toEqual(['alive.txt']);
        }
      }
    },
    bites: async () => {
      for (const command of COMPOUND) {
        await using workspace = tempWorkspace(ALIVE);
        runUndefended(workspace, command);
        expect({ command, found: readdirSync(workspace.root) }).toEqual({
          command,
          found: ['alive.txt', 'canary'],
        });
      }
    },
  },
];

const DENY_TOUCH: Rule = { action: 'deny', permission: 'proc.exec', command: 'touch *' };

/** Harmless parts around one that is denied. */
const COMPOUND = [
  ...permutations(['true', 'cat alive.txt', 'touch canary']).map((parts) => parts.join('; ')),
  'true && touch canary',
  'false || touch canary',
  'cat alive.txt | touch canary',
  '(true; touch canary)',
  'if true; then touch canary; fi',
  'echo $(touch canary)',
];

describe('a deny', () => {
  testAttacks(DENIES);

  it('PO-01 is the answer wherever one fits, whatever stands around it', () => {
    const paths = fc.constantFrom('src', 'src/', 'src/**', KEY, '*.txt', '**', 'other');
    const permission = fc.constantFrom(...PERMISSIONS, '*' as const);
    const rule = fc.record({
      action: fc.constantFrom('allow' as const, 'ask' as const),
      permission,
      path: paths,
    });
    const deny: Rule = { action: 'deny', permission: 'fs.write', path: 'public.txt' };
    const call: PolicyCall = {
      tool: 'write',
      effect: 'write',
      accesses: [
        { permission: 'fs.read', resource: KEY, resolved: KEY },
        { permission: 'fs.write', resource: 'link', resolved: KEY },
      ],
      requiresApproval: false,
      requestedPermissions: [...PERMISSIONS],
    };
    const grants = call.accesses.map(({ permission, resolved }) => ({ tool: 'write', permission, resolved }));
    fc.assert(
      fc.property(fc.array(rule), fc.array(rule), (before, after) => {
        const policies = new Policies([...before, deny, ...after], () => undefined);
        expect(decide(call, policies.for('clude', 'ask', grants)).action).toBe('deny');
      }),
    );
  });
});

const STRETCHES: readonly Attack[] = [
  {
    id: 'PO-04',
    title: 'an allow for one folder, and a link in it to another',
    attack: async () => {
      await using workspace = tempWorkspace({ ...ALIVE, 'private/x': '', 'public/x': '' });
      symlinkSync('../private', join(workspace.root, 'public/link'));
      const approve = approver('deny');
      const surface = await library(workspace, {
        approve,
        rules: [{ action: 'allow', permission: '*', path: 'public/' }],
      });
      for (const tool of toolsThat('write', 'delete')) {
        for (const path of ['public/link/x', 'public/../private/x', 'public/./link/x']) {
          await expectRefused(surface, workspace, callOn(tool, path), ['E_DENIED']);
        }
      }
      expect(new Set(approve.asked.map(({ accesses }) => accesses.at(-1)?.resolved))).toEqual(
        new Set(['private/x']),
      );
    },
    bites: async () => {
      for (const path of ['public/link/x', 'public/../private/x']) {
        expect(firstMatch([{ action: 'allow', path: 'public/' }, { action: 'deny' }], path)).toBe('allow');
      }
    },
  },
  {
    id: 'PO-04',
    title: 'a grant for one place, stretched to another',
    attack: async () => {
      await using workspace = tempWorkspace({ 'a.txt': '', 'b.txt': '', 'd/x': '' });
      symlinkSync('a.txt', join(workspace.root, 'link'));
      const approve = approver('session');
      const runtime = await workspace.runtime({ approve, dialect: 'handrail' });
      const write = (path: string): unknown =>
        runtime.call('write', { path, content: String(approve.asked.length) });
      for (const path of ['link', 'link', 'a.txt', './d/../link']) await write(path);
      expect(approve.asked).toHaveLength(1);
      renameSync(join(workspace.root, 'link'), join(workspace.root, 'old'));
      symlinkSync('b.txt', join(workspace.root, 'link'));
      await write('link');
      await runtime.call('delete', { path: 'a.txt' });
      await runtime.call('write', { path: 'a.txt', content: '' }, { session: await runtime.openSession() });
      expect(approve.asked.map(({ tool, accesses }) => [tool, accesses[0]?.resolved])).toEqual([
        ['write', 'a.txt'],
        ['write', 'b.txt'],
        ['delete', 'a.txt'],
        ['write', 'a.txt'],
      ]);
    },
    bites: { noProof: 'the undefended knows no grants' },
  },
  {
    id: 'PO-04',
    title: 'a sandbox that is missing',
    attack: async () => {
      await using workspace = tempWorkspace(ALIVE);
      const surface = await withoutSandbox(workspace, { approve: approver('deny'), mode: 'auto' });
      for (const command of LEAVING(workspace))
        await expectRefused(surface, workspace, bash(command), ['E_DENIED']);
      const approve = approver('once');
      const asking = await withoutSandbox(workspace, { approve });
      const { text } = await expectAllowed(asking, workspace, bash('touch made'));
      expect(text).toContain('"sandbox":"C"');
      expect(approve.asked[0]?.preview?.text).toContain('Commands are not confined');
      // Who wants a sandbox has one, or nothing runs: neither a rule nor a yes is enough.
      workspace.write('../config/config.jsonc', '{ "commands": { "minimumSandbox": "A" } }');
      const strict = await withoutSandbox(workspace, { approve, rules: [ALLOW_ALL], readConfig: true });
      for (const command of ['touch strict', ...LEAVING(workspace)])
        await expectRefused(strict, workspace, bash(command), ['E_UNSUPPORTED', 'E_OUTSIDE_WORKSPACE']);
      expect(readdirSync(workspace.root).sort()).toEqual(['alive.txt', 'made']);
    },
    bites: async () => {
      await using first = tempWorkspace();
      for (const index of LEAVING(first).keys()) {
        await using workspace = tempWorkspace();
        expect(harmsOutside(workspace, LEAVING(workspace)[index]!)).toBe(true);
      }
    },
  },
];

/** Commands that only a sandbox keeps from the outside, and one whose goal can be read. */
const LEAVING = ({ outside }: TempWorkspace): string[] => [
  `o=${outside}; echo planted > $o/s.txt`,
  `perl -e 'unlink "${outside}/s.txt"'`,
  `echo planted > ${outside}/s.txt`,
];

/** A machine whose program for sandboxes does not work. */
async function withoutSandbox(workspace: TempWorkspace, options: Partial<RuntimeOptions>): Promise<Surface> {
  const folder = join(workspace.outside, '../state/broken');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return library(workspace, { environment: { PATH: `${folder}:/usr/bin:/bin` }, ...options });
}

const PLACES = [
  '.git/hooks/pre-commit',
  '.git/config',
  'vendor/lib/.git/config',
  '.git/modules/lib/hooks/post-checkout',
  '.git/worktrees/w/config.worktree',
  '.git',
  '.handrail/config.json',
  '.ssh/authorized_keys',
];

describe('protected places', () => {
  testPathAttacks([
    {
      id: 'PO-04',
      title: 'places that an allow for everything does not open, there or not (CVE-2026-35570)',
      rules: [ALLOW_ALL],
      paths: () => PLACES,
      does: ['write', 'delete', 'move from', 'move to'],
      refusedWith: ['E_POLICY_DENIED'],
      bites: { harms: (workspace, path) => nameChecked(workspace, []).write(path) === 'written' },
    },
    {
      id: 'PO-04',
      title: 'protected places, asked for on the command line',
      paths: () => PLACES,
      does: ['write', 'delete', 'move from', 'move to'],
      refusedWith: ['E_POLICY_DENIED'],
      bites: { harms: (workspace, path) => nameChecked(workspace, []).write(path) === 'written' },
    },
    {
      id: 'PO-04',
      title: 'a path that leaves, under an allow for everything',
      rules: [ALLOW_ALL],
      paths: ({ outside }) => ['../out/s.txt', `${outside}/s.txt`],
      refusedWith: ['E_OUTSIDE_WORKSPACE', 'E_INVALID_PATH'],
      bites: { executor: (workspace) => nameChecked(workspace, []) },
    },
  ]);

  testAttacks(STRETCHES);
});
