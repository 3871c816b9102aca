/** The decision about a call: which part of the policy has the word, and how accesses add up. */
import { describe, expect, it } from 'vitest';
import type { Permission } from '../../src/policy/access.ts';
import {
  type Decision,
  decide,
  type Grant,
  isDenied,
  type Mode,
  type PolicyCall,
} from '../../src/policy/decide.ts';
import type { Protection } from '../../src/policy/places.ts';
import { Policies } from '../../src/policy/policies.ts';
import type { Rule } from '../../src/policy/rule.ts';

interface Circumstances {
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly rules?: readonly Rule[];
  readonly grants?: readonly Grant[];
  readonly protection?: Protection;
}

const open: Protection = () => undefined;

function policyOf({
  dialect = 'coder',
  mode = 'ask',
  rules = [],
  grants = [],
  protection = open,
}: Circumstances) {
  return new Policies(rules, protection).for(dialect, mode, grants);
}

function decision(call: Partial<PolicyCall>, circumstances: Circumstances = {}): Decision {
  return decide(
    { tool: 'write', effect: 'write', accesses: [to('fs.write', 'a.txt')], ...call },
    policyOf(circumstances),
  );
}

function to(permission: Permission, resource: string, resolved = resource) {
  return { permission, resource, resolved };
}

const granted: Grant = { tool: 'write', permission: 'fs.write', resolved: 'a.txt' };

describe('decide', () => {
  it('changes nothing and gives the same answer again', () => {
    const call: PolicyCall = Object.freeze({
      tool: 'write',
      effect: 'write',
      accesses: Object.freeze([Object.freeze(to('fs.read', '.env')), Object.freeze(to('fs.write', 'a.txt'))]),
    });
    const policy = Object.freeze(policyOf({ grants: Object.freeze([granted]) }));
    expect(decide(call, policy)).toEqual(decide(call, policy));
  });

  it('allows a call that touches nothing', () => {
    expect(decision({ accesses: [] }, { dialect: 'unheard-of' })).toEqual({
      action: 'allow',
      rule: 'no-access',
    });
  });

  it('names the rule, the reason and how far an answer reaches', () => {
    expect(decision({})).toEqual({
      action: 'ask',
      rule: 'dialect:coder#2',
      reason: 'fs.write on "a.txt" needs an approval.',
      scope: 'workspace',
    });
    expect(decision({}, { dialect: 'unheard-of' })).toEqual({
      action: 'ask',
      rule: 'no-rule',
      reason: 'No rule speaks about fs.write.',
      scope: 'workspace',
    });
    // "Always" is not offered for a floor.
    expect(decision({}, { dialect: 'tenas' })).toEqual({
      action: 'ask',
      rule: 'dialect:tenas#2',
      reason: 'fs.write on "a.txt" needs an approval.',
      scope: 'session',
    });
  });

  it('takes the strictest answer over several accesses, in any order', () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.read', path: 'secret' }];
    const accesses = [to('fs.read', 'a.txt'), to('fs.write', 'a.txt'), to('fs.read', 'secret')];
    for (const order of [accesses, [...accesses].reverse()]) {
      expect(decision({ accesses: order }, { rules })).toMatchObject({ action: 'deny', rule: 'user#1' });
    }
    for (const order of [accesses.slice(0, 2), accesses.slice(0, 2).reverse()]) {
      expect(decision({ accesses: order }, { rules })).toMatchObject({ action: 'ask' });
    }
  });

  it('follows the last fitting rule of the user', () => {
    const allow: Rule = { action: 'allow', permission: 'fs.write' };
    const ask: Rule = { action: 'ask', permission: 'fs.write', path: 'a.txt', reason: 'Look at it.' };
    expect(decision({}, { rules: [allow, ask] })).toEqual({
      action: 'ask',
      rule: 'user#2',
      reason: 'Look at it.',
      scope: 'workspace',
    });
    expect(decision({}, { rules: [ask, allow] })).toEqual({ action: 'allow', rule: 'user#2' });
  });

  it('applies a rule only to the tools it names', () => {
    const rules: Rule[] = [{ action: 'allow', permission: 'fs.write', tool: ['edit', 'patch'] }];
    expect(decision({ tool: 'edit' }, { rules }).action).toBe('allow');
    expect(decision({ tool: 'write' }, { rules }).action).toBe('ask');
  });

  it('does not take a rule with a path for one about other resources', () => {
    const rules: Rule[] = [{ action: 'allow', permission: '*', path: '**' }];
    expect(decision({ accesses: [to('proc.exec', 'rm')] }, { rules }).action).toBe('ask');
    expect(decision({}, { rules }).action).toBe('allow');
  });

  it('needs both spellings of a link for allow, and one for ask and deny', () => {
    const through = (action: Rule['action'], resource: string, resolved: string): string =>
      decision(
        { accesses: [to('fs.write', resource, resolved)] },
        { rules: [{ action, permission: 'fs.write', path: 'in' }] },
      ).action;
    expect([
      through('allow', 'in/x', 'in/y'),
      through('allow', 'in/x', 'out/x'),
      through('allow', 'out/x', 'in/x'),
    ]).toEqual(['allow', 'ask', 'ask']);
    expect([
      through('deny', 'in/x', 'out/x'),
      through('deny', 'out/x', 'in/x'),
      through('deny', 'out/x', 'out/y'),
    ]).toEqual(['deny', 'deny', 'ask']);
  });
});

describe('decide about protected places', () => {
  const protection: Protection = (permission, path) =>
    permission === 'fs.write' && path === 'closed' ? 'Keep out.' : undefined;
  const denied = { action: 'deny', rule: 'protected', reason: 'Keep out.' };

  it('opens them to no rule and no grant, by neither spelling', () => {
    const rules: Rule[] = [{ action: 'allow', permission: '*' }];
    const grants = ['closed', 'open'].map((resolved) => ({ ...granted, resolved }));
    const about = (resource: string, resolved: string): Decision =>
      decision({ accesses: [to('fs.write', resource, resolved)] }, { rules, grants, protection });
    expect(about('closed', 'closed')).toEqual(denied);
    expect(about('open', 'closed')).toEqual(denied);
    expect(about('closed', 'open')).toEqual(denied);
    expect(about('open', 'open')).toEqual({ action: 'allow', rule: 'session-grant' });
  });
});

describe('decide about floors and grants', () => {
  it('lowers a floor by a grant of the session, for that tool, permission and place', () => {
    const about = (call: Partial<PolicyCall>): string =>
      decision(call, { dialect: 'tenas', grants: [granted] }).action;
    expect(about({})).toBe('allow');
    expect(about({ tool: 'append' })).toBe('ask');
    expect(about({ accesses: [to('fs.write', 'b.txt')] })).toBe('ask');
    expect(about({ accesses: [to('fs.delete', 'a.txt')] })).toBe('ask');
    expect(about({ accesses: [to('fs.write', 'a.txt', 'elsewhere.txt')] })).toBe('ask');
    expect(about({ accesses: [to('fs.write', 'link', 'a.txt')] })).toBe('allow');
  });

  it('does not lower a floor by a rule of the user, however exact', () => {
    const rules: Rule[] = [{ action: 'allow', permission: 'fs.write', path: 'a.txt', tool: ['write'] }];
    expect(decision({}, { dialect: 'tenas', rules })).toMatchObject({
      action: 'ask',
      rule: 'dialect:tenas#2',
    });
    expect(decision({}, { dialect: 'coder', rules })).toMatchObject({ action: 'allow' });
  });

  it('raises a floor to deny by a rule of the user, grant or not', () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.write', reason: 'Frozen.' }];
    const denied = { action: 'deny', rule: 'user#1', reason: 'Frozen.' };
    expect(decision({}, { dialect: 'tenas', rules })).toEqual(denied);
    expect(decision({}, { dialect: 'tenas', rules, grants: [granted] })).toEqual(denied);
  });
});

describe('decide about what the request says', () => {
  it('denies an access beyond requested_permissions, whatever is allowed', () => {
    const rules: Rule[] = [{ action: 'allow', permission: '*' }];
    const about = (requestedPermissions: readonly Permission[]): Decision =>
      decision({ requestedPermissions }, { rules, grants: [granted] });
    expect(about(['fs.read'])).toEqual({
      action: 'deny',
      rule: 'request:requested-permissions',
      reason: 'The call limited itself to fs.read, but needs fs.write.',
    });
    expect(about([])).toMatchObject({
      action: 'deny',
      reason: 'The call limited itself to nothing, but needs fs.write.',
    });
    expect(about(['fs.read', 'fs.write']).action).toBe('allow');
  });

  it('grants nothing by requested_permissions', () => {
    expect(decision({ requestedPermissions: ['fs.write'] }).action).toBe('ask');
  });

  it('raises allow to ask by requires_approval, for that call only', () => {
    const read = { accesses: [to('fs.read', 'a.txt')], tool: 'read', effect: 'read' } as const;
    const asked = {
      action: 'ask',
      rule: 'request:requires-approval',
      reason: 'The caller asked for an approval.',
      scope: 'single_action',
    };
    expect(decision({ ...read, requiresApproval: true })).toEqual(asked);
    expect(decision({ requiresApproval: true }, { grants: [granted] })).toEqual(asked);
    expect(decision({ accesses: [], requiresApproval: true })).toEqual(asked);
    expect(decision({ ...read, requiresApproval: false }).action).toBe('allow');
  });

  it('lowers nothing by requires_approval', () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.write' }];
    for (const requiresApproval of [true, false]) {
      expect(decision({ requiresApproval })).toEqual(decision({}));
      expect(decision({ requiresApproval }, { dialect: 'tenas' })).toEqual(
        decision({}, { dialect: 'tenas' }),
      );
      expect(decision({ requiresApproval }, { rules })).toEqual(decision({}, { rules }));
    }
  });
});

describe('decide about state', () => {
  const state = (resource: string, circumstances: Circumstances): string =>
    decision({ effect: 'state', accesses: [to('state.write', resource)] }, circumstances).action;

  it.each(['ask', 'reversible', 'auto'] as const)('asks about the memory of the user in mode %s', (mode) => {
    expect(state('memory:user', { mode })).toBe('ask');
    expect(state('memory:user', { mode, dialect: 'clude' })).toBe('ask');
    expect(state('memory:workspace', { mode })).toBe('allow');
  });

  it('takes a call that changes state for one that undo does not take back', () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'state.write', reversible: false }];
    expect(state('memory:workspace', { rules })).toBe('deny');
  });

  it('leaves a list of things to do to its session in mode read-only', () => {
    expect(state('todos', { mode: 'read-only' })).toBe('allow');
    expect(state('memory:session', { mode: 'read-only' })).toBe('deny');
  });
});

describe('decide about a skill', () => {
  const load = (circumstances: Circumstances): string =>
    decision({ tool: 'skill', effect: 'read', accesses: [to('skill.load', 'pdf')] }, circumstances).action;

  it.each([
    ['ask', 'ask'],
    ['read-only', 'ask'],
    ['reversible', 'allow'],
    ['auto', 'allow'],
  ] as const)('in mode %s says %s', (mode, action) => {
    expect(load({ mode })).toBe(action);
  });

  it('denies it where a rule does, in every mode', () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'skill.load', skill: 'pdf' }];
    for (const mode of ['ask', 'read-only', 'reversible', 'auto'] as const)
      expect(load({ mode, rules })).toBe('deny');
  });
});

describe('decide about agent.spawn', () => {
  it.each([
    ['ask', 'ask'],
    ['read-only', 'allow'],
    ['reversible', 'allow'],
    ['auto', 'allow'],
  ] as const)('in mode %s says %s, for what a sub-agent does is decided by itself', (mode, action) => {
    expect(decision({ accesses: [to('agent.spawn', 'explore')] }, { mode }).action).toBe(action);
    const rules: Rule[] = [{ action: 'deny', permission: 'agent.spawn' }];
    expect(decision({ accesses: [to('agent.spawn', 'explore')] }, { mode, rules }).action).toBe('deny');
  });
});

describe('decide in the mode read-only', () => {
  it.each(['fs.write', 'fs.delete', 'proc.exec', 'net.connect', 'git.write', 'state.write'] as const)(
    'denies %s, whatever is allowed or granted',
    (permission) => {
      const grants = [{ tool: 'write', permission, resolved: 'a.txt' }];
      const rules: Rule[] = [{ action: 'allow', permission: '*' }];
      expect(decision({ accesses: [to(permission, 'a.txt')] }, { mode: 'read-only', rules, grants })).toEqual(
        {
          action: 'deny',
          rule: 'mode:read-only',
          reason: `Mode read-only does not permit ${permission}.`,
        },
      );
    },
  );

  it('leaves reading and asking the user as they are', () => {
    const about = (permission: Permission, path: string): string =>
      decision({ accesses: [to(permission, path)] }, { mode: 'read-only' }).action;
    expect([about('fs.read', 'a.txt'), about('user.ask', 'question'), about('fs.read', '.env')]).toEqual([
      'allow',
      'allow',
      'ask',
    ]);
  });
});

describe.each(['reversible', 'auto'] as const)('decide in the mode %s', (mode) => {
  it('takes away what the table asks about files', () => {
    expect(decision({}, { mode })).toEqual({ action: 'allow', rule: `mode:${mode}` });
    expect(decision({ effect: 'exec' }, { mode }).action).toBe('ask');
    expect(decision({ effect: 'exec', accesses: [to('proc.exec', 'rm')] }, { mode }).action).toBe('ask');
  });

  it('lowers no floor, nothing that is written, and no wish of the caller', () => {
    const rules: Rule[] = [
      { action: 'ask', permission: 'fs.write', path: 'asked' },
      { action: 'deny', permission: 'fs.write', path: 'denied' },
    ];
    const about = (path: string): string =>
      decision({ accesses: [to('fs.write', path)] }, { mode, rules }).action;
    expect([about('asked'), about('denied'), about('.env'), about('a.txt')]).toEqual([
      'ask',
      'deny',
      'ask',
      'allow',
    ]);
    expect(decision({}, { mode, dialect: 'tenas' }).action).toBe('ask');
    expect(decision({ requiresApproval: true }, { mode }).action).toBe('ask');
    expect(decision({ requestedPermissions: ['fs.read'] }, { mode }).action).toBe('deny');
  });
});

describe('decide about what undo can not keep', () => {
  const losing = { losesContent: true };

  it('asks in the mode reversible, also where the table allows, and in no other', () => {
    const reason =
      'Undo could not take this back: what is there is too large to be kept, or can not be read.';
    const asks = { action: 'ask', rule: 'mode:reversible', reason, scope: 'workspace' };
    expect(decision(losing, { mode: 'reversible' })).toEqual(asks);
    expect(decision(losing, { mode: 'reversible', dialect: 'clude' })).toEqual(asks);
    expect(decision(losing, { mode: 'auto' }).action).toBe('allow');
    expect(decision(losing, { mode: 'ask', dialect: 'clude' }).action).toBe('allow');
  });

  it('asks nothing about reading, and denies what is denied', () => {
    const read = { ...losing, accesses: [to('fs.read', 'a.txt')] };
    expect(decision(read, { mode: 'reversible' }).action).toBe('allow');
    expect(decision(losing, { mode: 'read-only' }).action).toBe('deny');
  });

  it('is what rules about reversible calls are about', () => {
    const rules: Rule[] = [
      { action: 'allow', permission: 'fs.write', reversible: true },
      { action: 'deny', permission: 'fs.write', reversible: false },
    ];
    expect([decision({}, { rules }).action, decision(losing, { rules }).action]).toEqual(['allow', 'deny']);
  });
});

describe('isDenied', () => {
  it('tells a denial from a question', () => {
    const policy = policyOf({ rules: [{ action: 'deny', permission: 'fs.delete', path: '*.lock' }] });
    const call: PolicyCall = { tool: 'delete', effect: 'delete', accesses: [] };
    expect(isDenied(to('fs.delete', 'd/a.lock'), call, policy)).toBe(true);
    expect(isDenied(to('fs.delete', 'd/a.txt'), call, policy)).toBe(false);
  });
});
