/** A written deny is absolute: whatever stands around it, in whatever layer and order. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/policy/access.ts';
import { decide, type Grant, type Policy } from '../../src/policy/decide.ts';
import { defaultTable } from '../../src/policy/defaults/tables.ts';
import { compileLayer, type Rule } from '../../src/policy/rule.ts';

const ACCESS = { permission: 'fs.write', resource: 'src/a.txt', resolved: 'src/a.txt' } as const;

const path = fc.constantFrom<Rule['path'][]>(
  'src',
  'src/**',
  '*.txt',
  '**',
  ['docs', 'src/a.*'],
  'docs',
  '*.md',
);
const permission = fc.oneof(
  fc.constantFrom(...PERMISSIONS, '*' as const),
  fc.uniqueArray(fc.constantFrom(...PERMISSIONS), { minLength: 1, maxLength: 3 }),
);
const loose = fc.record<Rule>(
  {
    action: fc.constantFrom('allow', 'ask'),
    permission,
    path,
    tool: fc.constantFrom(['write'], ['read', 'write']),
  },
  { requiredKeys: ['action', 'permission'] },
) as fc.Arbitrary<Rule>;

/** Denials that fit the access above, by different reasons. */
const fittingDeny = fc.constantFrom<Rule[]>(
  { action: 'deny', permission: 'fs.write' },
  { action: 'deny', permission: '*' },
  { action: 'deny', permission: ['fs.read', 'fs.write'], path: 'src' },
  { action: 'deny', permission: 'fs.write', path: ['docs', 'SRC/A.TXT'] },
  { action: 'deny', permission: 'fs.write', tool: ['write'] },
);

/** The rules in any order, cut into layers at any places. */
const layers = fc
  .record({ deny: fittingDeny, others: fc.array(loose, { maxLength: 8 }) })
  .chain(({ deny, others }) => {
    const rules = [deny, ...others];
    return fc.record({
      order: fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }),
      cut: fc.nat(rules.length),
    });
  })
  .map(({ order, cut }) => [
    compileLayer('first', order.slice(0, cut)),
    compileLayer('second', order.slice(cut)),
  ]);

const dialect = fc.constantFrom('handrail', 'coder', 'tenas', 'clude', 'codelab', 'unheard-of');

function policy(given: Pick<Policy, 'layers'>, dialectName: string, grants: readonly Grant[]): Policy {
  const table = compileLayer('table', defaultTable(dialectName));
  return { mode: 'ask', protection: () => undefined, table, grants, ...given };
}

const call = { tool: 'write', effect: 'write', accesses: [ACCESS] } as const;

describe('decide with a written deny', () => {
  it('denies in every permutation of rules and layers, with and without a grant', () => {
    fc.assert(
      fc.property(layers, dialect, fc.boolean(), (layers, dialectName, isGranted) => {
        const grants = isGranted
          ? [{ tool: 'write', permission: ACCESS.permission, resolved: ACCESS.resolved }]
          : [];
        expect(decide(call, policy({ layers }, dialectName, grants)).action).toBe('deny');
      }),
    );
  });

  it('denies nothing where no rule says so', () => {
    fc.assert(
      fc.property(fc.array(loose), dialect, (rules, dialectName) => {
        const layers = [compileLayer('only', rules)];
        expect(decide(call, policy({ layers }, dialectName, [])).action).not.toBe('deny');
      }),
    );
  });

  it('gives way in a default table, which is not written by anyone', () => {
    const access = { permission: 'net.connect', resource: 'example.org', resolved: 'example.org' } as const;
    const layers = [compileLayer('user', [{ action: 'allow', permission: 'net.connect' }])];
    const web = { tool: 'web', effect: 'network', accesses: [access] } as const;
    expect(decide(web, policy({ layers }, 'clude', [])).action).toBe('allow');
    expect(decide(web, policy({ layers: [] }, 'clude', [])).action).toBe('deny');
  });
});
