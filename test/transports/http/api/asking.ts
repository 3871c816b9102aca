/** The API as its client has it, with every answer held against the schema that its route promises. */
import { type Client, handrailClient } from '../../../../src/client/index.ts';
import { API_ROUTES } from '../../../../src/transports/http/api/index.ts';
import type { Route } from '../../../../src/transports/http/api/route.ts';
import { KEY, type Serving, TOKEN } from '../serving.ts';
import { strictly } from './strictly.ts';

/** Whose requests they are; `project` is the id of a registered one. */
export function clientOf(
  { url }: Serving,
  who: 'agent' | 'person' = 'person',
  options: { readonly project?: string } = {},
): Client {
  const approvalKey = who === 'person' ? KEY : undefined;
  const client = handrailClient({ url: url.origin, token: TOKEN, approvalKey, ...options });
  const checked = (API_ROUTES as readonly Route[])
    .filter(({ type }) => type === undefined)
    .map(({ name, returns }) => [
      name,
      async (...given: unknown[]) => {
        const ask = client[name as keyof Client] as (...given: unknown[]) => Promise<unknown>;
        return strictly(returns).parse(await ask(...given));
      },
    ]);
  return { ...client, ...(Object.fromEntries(checked) as object) };
}
