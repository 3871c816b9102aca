/** Addresses of the web: read once, so that what is decided on is what is connected to. */
import { Failure } from '../failure.ts';
import { normaliseHost } from './host-name.ts';

/** Reads an address, or fails. Its host comes in the one spelling that rules know. */
export function webUrl(written: string, from?: URL): URL {
  const text = written.trim();
  // A URL may have none of them; those who read it nevertheless do not agree where its host ends.
  if (/[\s\\\p{Cc}]/u.test(text)) throw unusable('it has a blank, a backslash or a control character in it');
  const url = URL.parse(text, from?.href);
  if (url === null) throw unusable('it is none that can be read');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Failure('E_INVALID_ARGS', 'Only http and https addresses are allowed.');
  if (url.username !== '' || url.password !== '') throw unusable('it holds a user name or a password');
  const host = normaliseHost(url.hostname);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.hash = '';
  return url;
}

/** The host of an address, as rules spell it. */
export function hostOf(url: URL): string {
  return normaliseHost(url.hostname);
}

function unusable(why: string): Failure {
  return new Failure('E_INVALID_ARGS', `The address can not be used: ${why}.`);
}
