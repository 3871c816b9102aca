/** Step 8's way to the web: what was decided is what is asked, and each redirection is decided like a first access. */
import { Failure } from '../failure.ts';
import type { Web, WebAnswer } from '../host/web-ports.ts';
import { hostOf, webUrl } from '../host/web-url.ts';
import type { ResolvedAccess } from '../policy/access.ts';
import { decide, type Policy, type PolicyCall } from '../policy/decide.ts';
import { mayConnect } from '../policy/web-access.ts';
import type { ScopedWeb, ScopedWebRequest } from './operation.ts';

export interface WebScope {
  readonly web: Web;
  readonly call: PolicyCall;
  readonly policy: Policy;
  /** By the variable of the environment that holds it. */
  readonly keys: Readonly<Record<string, string>>;
  /** Whether a human was asked about this very call. */
  readonly wasApproved: boolean;
  readonly signal: AbortSignal;
  /** Told about every host that a redirection leads to. */
  onRedirect(access: ResolvedAccess): void;
}

const MAX_REDIRECTIONS = 10;

/** The way to the web for what a call was granted. */
export function scopeWeb(scope: WebScope): ScopedWeb {
  const { web, call, keys } = scope;
  return {
    async ask(request) {
      const host = hostOf(request.url);
      if (
        !call.accesses.some(({ permission, resource }) => permission === 'net.connect' && resource === host)
      )
        throw new Error(`The operation asks ${host} without having declared it.`);
      const deadline = AbortSignal.timeout(request.timeoutMs);
      try {
        return await follow(request, scope, AbortSignal.any([scope.signal, deadline]));
      } catch (error) {
        if (!deadline.aborted || scope.signal.aborted) throw error;
        throw new Failure('E_TOOL_TIMEOUT', `${host} took longer than ${request.timeoutMs / 1000} s.`);
      }
    },
    keyOf: (variable) => keys[variable],
    readable: (html, url) => web.readable(html, url, scope.signal),
  };
}

async function follow(
  request: ScopedWebRequest,
  scope: WebScope,
  signal: AbortSignal,
): Promise<WebAnswer & { readonly url: string }> {
  const { url: first, maxBytes, method = 'GET', headers = {}, body } = request;
  let url = first;
  for (let redirections = 0; ; redirections++) {
    const access = accessTo(url);
    const answer = await scope.web.ask({
      url,
      method,
      headers,
      body,
      maxBytes,
      mayConnect: (address) => mayConnect(access, address, scope.call, scope.policy),
      signal,
    });
    const target = targetOf(answer, url);
    if (target === undefined) return { ...answer, url: url.href };
    if (request.isFollowed !== true)
      throw unfollowed(url, `to ${hostOf(target)}, where nothing is sent that was meant for it`);
    if (redirections === MAX_REDIRECTIONS) throw unfollowed(url, 'over and over again');
    refuse(target, url, scope);
    url = target;
  }
}

const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function targetOf({ status, headers }: WebAnswer, from: URL): URL | undefined {
  const location = headers['location'];
  if (!REDIRECTIONS.has(status) || location === undefined) return undefined;
  try {
    return webUrl(location, from);
  } catch (error) {
    throw unfollowed(from, `to somewhere else. ${(error as Error).message}`);
  }
}

/** A redirection is an access of its own: the policy has to allow it, or a human has said yes to that host. */
function refuse(target: URL, from: URL, scope: WebScope): void {
  const { call, policy } = scope;
  if (from.protocol === 'https:' && target.protocol === 'http:')
    throw unfollowed(from, `to ${hostOf(target)} without encryption`);
  const access = accessTo(target);
  // Who wanted the call to be looked at has had that.
  const decision = decide({ ...call, accesses: [access], requiresApproval: false }, policy);
  const isSameHost = hostOf(from) === hostOf(target);
  if (decision.action === 'allow') {
    if (!isSameHost) scope.onRedirect(access);
    return;
  }
  if (decision.action === 'ask' && isSameHost && scope.wasApproved) return;
  throw new Failure(
    'E_POLICY_DENIED',
    `${hostOf(from)} redirects to ${hostOf(target)}, which was not allowed. ${decision.reason}`,
    {
      ...(decision.action === 'ask'
        ? { hint: `Ask for ${target.href} itself, so that somebody can say yes.` }
        : {}),
      details: { rule: decision.rule, host: hostOf(target) },
    },
  );
}

function accessTo(url: URL): ResolvedAccess {
  const host = hostOf(url);
  return { permission: 'net.connect', resource: host, resolved: host, url: url.href };
}

function unfollowed(from: URL, where: string): Failure {
  return new Failure('E_POLICY_DENIED', `${hostOf(from)} redirects ${where}.`);
}
