/** Where a request comes from, as the audit names it: a browser says which page sent what changes something. */
import type { Context } from 'hono';

export function requester(context: Context): 'page' | 'api' {
  return context.req.header('origin') === undefined ? 'api' : 'page';
}
