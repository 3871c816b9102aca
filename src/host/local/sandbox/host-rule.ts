/** Which hosts a command may reach: names, domains with all below them, addresses. */
import { BlockList, isIP } from 'node:net';
import { normaliseHost } from '../../host-name.ts';

export interface HostRules {
  /** Whether a host may be asked for at all. */
  allows(host: string): boolean;
  /** Whether an address may be connected to, as the answer to that host. */
  allowsAddress(host: string, address: string): boolean;
}

/** Reads the rules: `example.com`, `*.example.com` (what is below it), an address, `*` for everything public. */
export function hostRules(written: readonly string[]): HostRules {
  const rules = written.map(normaliseHost);
  const isNamed = (host: string): boolean => rules.includes(host);
  return {
    allows: (host) =>
      isNamed(host) ||
      rules.some((rule) => rule === '*' || (rule.startsWith('*.') && host.endsWith(rule.slice(1)))),
    // A public name that answers with a private address is an attack on what listens there.
    allowsAddress: (host, address) =>
      !isSpecial(address) || isNamed(normaliseHost(address)) || (isNamed(host) && isLocalName(host)),
  };
}

/** Names that only ever mean something on the own machine or network. */
function isLocalName(host: string): boolean {
  return (
    !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|test)$/.test(host)
  );
}

const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv4');
/** Of IPv6 only what is routed is public, and not what hides an IPv4 address in it. */
const ROUTED = new BlockList();
ROUTED.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv6');

/** Whether an address is private, local or otherwise not a host of the internet. */
export function isSpecial(address: string): boolean {
  const host = normaliseHost(address);
  const family = isIP(host);
  if (family === 0) return true;
  if (family === 4) return SPECIAL.check(host, 'ipv4');
  return !ROUTED.check(host, 'ipv6') || SPECIAL.check(host, 'ipv6');
}
