/** Commands in the mode reversible: let through where undo takes all of it back, asked about where it does not. */
import { describe, expect, it } from 'vitest';
import type { ResolvedAccess } from '../../src/policy/access.ts';
import { analyseCommand } from '../../src/policy/command/analyse.ts';
import { decide, type Decision, type Mode, type PolicyCall } from '../../src/policy/decide.ts';
import { Policies } from '../../src/policy/policies.ts';
import type { Rule } from '../../src/policy/rule.ts';

const [PART] = analyseCommand('make all', { root: '/', directory: '.' }).parts;
const RUN: ResolvedAccess = {
  permission: 'proc.exec',
  resource: 'make all',
  resolved: 'make all',
  command: PART,
};
const GIT: ResolvedAccess = {
  permission: 'git.write',
  resource: 'commit',
  resolved: 'commit',
  command: PART,
};
const WRITE: ResolvedAccess = { permission: 'fs.write', resource: 'a', resolved: 'a' };
const NET: ResolvedAccess = { permission: 'net.connect', resource: 'example.org', resolved: 'example.org' };
const COVERED: Partial<PolicyCall> = { isSandboxed: true, undo: 'exact' };

function decision(
  call: Partial<PolicyCall>,
  mode: Mode = 'reversible',
  rules: readonly Rule[] = [],
): Decision {
  const policy = new Policies(rules, () => undefined).for('handrail', mode, []);
  return decide({ tool: 'bash', effect: 'exec', accesses: [RUN, WRITE, GIT], ...call }, policy);
}

describe('decide in the mode reversible', () => {
  it('lets a command pass that runs sandboxed, reaches nothing and is taken back exactly', () => {
    expect(decision(COVERED)).toEqual({ action: 'allow', rule: 'mode:reversible' });
    expect(decision(COVERED, 'ask').action).toBe('ask');
  });

  it.each<[string, Partial<PolicyCall>]>([
    ['only a part of it can be taken back', { undo: 'part' }],
    ['nothing of it can be taken back', { undo: 'none' }],
    ['nothing is known of that', { undo: undefined }],
    ['there is no sandbox', { isSandboxed: false }],
    ['it wants to reach a host', { accesses: [RUN, NET] }],
    ['it overwrites what can not be kept', { losesContent: true }],
    ['it would run outside', { accesses: [{ ...RUN, isOutside: true }] }],
  ])('asks where %s', (_why, call) => {
    expect(decision({ ...COVERED, ...call }).action).toBe('ask');
  });

  it('keeps to what somebody wrote down', () => {
    const deny: Rule = { action: 'deny', permission: 'proc.exec', command: 'make *' };
    expect(decision(COVERED, 'reversible', [deny]).action).toBe('deny');
    expect(decision(COVERED, 'reversible', [{ ...deny, action: 'ask' }]).action).toBe('ask');
  });
});

describe('a rule about what is reversible', () => {
  const allow: Rule = { action: 'allow', permission: '*', reversible: true };
  it('fits a command that is taken back exactly, and no other', () => {
    const action = (call: Partial<PolicyCall>) => decision(call, 'ask', [allow]).action;
    expect(action(COVERED)).toBe('allow');
    expect(action({ ...COVERED, undo: 'part' })).toBe('ask');
    expect(action({ ...COVERED, accesses: [RUN, NET] })).toBe('ask');
  });
});
