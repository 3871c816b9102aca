/** Hosts of rules: a name, an address, or `*.name` for all names below it; with a path behind it, only what is there. */
import { normaliseHost } from '../host/host-name.ts';
import type { Access } from './access.ts';

export type HostMatcher = (access: Pick<Access, 'resource' | 'url'>) => boolean;

/** Compiles a pattern; each host counts in its one spelling. A strict one fits only where its path is known to. */
export function compileHostPattern(pattern: string, { strict }: { readonly strict: boolean }): HostMatcher {
  const { host, path } = split(pattern);
  const fitsHost = compileHost(host);
  const fitsPath = path === undefined ? () => true : compilePath(path, strict);
  return ({ resource, url }) => fitsHost(normaliseHost(resource)) && fitsPath(url);
}

/** What an example of a rule asks for: a host, or something there. */
export function exampleAccess(example: string): Pick<Access, 'resource' | 'url'> {
  const { host, path } = split(example);
  return { resource: host, ...(path === undefined ? {} : { url: `https://${host}${path}` }) };
}

/** The one host that a pattern names; undefined where it is about several. */
export function namedHost(pattern: string): string | undefined {
  const { host } = split(pattern);
  return host.includes('*') ? undefined : host;
}

function split(pattern: string): { host: string; path: string | undefined } {
  const [, host = '', path] = /^([^/]*)(\/.*)?$/s.exec(pattern) ?? [];
  return { host: normaliseHost(host), path };
}

function compileHost(wanted: string): (host: string) => boolean {
  if (!wanted.startsWith('*.')) return (host) => host === wanted;
  const suffix = wanted.slice(1);
  return (host) => host.endsWith(suffix) && host.length > suffix.length;
}

/** What a server may read as a step to another folder, though the address does not show one. */
const HIDDEN_STEP = /%(?:2e|2f|5c)|\/\//i;

function compilePath(wanted: string, strict: boolean): (url: string | undefined) => boolean {
  const folder = wanted.replace(/\/?$/, '/');
  return (url) => {
    if (url === undefined) return !strict;
    const { pathname } = new URL(url);
    if (HIDDEN_STEP.test(pathname)) return !strict;
    return pathname === wanted || pathname.startsWith(folder);
  };
}
