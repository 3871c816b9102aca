/**
 * May this call happen? A pure function of the call and the policy. For each access, in this order: protected
 * places, any written deny, what the request itself narrows, the mode, floors, then the most specific layer's
 * last fitting rule, then the dialect's table, and else ask. Over several accesses the strictest answer holds.
 */
import { type Effect, isChange, isPathPermission, type Permission, type ResolvedAccess } from './access.ts';
import type { AskScope, Decision, Policy, PolicyCall } from './decision.ts';
import { type CompiledRule, isReader, type Layer, type RuleCall } from './rule.ts';
import { decideLongAddress, decideOwnNetwork } from './web-access.ts';

export { MODES } from './decision.ts';
export type * from './decision.ts';

/** Decides a call. */
export function decide(call: PolicyCall, policy: Policy): Decision {
  let decision: Decision = { action: 'allow', rule: 'no-access' };
  for (const access of call.accesses) decision = stricter(decision, decideAccess(access, call, policy));
  if (call.requiresApproval === true && decision.action === 'allow') {
    return ask('request:requires-approval', 'The caller asked for an approval.', 'single_action');
  }
  return decision;
}

/** Whether a single access would be denied outright; what trees are checked with, entry by entry. */
export function isDenied(access: ResolvedAccess, call: PolicyCall, policy: Policy): boolean {
  if (decideRefused(access, call, policy) !== undefined) return true;
  // Written denies are dealt with; most tables have none, and whole trees are checked this way.
  return (
    policy.table.rules.some(({ action }) => action === 'deny') &&
    decideAccess(access, call, policy).action === 'deny'
  );
}

/** Whether somebody wrote down that some paths are never touched. */
export function hasPathDenies({ layers, table }: Policy): boolean {
  return [...layers, table].some(({ rules }) =>
    rules.some(({ action, isAboutPaths }) => action === 'deny' && isAboutPaths),
  );
}

/**
 * Whether a file in a granted tree may be read along with it: nothing speaks against it, or only what a human has
 * already said yes to for the tree.
 */
export function isReadableWithin(
  tree: ResolvedAccess,
  access: ResolvedAccess,
  call: PolicyCall,
  policy: Policy,
): boolean {
  const decision = decideAccess(access, call, policy);
  if (decision.action !== 'ask') return decision.action === 'allow';
  if (access.resolved === tree.resolved) return true;
  if (decideAccess(tree, call, policy).rule !== decision.rule) return false;
  const otherwise = decideAccess(access, call, without(decision.rule, policy));
  return otherwise.action === 'allow' || otherwise.rule === NO_RULE;
}

/** Whether an entry that nobody may read without a question could be read without one where it is moved to. */
export function losesItsQuestion(from: string, to: string, call: PolicyCall, policy: Policy): boolean {
  const reading = (path: string): Decision['action'] =>
    decideAccess({ permission: 'fs.read', resource: path, resolved: path }, call, policy).action;
  return reading(from) === 'ask' && reading(to) === 'allow';
}

const NO_RULE = 'no-rule';

/** The policy as it would be if a rule were not there. */
function without(id: string, policy: Policy): Policy {
  const keep = (layer: Layer): Layer => ({ ...layer, rules: layer.rules.filter((rule) => rule.id !== id) });
  return { ...policy, layers: policy.layers.map(keep), table: keep(policy.table) };
}

function decideAccess(access: ResolvedAccess, call: PolicyCall, policy: Policy): Decision {
  return (
    decideRefused(access, call, policy) ??
    decideOutside(access) ??
    decideLongAddress(access, call) ??
    decideWrapper(access) ??
    decideGranted(access, call, policy) ??
    decideFloor(access, call, policy) ??
    decideByRules(access, call, policy)
  );
}

/** What nobody touches, whatever for: protected places, and what somebody wrote down. */
export function decideUntouchable(
  access: ResolvedAccess,
  call: PolicyCall,
  policy: Policy,
): Decision | undefined {
  return decideProtected(access, policy) ?? decideWrittenDeny(access, call, policy);
}

/** What is denied whatever else is written. */
function decideRefused(access: ResolvedAccess, call: PolicyCall, policy: Policy): Decision | undefined {
  return (
    decideUntouchable(access, call, policy) ??
    decideRequested(access, call) ??
    decideMode(access, call, policy) ??
    decideOwnNetwork(access, call, policy)
  );
}

function decideProtected(
  { permission, resource, resolved }: ResolvedAccess,
  { protection }: Policy,
): Decision | undefined {
  const reason =
    protection(permission, resource) ??
    (resolved === resource ? undefined : protection(permission, resolved));
  return reason === undefined ? undefined : { action: 'deny', rule: 'protected', reason };
}

function decideWrittenDeny(
  access: ResolvedAccess,
  call: PolicyCall,
  { layers }: Policy,
): Decision | undefined {
  for (const layer of layers) {
    const rule = layer.rules.find((rule) => rule.action === 'deny' && rule.fits(access, about(call)));
    if (rule !== undefined) return fromRule(rule, access);
  }
  return undefined;
}

function decideRequested(access: ResolvedAccess, call: PolicyCall): Decision | undefined {
  const requested = call.requestedPermissions;
  if (requested === undefined || requested.includes(access.permission)) return undefined;
  const reason = `The call limited itself to ${requested.join(', ') || 'nothing'}, but needs ${access.permission}.`;
  return { action: 'deny', rule: 'request:requested-permissions', reason };
}

const READING: ReadonlySet<Permission> = new Set(['fs.read', 'user.ask', 'skill.load', 'agent.spawn']);

function decideMode(access: ResolvedAccess, call: PolicyCall, { mode }: Policy): Decision | undefined {
  if (mode !== 'read-only' || READING.has(access.permission)) return undefined;
  // What an agent means to do is a note to itself.
  if (access.permission === 'state.write' && access.resource === 'todos') return undefined;
  const { command, permission } = access;
  const isHarmless = command?.isWrapper === true || isReader(command, call.isSandboxed === true);
  if (permission === 'proc.exec' && isHarmless) return undefined;
  return {
    action: 'deny',
    rule: 'mode:read-only',
    reason: `Mode read-only does not permit ${access.permission}.`,
  };
}

/** Only a human lets a command out of the sandbox, each time anew. */
function decideOutside({ isOutside }: ResolvedAccess): Decision | undefined {
  if (isOutside !== true) return undefined;
  return ask('outside-sandbox', 'The command would run outside the sandbox.', 'single_action');
}

/** What only starts another command is as harmless as that one, which is decided by itself. */
function decideWrapper({ command }: ResolvedAccess): Decision | undefined {
  return command?.isWrapper === true ? { action: 'allow', rule: 'wrapper' } : undefined;
}

function decideGranted(access: ResolvedAccess, call: PolicyCall, policy: Policy): Decision | undefined {
  return isGranted(access, call, policy) ? { action: 'allow', rule: 'session-grant' } : undefined;
}

/** Whether a human granted an access in this session. */
export function isGranted(access: ResolvedAccess, call: PolicyCall, { grants }: Policy): boolean {
  return grants.some(
    (grant) =>
      grant.tool === call.tool &&
      grant.permission === access.permission &&
      grant.resolved === access.resolved,
  );
}

function decideFloor(
  access: ResolvedAccess,
  call: PolicyCall,
  { layers, table }: Policy,
): Decision | undefined {
  for (const layer of [...layers, table]) {
    const rule = layer.rules.find(
      (rule) => rule.floor && rule.action === 'ask' && rule.fits(access, about(call)),
    );
    if (rule !== undefined) return fromRule(rule, access);
  }
  return undefined;
}

function decideByRules(access: ResolvedAccess, call: PolicyCall, policy: Policy): Decision {
  for (const layer of [...policy.layers].reverse()) {
    const rule = layer.rules.findLast((rule) => rule.fits(access, about(call)));
    if (rule !== undefined) return fromRule(rule, access);
  }
  return byMode(decideByTable(access, call, policy), access, call, policy);
}

function decideByTable(access: ResolvedAccess, call: PolicyCall, { table }: Policy): Decision {
  const rule = table.rules.findLast((rule) => rule.fits(access, about(call)));
  return rule === undefined
    ? ask(NO_RULE, `No rule speaks about ${access.permission}.`)
    : fromRule(rule, access);
}

/** A mode adds to and takes away from the dialect's table only: what somebody wrote down, they meant. */
function byMode(
  decision: Decision,
  { permission }: ResolvedAccess,
  call: PolicyCall,
  { mode }: Policy,
): Decision {
  if (decision.action === 'deny' || mode === 'ask') return decision;
  // What a sub-agent does is decided call by call, in the same mode.
  const isHandedOn = permission === 'agent.spawn';
  if (mode === 'read-only' && !isHandedOn) return decision;
  if (mode === 'reversible' && call.losesContent === true && isChange(permission))
    return ask('mode:reversible', NO_WAY_BACK);
  const isOnlyRead = permission === 'skill.load' || isHandedOn;
  const isAboutFiles = OF_FILES.has(call.effect) && isPathPermission(permission);
  // What left the machine is never taken back.
  const isContained = call.effect === 'exec' && call.isSandboxed === true && permission !== 'net.connect';
  const isEnough = isOnlyRead || isAboutFiles || (isContained && (mode === 'auto' || isReversible(call)));
  return decision.action === 'ask' && isEnough ? { action: 'allow', rule: `mode:${mode}` } : decision;
}

const NO_WAY_BACK =
  'Undo could not take this back: what is there is too large to be kept, or can not be read.';

/** Changes of files, which undo takes back where it can keep the old state. */
const OF_FILES: ReadonlySet<Effect> = new Set(['read', 'write', 'delete']);

function about(call: PolicyCall): RuleCall {
  const { tool, extent, isSandboxed } = call;
  return { tool, extent, isReversible: isReversible(call), isSandboxed };
}

/** Whether undo takes back everything that a call does. */
function isReversible({ effect, accesses, losesContent, isSandboxed, undo }: PolicyCall): boolean {
  if (losesContent === true) return false;
  if (effect !== 'exec') return OF_FILES.has(effect);
  return (
    isSandboxed === true &&
    undo === 'exact' &&
    !accesses.some(({ permission }) => permission === 'net.connect')
  );
}

function fromRule(rule: CompiledRule, access: ResolvedAccess): Decision {
  if (rule.action === 'allow') return { action: 'allow', rule: rule.id };
  const what = `${access.permission} on ${JSON.stringify(access.resolved)}`;
  // What can't be told of a command is why a rule may fit it that was written for another.
  const because = (reason: string): string => [access.command?.unclear, reason].filter(Boolean).join(' ');
  if (rule.action === 'deny')
    return { action: 'deny', rule: rule.id, reason: because(rule.reason ?? `A rule denies ${what}.`) };
  const reason = because(rule.reason ?? `${what} needs an approval.`);
  const asking = ask(rule.id, reason, rule.floor ? 'session' : 'workspace');
  return rule.hasPreview ? { ...asking, hasPreview: true } : asking;
}

function ask(
  rule: string,
  reason: string,
  scope: AskScope = 'workspace',
): Extract<Decision, { action: 'ask' }> {
  return { action: 'ask', rule, reason, scope };
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;
const NARROWNESS = { workspace: 0, session: 1, single_action: 2 } as const;

/** The stricter of two decisions; of two equal ones the later, since operations name what they change after what they read. */
export function stricter(one: Decision, other: Decision): Decision {
  if (one.action === 'ask' && other.action === 'ask') {
    const narrower = NARROWNESS[other.scope] >= NARROWNESS[one.scope] ? other : one;
    return one.hasPreview === true || other.hasPreview === true
      ? { ...narrower, hasPreview: true }
      : narrower;
  }
  return STRICTNESS[other.action] >= STRICTNESS[one.action] ? other : one;
}
