/** Hosts of rules: a name, an address, or `*.name` for all names below it. */
import { normaliseHost } from '../host/host-name.ts';

export type HostMatcher = (host: string) => boolean;

/** Compiles a pattern; each host counts in its one spelling. */
export function compileHostPattern(pattern: string): HostMatcher {
  const wanted = normaliseHost(pattern);
  if (!wanted.startsWith('*.')) return (host) => normaliseHost(host) === wanted;
  const suffix = wanted.slice(1);
  return (written) => {
    const host = normaliseHost(written);
    return host.endsWith(suffix) && host.length > suffix.length;
  };
}
