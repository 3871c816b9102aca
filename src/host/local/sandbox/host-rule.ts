/** Which hosts a command may reach: names, domains with all below them, addresses. */
import { normaliseHost } from '../../host-name.ts';
import { mayAnswer } from '../../own-network.ts';

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
    allowsAddress: (host, address) => mayAnswer(host, address, isNamed),
  };
}
