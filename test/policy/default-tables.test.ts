/** What is asked when no rule speaks, row by row; floors are told by the user rule that does not lower them. */
import { describe, expect, it } from 'vitest';
import { type Permission, PERMISSIONS } from '../../src/policy/access.ts';
import { decide } from '../../src/policy/decide.ts';
import { Policies } from '../../src/policy/policies.ts';

type Answer = 'allow' | 'ask' | 'floor' | 'deny';
type Table = Readonly<Record<Permission, Answer>>;

const coder: Table = {
  'fs.read': 'allow',
  'fs.write': 'ask',
  'fs.delete': 'ask',
  'proc.exec': 'ask',
  'net.connect': 'ask',
  'git.write': 'ask',
  'user.ask': 'allow',
  'state.write': 'allow',
  'agent.spawn': 'ask',
  'skill.load': 'ask',
};

const tenas: Table = {
  'fs.read': 'allow',
  'fs.write': 'floor',
  'fs.delete': 'floor',
  'proc.exec': 'floor',
  'net.connect': 'allow',
  'git.write': 'ask',
  'user.ask': 'allow',
  'state.write': 'allow',
  'agent.spawn': 'ask',
  'skill.load': 'ask',
};

const clude: Table = {
  'fs.read': 'allow',
  'fs.write': 'allow',
  'fs.delete': 'floor',
  'proc.exec': 'ask',
  'net.connect': 'deny',
  'git.write': 'ask',
  'user.ask': 'allow',
  'state.write': 'allow',
  'agent.spawn': 'ask',
  'skill.load': 'ask',
};

const codelab: Table = {
  'fs.read': 'allow',
  'fs.write': 'ask',
  'fs.delete': 'ask',
  'proc.exec': 'floor',
  'net.connect': 'ask',
  'git.write': 'ask',
  'user.ask': 'allow',
  'state.write': 'allow',
  'agent.spawn': 'ask',
  'skill.load': 'ask',
};

const everythingAsked = Object.fromEntries(PERMISSIONS.map((permission) => [permission, 'ask'])) as Table;

const TABLES: readonly (readonly [dialect: string, table: Table])[] = [
  ['coder', coder],
  ['handrail', coder],
  ['tenas', tenas],
  ['clude', clude],
  ['codelab', codelab],
  ['codelab@1.0', codelab],
  ['codelab@2.0', codelab],
  ['unheard-of', everythingAsked],
  ['', everythingAsked],
  ['__proto__', everythingAsked],
  ['constructor', everythingAsked],
  ['toString', everythingAsked],
];

const ROWS = TABLES.flatMap(([dialect, table]) =>
  PERMISSIONS.map((permission) => ({ dialect, permission, answer: table[permission] })),
);

const plain = new Policies([], () => undefined);
const allowing = new Policies([{ action: 'allow', permission: '*' }], () => undefined);

function answerOf(policies: Policies, dialect: string, permission: Permission, tool = 'any'): string {
  const access = { permission, resource: 'file', resolved: 'file' };
  return decide({ tool, effect: 'write', accesses: [access] }, policies.for(dialect, 'ask', [])).action;
}

describe('defaultTable', () => {
  it.each(ROWS)('in $dialect: $permission is $answer', ({ dialect, permission, answer }) => {
    expect({
      byDefault: answerOf(plain, dialect, permission),
      withUserAllow: answerOf(allowing, dialect, permission),
    }).toEqual({
      byDefault: answer === 'floor' ? 'ask' : answer,
      withUserAllow: answer === 'floor' ? 'ask' : 'allow',
    });
  });

  it.each(['fs.write', 'fs.delete'] as const)('in codelab: %s of apply_patch is a floor', (permission) => {
    expect(answerOf(plain, 'codelab', permission, 'apply_patch')).toBe('ask');
    expect(answerOf(allowing, 'codelab', permission, 'apply_patch')).toBe('ask');
    expect(answerOf(allowing, 'coder', permission, 'apply_patch')).toBe('allow');
  });

  it('says why clude reaches no network', () => {
    const access = { permission: 'net.connect', resource: 'example.org', resolved: 'example.org' } as const;
    const call = { tool: 'web', effect: 'network', accesses: [access] } as const;
    expect(decide(call, plain.for('clude', 'ask', []))).toEqual({
      action: 'deny',
      rule: 'dialect:clude#9',
      reason: 'This dialect reaches no network unless a rule opens it.',
    });
  });
});

const SENSITIVE = [
  '.env',
  '.env.local',
  '.ENV',
  'app/.env.production',
  '.env.d/values',
  'server.pem',
  'keys/server.key',
  'store.p12',
  'store.pfx',
  'release.keystore',
  'id_rsa',
  'id_rsa.pub',
  'backup/ID_ED25519',
  'id_ecdsa',
  'id_dsa.old',
];
const ORDINARY = [
  'env',
  'env.txt',
  'environment.ts',
  'my.env',
  'keyboard.ts',
  'key',
  '.github/workflow.yml',
  '.npmrc',
];

describe('sensitiveRules', () => {
  const readable = (path: string, policies: Policies): string =>
    decide(
      { tool: 'read', effect: 'read', accesses: [{ permission: 'fs.read', resource: path, resolved: path }] },
      policies.for('coder', 'ask', []),
    ).action;

  it.each(SENSITIVE)('ask before %s is read', (path) => {
    expect(readable(path, plain)).toBe('ask');
  });

  it.each(ORDINARY)('do not speak about %s', (path) => {
    expect(readable(path, plain)).toBe('allow');
  });

  it.each(['fs.write', 'fs.delete'] as const)(
    'hold for %s in a dialect that would allow it',
    (permission) => {
      const accesses = [{ permission, resource: '.env', resolved: '.env' }];
      const decision = decide({ tool: 'edit', effect: 'write', accesses }, plain.for('clude', 'ask', []));
      expect(decision).toMatchObject({ action: 'ask' });
    },
  );

  it('see through a link to such a file, and through one of such a name', () => {
    const decision = (resource: string, resolved: string): unknown =>
      decide(
        { tool: 'read', effect: 'read', accesses: [{ permission: 'fs.read', resource, resolved }] },
        plain.for('coder', 'ask', []),
      );
    const asked = {
      action: 'ask',
      rule: 'defaults#1',
      reason: 'The file may hold secrets.',
      scope: 'workspace',
    };
    expect(decision('notes.txt', '.env')).toEqual(asked);
    expect(decision('.env', 'notes.txt')).toEqual(asked);
  });

  it('give way to a rule of the user', () => {
    const rules = [{ action: 'allow', permission: 'fs.read', path: '.env.example' }];
    const policies = new Policies(rules, () => undefined);
    expect([readable('.env.example', policies), readable('.env', policies)]).toEqual(['allow', 'ask']);
  });
});
