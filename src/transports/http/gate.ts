/**
 * What every request must pass, whatever its route: a Host that is ours (against DNS rebinding), no other page as its
 * origin, and the token (against everything else on the machine). What answers questions or takes turns back needs the
 * approval key besides: it never travels by itself, as a cookie would, and who only makes calls does not know it.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Clock } from '../../host/ports.ts';
import { rateLimit } from './rate-limit.ts';

export interface Credentials {
  /** Lets read, and make calls. */
  readonly token: string;
  /** Lets answer questions and take turns back, together with the token. */
  readonly approvalKey: string;
}

export interface GateOptions {
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** `host:port` as clients may write it. */
  readonly authorities: () => readonly string[];
}

export interface Gate {
  /** In front of what tells nothing: enough that it is asked at our name, and by no other page. */
  readonly anyone: MiddlewareHandler;
  /** In front of every other route. */
  readonly everyone: MiddlewareHandler;
  /** In front of what agents use. */
  readonly agent: MiddlewareHandler;
  /** In front of what agents use and people may. */
  readonly caller: MiddlewareHandler;
  /** In front of what becomes a WebSocket. */
  readonly socket: MiddlewareHandler;
  /** In front of routes that are for the person alone. */
  readonly person: MiddlewareHandler;
  /** Whether a request comes with the approval key; undefined where it has none at all. */
  readonly hasApprovalKey: (context: Context) => boolean | undefined;
}

/** The header that carries the approval key; no other page may send it. */
export const APPROVAL_HEADER = 'handrail-approval';
/** A page can send no header with a WebSocket, but offer protocols; no other page knows the key to offer. */
const APPROVAL_PROTOCOL = 'handrail.approval.';
const MIN_LENGTH = 16;
/** Enough for somebody who mistyped an address, not for somebody who tries. */
const STRANGERS = { atOnce: 30, perSecond: 1 };
/** More than an agent needs that knows what it does, or a page. */
const BUSY = { atOnce: 1_000, perSecond: 500 };
/** Faster than any person clicks. */
const ANSWERS = { atOnce: 60, perSecond: 5 };

/** The gate; refuses to exist without two real secrets. */
export function gate({ credentials, clock, authorities }: GateOptions): Gate {
  const { token, approvalKey } = credentials;
  if (token.length < MIN_LENGTH || approvalKey.length < MIN_LENGTH)
    throw new Error('The server needs a token and an approval key of at least 16 characters each.');
  if (token === approvalKey) throw new Error('The approval key must not be the token.');
  const mayStrangerTry = rateLimit(STRANGERS, clock);
  const mayAgentGoOn = rateLimit(BUSY, clock);
  // Apart from the agents': none of them is to keep a person from looking.
  const mayPersonGoOn = rateLimit(BUSY, clock);
  const mayAnswer = rateLimit(ANSWERS, clock);
  const hasApprovalKey = (context: Context): boolean | undefined => {
    const given = context.req.header(APPROVAL_HEADER) ?? offeredKey(context);
    return given === undefined ? undefined : isSame(given, approvalKey);
  };
  return {
    hasApprovalKey,
    anyone: async (context, next) => refuseStrangePlace(context, authorities()) ?? next(),
    async everyone(context, next) {
      const refusal = refuseStrangePlace(context, authorities());
      if (refusal !== undefined) return refusal;
      const host = hostOf(context);
      const { name, value } = pageCookie(host, token);
      if (isSame(bearer(context), token) || isSame(getCookie(context, name), value)) return next();
      if (context.req.method === 'GET' && isSame(context.req.query('token'), token))
        return enter(context, host, token);
      return mayStrangerTry()
        ? needsToken(context, 'open the address that `handrail serve` printed')
        : tooMany(context);
    },
    async agent(context, next) {
      // A cookie comes by itself, with whatever a page sends; an agent has no use for one.
      if (!isSame(bearer(context), token)) return needsToken(context, 'send it as Authorization: Bearer');
      if (hasApprovalKey(context) !== undefined)
        return context.text('The approval key is for the person: take it out of the client.\n', 403);
      return mayAgentGoOn() ? next() : tooMany(context);
    },
    async caller(context, next) {
      // A person's page has only the cookie; the approval key is what no other page could send.
      const isPerson = hasApprovalKey(context) === true;
      if (!isSame(bearer(context), token) && !isPerson)
        return needsToken(context, 'send it as Authorization: Bearer');
      const mayGoOn = isPerson ? mayPersonGoOn : mayAgentGoOn;
      return mayGoOn() ? next() : tooMany(context);
    },
    async socket(context, next) {
      const hasKey = hasApprovalKey(context);
      if (hasKey === false)
        return mayStrangerTry()
          ? context.text('That is not the approval key of this server.\n', 403)
          : tooMany(context);
      // A cookie counts with the origin that only a browser adds, and that is ours by now.
      const isOwnPage = context.req.header('origin') !== undefined;
      if (hasKey !== true && !isOwnPage && !isSame(bearer(context), token))
        return needsToken(context, 'send it as Authorization: Bearer');
      return next();
    },
    async person(context, next) {
      if (hasApprovalKey(context) === true) {
        // A page that shows what goes on looks often; what changes something is done by hand.
        const mayGoOn = context.req.method === 'GET' ? mayPersonGoOn : mayAnswer;
        return mayGoOn() ? next() : tooMany(context);
      }
      return mayStrangerTry()
        ? context.text(
            'This is for the person at the page: open the address that `handrail serve` printed.\n',
            403,
          )
        : tooMany(context);
    },
  };
}

/** Refuses what another page sends, or sends to another name. */
function refuseStrangePlace(context: Context, authorities: readonly string[]): Response | undefined {
  const host = hostOf(context);
  if (!authorities.includes(host))
    return context.text('This server does not answer to that host name.\n', 421);
  const origin = context.req.header('origin');
  // Pages of other ports count as the same site, cookies and all; only the origin tells them apart.
  const site = context.req.header('sec-fetch-site') ?? 'none';
  if ((origin === undefined || origin === `http://${host}`) && (site === 'none' || site === 'same-origin'))
    return undefined;
  return context.text('Other pages may not call this server, or lead to it.\n', 403);
}

function hostOf(context: Context): string {
  return context.req.header('host')?.toLowerCase() ?? '';
}

/** Takes the token out of the address bar: from here on the page has a cookie. */
function enter(context: Context, host: string, token: string): Response {
  const { name, value } = pageCookie(host, token);
  setCookie(context, name, value, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const url = new URL(context.req.url);
  url.searchParams.delete('token');
  // Two slashes would begin another host's name.
  return context.redirect(`${url.pathname.replace(/^\/+/, '/')}${url.search}`);
}

function needsToken(context: Context, how: string): Response {
  return context.text(`A token is needed: ${how}.\n`, 401, { 'www-authenticate': 'Bearer' });
}

function tooMany(context: Context): Response {
  return context.text('Too many requests; wait a little.\n', 429, { 'retry-after': '1' });
}

/**
 * What a page has in place of the token. Cookies know no ports: two servers on one machine must not share one, and
 * whoever listens on another port is sent it too, so it is not the token, and leads to nothing that needs that.
 */
export function pageCookie(host: string, token: string): { readonly name: string; readonly value: string } {
  return {
    name: `handrail_${host.replaceAll(/[^a-z0-9]/g, '_')}`,
    value: hash('sha256', `page ${token}`, 'base64url'),
  };
}

function bearer(context: Context): string | undefined {
  return /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
}

/** The approval key among the protocols that a WebSocket offers. */
function offeredKey(context: Context): string | undefined {
  const offered = context.req.header('sec-websocket-protocol')?.split(',') ?? [];
  const found = offered.map((name) => name.trim()).find((name) => name.startsWith(APPROVAL_PROTOCOL));
  return found?.slice(APPROVAL_PROTOCOL.length);
}

/** Compares in a time that tells nothing about either. */
function isSame(given: string | undefined, secret: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
