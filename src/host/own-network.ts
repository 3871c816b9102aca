/** What belongs to the machine and the networks around it, and is no host of the internet, however it is spelt. */
import { normaliseHost } from './host-name.ts';

/** Whether a host is, by its address or its name, this machine or on a network of its own. */
export function isOwn(host: string): boolean {
  return addressBits(normaliseHost(host)) === undefined ? isLocalName(normaliseHost(host)) : isSpecial(host);
}

/** Whether an address is private, local or otherwise not a host of the internet. */
export function isSpecial(address: string): boolean {
  const bits = addressBits(normaliseHost(address));
  if (bits === undefined) return true;
  if (bits.length === 32) return SPECIAL.some((network) => bits.startsWith(network));
  // Of IPv6 only what is routed is public, and not what hides an IPv4 address in it.
  return !bits.startsWith(ROUTED) || SPECIAL_ROUTED.some((network) => bits.startsWith(network));
}

/**
 * Whether an address may be the answer to a host: a public one always, another one where it was named itself, or where
 * the named host can only mean something near. A public name with a private address is an attack on what listens there.
 */
export function mayAnswer(host: string, address: string, isNamed: (host: string) => boolean): boolean {
  if (!isSpecial(address) || isNamed(normaliseHost(address))) return true;
  return isLocalName(host) && isNamed(host) && !METADATA.has(normaliseHost(address));
}

/** Names that only ever mean something on the own machine or network. */
function isLocalName(host: string): boolean {
  return (
    !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|test)$/.test(host)
  );
}

/** Where clouds keep the keys of a machine: to be named itself, whatever else of the network is. */
const METADATA = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200']);

/** The bits of an address in its usual form, one character each; undefined for what is none. */
function addressBits(host: string): string | undefined {
  if (!URL.canParse(`http://${host.includes(':') ? `[${host}]` : host}/`)) return undefined;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return inBits(host.split('.').map(Number), 8);
  if (!host.includes(':')) return undefined;
  const [before = '', after] = host.split('::');
  const front = groups(before);
  const back = groups(after ?? '');
  const missing = after === undefined ? 0 : 8 - front.length - back.length;
  return inBits([...front, ...Array<number>(missing).fill(0), ...back], 16);
}

function groups(written: string): number[] {
  return written === '' ? [] : written.split(':').map((group) => Number.parseInt(group, 16));
}

function inBits(numbers: readonly number[], width: number): string {
  return numbers.map((number) => number.toString(2).padStart(width, '0')).join('');
}

function network(written: string): string {
  const [address = '', length] = written.split('/');
  return addressBits(address)!.slice(0, Number(length));
}

const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(network);
const ROUTED = network('2000::/3');
const SPECIAL_ROUTED = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(network);
