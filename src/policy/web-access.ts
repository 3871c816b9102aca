/** What holds for every access to the web, whatever a dialect's table says: the own network is closed, and long addresses are looked at. */
import { normaliseHost } from '../host/host-name.ts';
import { isOwn, mayAnswer } from '../host/own-network.ts';
import type { ResolvedAccess } from './access.ts';
import type { Decision, Policy, PolicyCall } from './decision.ts';

/** The machine itself and the networks around it are reached only where somebody wrote down that very host. */
export function decideOwnNetwork(
  access: ResolvedAccess,
  call: PolicyCall,
  policy: Policy,
): Decision | undefined {
  const host = access.resource;
  if (!isWeb(access, call) || !isOwn(host) || isNamed(host, access, call, policy)) return undefined;
  return { action: 'deny', rule: 'own-network', reason: ownNetwork(host) };
}

/** Why it is closed. */
export function ownNetwork(host: string): string {
  return `${host} is localhost or on a private network, which is not allowed unless a rule names it.`;
}

/** Whether an address may be connected to, as the answer to the host of an access. */
export function mayConnect(
  access: ResolvedAccess,
  address: string,
  call: PolicyCall,
  policy: Policy,
): boolean {
  return mayAnswer(access.resource, address, (host) => isNamed(host, access, call, policy));
}

const MAX_ADDRESS = 2_000;
const MAX_HOST = 100;

/** What is fetched by an address can be told by it, too: one that could carry much is looked at by a human. */
export function decideLongAddress(access: ResolvedAccess, call: PolicyCall): Decision | undefined {
  const { url = '', resource } = access;
  if (!isWeb(access, call) || (url.length <= MAX_ADDRESS && resource.length <= MAX_HOST)) return undefined;
  return {
    action: 'ask',
    rule: 'long-address',
    reason: `The address has ${url.length} characters, and could carry data to ${resource}.`,
    scope: 'single_action',
  };
}

function isWeb({ permission }: ResolvedAccess, { effect }: PolicyCall): boolean {
  return effect === 'network' && permission === 'net.connect';
}

/** Whether a rule that allows an access names that very host, not by a pattern. */
function isNamed(host: string, { url }: ResolvedAccess, { tool }: PolicyCall, { layers }: Policy): boolean {
  const named: ResolvedAccess = { permission: 'net.connect', resource: host, resolved: host, url };
  return layers.some(({ rules }) =>
    rules.some(
      (rule) =>
        rule.action === 'allow' &&
        rule.hosts.includes(normaliseHost(host)) &&
        rule.fits(named, { tool, isReversible: false }),
    ),
  );
}
