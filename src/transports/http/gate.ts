/**
 * What every request must pass, whatever its route: a Host that is ours (against DNS rebinding), an Origin that
 * is ours where there is one (against other pages), and the token (against everything else on the machine).
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export interface GateOptions {
  readonly token: string;
  /** `host:port` as clients may write it. */
  readonly authorities: () => readonly string[];
}

const MIN_TOKEN_LENGTH = 16;

/** The gate; refuses to exist without a real token. */
export function gate({ token, authorities }: GateOptions): MiddlewareHandler {
  if (token.length < MIN_TOKEN_LENGTH) throw new Error('The server needs a token of at least 16 characters.');
  const isToken = (given: string | undefined): boolean =>
    given !== undefined && timingSafeEqual(digest(given), digest(token));
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (!authorities().includes(host))
      return context.text('This server does not answer to that host name.\n', 421);
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`)
      return context.text('Other pages may not call this server.\n', 403);
    if (isToken(bearer(context)) || isToken(getCookie(context, cookieName(host)))) return next();
    if (context.req.method === 'GET' && isToken(context.req.query('token')))
      return enter(context, host, token);
    return context.text('A token is needed: open the address that `handrail serve` printed.\n', 401);
  };
}

/** Takes the token out of the address bar: from here on the cookie carries it. */
function enter(context: Context, host: string, token: string): Response {
  setCookie(context, cookieName(host), token, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const url = new URL(context.req.url);
  url.searchParams.delete('token');
  return context.redirect(`${url.pathname}${url.search}`);
}

/** Cookies know no ports; two servers on one machine must not share one. */
function cookieName(host: string): string {
  return `handrail_${host.replaceAll(/[^a-z0-9]/g, '_')}`;
}

function bearer(context: Context): string | undefined {
  return /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
}

function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
