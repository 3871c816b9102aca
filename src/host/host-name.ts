/** One spelling for each host, so that rules and what really is connected to speak of the same. */

/**
 * A host as rules spell it: lower case, Unicode as the network writes it, without brackets, zone or last dot, an
 * address in its usual form however it was dressed up. Patterns with `*` stay patterns.
 */
export function normaliseHost(host: string): string {
  const bare = host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
  if (bare.includes(':')) return canonicalAddress(bare) ?? bare;
  return NOT_A_HOST.test(bare) ? bare : (parsed(bare)?.replace(/\.$/, '') ?? bare);
}

const NOT_A_HOST = /[\s/?#@\\]/;

function canonicalAddress(address: string): string | undefined {
  const shown = parsed(`[${address}]`)?.slice(1, -1);
  return shown && (mappedAddress(shown) ?? shown);
}

function parsed(host: string): string | undefined {
  return URL.parse(`http://${host}/`)?.hostname;
}

/** An IPv4 address in the clothes of an IPv6 one. */
function mappedAddress(address: string): string | undefined {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}
