/** Hosts of rules: a name, an address, or `*.name` for all names below it. */

export type HostMatcher = (host: string) => boolean;

/** Compiles a pattern; names are compared without case and without the dot at their end. */
export function compileHostPattern(pattern: string): HostMatcher {
  const wanted = fold(pattern);
  if (!wanted.startsWith('*.')) return (host) => fold(host) === wanted;
  const suffix = wanted.slice(1);
  return (host) => fold(host).endsWith(suffix) && fold(host).length > suffix.length;
}

function fold(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
