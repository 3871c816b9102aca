/** Rules are checked when they are loaded: one that can't be used stops the start. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure, type Permission, type Rule } from '../../src/index.ts';
import { checkRules, compileLayer } from '../../src/policy/rule.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const UNUSABLE: readonly (readonly [what: string, rule: unknown])[] = [
  ['no object', 'allow fs.read'],
  ['null', null],
  ['a list', [['allow', 'fs.read']]],
  ['no action', { permission: 'fs.read' }],
  ['no permission', { action: 'allow' }],
  ['an unknown action', { action: 'permit', permission: 'fs.read' }],
  ['an action in capitals', { action: 'Deny', permission: 'fs.read' }],
  ['an action that every object has', { action: 'toString', permission: 'fs.read' }],
  ['an unknown permission', { action: 'allow', permission: 'fs.raed' }],
  ['a permission pattern', { action: 'allow', permission: 'fs.*' }],
  ['an unknown permission among good ones', { action: 'deny', permission: ['fs.read', 'fs.raed'] }],
  ['the permission __proto__', { action: 'allow', permission: '__proto__' }],
  ['the permission toString', { action: 'allow', permission: ['toString'] }],
  ['the permission constructor', { action: 'allow', permission: 'constructor' }],
  ['an empty list of permissions', { action: 'deny', permission: [] }],
  ['an empty list of paths', { action: 'deny', permission: 'fs.read', path: [] }],
  ['an empty path', { action: 'deny', permission: 'fs.read', path: '' }],
  ['an empty path among good ones', { action: 'deny', permission: 'fs.read', path: ['a', ''] }],
  ['a path that climbs', { action: 'deny', permission: 'fs.read', path: '../other' }],
  ['a path that climbs in the middle', { action: 'deny', permission: 'fs.read', path: 'a/../../b' }],
  ['a path that is no text', { action: 'deny', permission: 'fs.read', path: 7 }],
  ['a path of 1,001 characters', { action: 'deny', permission: 'fs.read', path: 'a'.repeat(1_001) }],
  ['an empty list of tools', { action: 'deny', permission: 'fs.read', tool: [] }],
  ['an empty tool', { action: 'deny', permission: 'fs.read', tool: [''] }],
  ['a tool that is no list', { action: 'deny', permission: 'fs.read', tool: 'read' }],
  ['a floor that is false', { action: 'ask', permission: 'fs.read', floor: false }],
  ['a misspelt key', { action: 'deny', permission: 'fs.read', paths: ['secret'] }],
  ['a key that every object has', { action: 'deny', permission: 'fs.read', toString: 'x' }],
  ['the key __proto__', JSON.parse('{"action":"deny","permission":"fs.read","__proto__":{"path":"secret"}}')],
];

function loadFailure(rule: unknown): unknown {
  try {
    return compileLayer('user', checkRules('user', [{ action: 'allow', permission: 'fs.read' }, rule]));
  } catch (error) {
    return error;
  }
}

describe('compileLayer', () => {
  it.each(UNUSABLE)('refuses a rule with %s', (_, rule) => {
    const failure = loadFailure(rule);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ code: 'E_INVALID_ARGS' });
  });

  it('says which rule it is and what is wrong with it', () => {
    expect(loadFailure({ action: 'deny', permission: 'fs.read', paths: ['secret'] })).toMatchObject({
      message: expect.stringMatching(/^Rule user#2 can not be used: .*"paths"/) as string,
    });
  });

  it('takes every form a rule may have, and numbers them', () => {
    const rules: Rule[] = [
      { action: 'allow', permission: '*' },
      { action: 'ask', permission: ['fs.read', 'proc.exec'], floor: true, reason: 'Look.' },
      { action: 'deny', permission: 'fs.write', path: ['a', '/b/**'], tool: ['write'] },
    ];
    const { name, rules: compiled } = compileLayer('team', rules);
    expect(name).toBe('team');
    expect(compiled.map(({ id, action, reason, floor }) => ({ id, action, reason, floor }))).toEqual([
      { id: 'team#1', action: 'allow', reason: undefined, floor: false },
      { id: 'team#2', action: 'ask', reason: 'Look.', floor: true },
      { id: 'team#3', action: 'deny', reason: undefined, floor: false },
    ]);
  });

  it.each([
    ['skill', 'skill.load', 'pdf-*', 'pdf-forms', 'docx'],
    ['state', 'state.write', 'memory:*', 'memory:user', 'todos'],
    ['git', 'git.write', 'branch:release/*', 'branch:release/1', 'commit'],
  ] as const)(
    'takes %s for what %s is about, and for nothing else',
    (field, permission, name, fit, unfit) => {
      const written = { action: 'deny', permission: '*', [field]: name, match: [fit], notMatch: [unfit] };
      const [rule] = compileLayer('user', checkRules('user', [written])).rules;
      const fits = (about: Permission, resource: string): boolean | undefined =>
        rule?.fits({ permission: about, resource, resolved: resource }, { tool: 'any', isReversible: true });
      expect(fits(permission, fit)).toBe(true);
      expect(fits(permission, unfit)).toBe(false);
      expect(fits('fs.read', fit)).toBe(false);
    },
  );

  it('compares paths of ask and deny folded, and those of allow to the letter', () => {
    const [allow, ask, deny] = compileLayer(
      'user',
      (['allow', 'ask', 'deny'] as const).map((action) => ({ action, permission: 'fs.read', path: 'Src' })),
    ).rules;
    const fits = (rule: typeof allow, path: string): boolean | undefined =>
      rule?.fits(
        { permission: 'fs.read', resource: path, resolved: path },
        { tool: 'read', isReversible: true },
      );
    expect([fits(allow, 'Src/a'), fits(allow, 'src/a')]).toEqual([true, false]);
    expect([fits(ask, 'Src/a'), fits(ask, 'sRC/a')]).toEqual([true, true]);
    expect([fits(deny, 'Src/a'), fits(deny, 'sRC/a')]).toEqual([true, true]);
  });
});

describe('createRuntime', () => {
  it('keeps a floor that the user wrote, whatever rules follow', async () => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [
      { action: 'ask', permission: 'fs.write', path: 'asked', floor: true },
      { action: 'allow', permission: 'fs.write' },
    ];
    const runtime = await workspace.runtime({ rules, mode: 'auto' });
    const about = async (path: string): Promise<unknown> =>
      (await runtime.approvalRequest('write', { path, content: '' })).decision;
    expect(await about('asked/a.txt')).toMatchObject({ action: 'ask', rule: 'user#1', scope: 'session' });
    expect(await about('free.txt')).toMatchObject({ action: 'allow' });
  });

  it('does not start, and leaves no state, with a rule that can not be used', async () => {
    await using workspace = tempWorkspace();
    const rules = [{ action: 'deny', permission: 'fs.raed' }] as unknown as Rule[];
    await expect(workspace.runtime({ rules })).rejects.toMatchObject({
      name: 'Failure',
      code: 'E_INVALID_ARGS',
    });
    expect(existsSync(workspace.locations.state)).toBe(false);
  });
});
