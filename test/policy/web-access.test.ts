/** What holds for the web whatever a dialect's table says. */
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { decide, type Decision, type Mode } from '../../src/policy/decide.ts';
import { Policies } from '../../src/policy/policies.ts';
import { checkRules } from '../../src/policy/rule.ts';

interface Circumstances {
  readonly dialect?: string;
  readonly mode?: Mode;
  readonly effect?: 'network' | 'exec';
}

function decided(
  host: string,
  rules: readonly Rule[],
  { dialect = 'tenas', mode = 'ask', effect = 'network' }: Circumstances = {},
): Decision {
  const access = {
    permission: 'net.connect',
    resource: host,
    resolved: host,
    url: `http://${host}/a`,
  } as const;
  const policy = new Policies(rules, () => undefined).for(dialect, mode, []);
  return decide({ tool: 'web', effect, accesses: [access] }, policy);
}

const allow = (host?: string): Rule => ({
  action: 'allow',
  permission: 'net.connect',
  ...(host === undefined ? {} : { host }),
});

describe('decideOwnNetwork', () => {
  it.each([
    ['no rule at all', []],
    ['a rule about every host', [allow()]],
    ['a rule about another host', [allow('127.0.0.2')]],
    ['a pattern', [allow('*.localhost')]],
    ['a rule for another tool', [{ ...allow('localhost'), tool: ['other'] }]],
    ['a rule for another permission', [{ ...allow('localhost'), permission: 'fs.read' as const }]],
    ['a rule about another folder of it', [allow('localhost/b')]],
    ['an ask', [{ ...allow('localhost'), action: 'ask' as const }]],
  ])('denies the own machine with %s', (_, rules) => {
    expect(decided('localhost', rules)).toMatchObject({ action: 'deny', rule: 'own-network' });
  });

  it.each([
    ['localhost', 'localhost'],
    ['localhost', 'LocalHost.'],
    ['127.0.0.1', '0x7f.1'],
    ['::1', '[0:0::1]'],
    ['localhost', 'localhost/a'],
  ])('leaves %s to the rules where one names %s', (host, named) => {
    expect(decided(host, [allow(named)])).toEqual({ action: 'allow', rule: 'user#1' });
  });

  it('holds in every mode and dialect, and asks nobody', () => {
    for (const dialect of ['handrail', 'coder', 'tenas', 'clude', 'codelab'])
      for (const mode of ['ask', 'reversible', 'auto'] as const)
        expect(decided('10.0.0.1', [], { dialect, mode }).action).toBe('deny');
  });

  it('says nothing about commands, whose hosts a human may grant', () => {
    expect(decided('localhost', [], { dialect: 'handrail', effect: 'exec' }).action).toBe('ask');
  });
});

describe('the tables about the web', () => {
  it.each([
    ['handrail', 'ask'],
    ['coder', 'ask'],
    ['tenas', 'allow'],
    ['clude', 'deny'],
    ['codelab', 'ask'],
  ])('of %s say %s about a public host', (dialect, action) => {
    expect(decided('example.com', [], { dialect }).action).toBe(action);
    expect(decided('example.com', [allow('example.com')], { dialect }).action).toBe('allow');
  });
});

describe('a rule about a folder of a host', () => {
  it('holds its examples', () => {
    const rule = {
      ...allow('example.com/docs'),
      match: ['example.com/docs/a'],
      notMatch: ['example.com', 'example.com/b'],
    };
    expect(checkRules('user', [rule])).toHaveLength(1);
    expect(() => checkRules('user', [{ ...rule, match: ['example.com/b'] }])).toThrow(
      'does not hold its own examples',
    );
  });

  it('denies a command the whole host, since nobody knows what it will ask for there', () => {
    const rule: Rule = { action: 'deny', permission: 'net.connect', host: 'example.com/docs' };
    const access = { permission: 'net.connect', resource: 'example.com', resolved: 'example.com' } as const;
    const policy = new Policies([rule], () => undefined).for('handrail', 'ask', []);
    expect(decide({ tool: 'bash', effect: 'exec', accesses: [access] }, policy).action).toBe('deny');
  });
});
