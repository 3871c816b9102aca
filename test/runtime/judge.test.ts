/** When a decision looks at files: only where it depends on what undo could keep. */
import { describe, expect, it } from 'vitest';
import type { Mode, Permission, Rule } from '../../src/index.ts';
import type { Effect } from '../../src/policy/access.ts';
import { Policies } from '../../src/policy/policies.ts';
import { judge } from '../../src/runtime/judge.ts';

interface Case {
  readonly effect?: Effect;
  readonly permissions?: readonly Permission[];
  readonly mode?: Mode;
  readonly rules?: readonly Rule[];
  readonly keeps?: boolean;
}

/** The action, and the paths that were looked at for it. */
async function judged({
  effect = 'write',
  permissions = ['fs.read', 'fs.write'],
  mode = 'reversible',
  rules = [],
  keeps = true,
}: Case): Promise<[action: string, looked: string[]]> {
  const looked: string[] = [];
  const accesses = permissions.map((permission) => ({ permission, resource: 'a.txt', resolved: 'a.txt' }));
  const policy = new Policies(rules, () => undefined).for('handrail', mode, []);
  const { decision } = await judge({ tool: 'tool', effect, accesses }, policy, async (path) => {
    looked.push(path);
    return keeps;
  });
  return [decision.action, looked];
}

describe('judge', () => {
  it('looks at what is changed, in the mode reversible and for rules about it', async () => {
    const rules: Rule[] = [{ action: 'deny', permission: 'fs.write', reversible: false }];
    expect(await judged({})).toEqual(['allow', ['a.txt']]);
    expect(await judged({ keeps: false })).toEqual(['ask', ['a.txt']]);
    expect(await judged({ mode: 'ask', rules, keeps: false })).toEqual(['deny', ['a.txt']]);
  });

  it.each<[string, Case, string]>([
    ['that only reads', { effect: 'read', permissions: ['fs.read'] }, 'allow'],
    ['in the mode ask', { mode: 'ask' }, 'ask'],
    ['in the mode auto', { mode: 'auto' }, 'allow'],
    ['that a rule denies', { rules: [{ action: 'deny', permission: 'fs.write' }] }, 'deny'],
    ['that a rule allows', { rules: [{ action: 'allow', permission: 'fs.write' }] }, 'allow'],
  ])('looks at nothing for a call %s', async (_, call, action) => {
    expect(await judged({ ...call, keeps: false })).toEqual([action, []]);
  });
});
