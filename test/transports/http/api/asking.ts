/** The API as its client has it, with every answer held against the schema that its route promises. */
import { expect } from 'vitest';
import { type Client, handrailClient } from '../../../../src/client/index.ts';
import { API_ROUTES } from '../../../../src/transports/http/api/index.ts';
import type { Route } from '../../../../src/transports/http/api/route.ts';
import { KEY, type Serving, TOKEN } from '../serving.ts';

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
        const answer = await ask(...given);
        // What the schema does not know would be left out.
        expect(returns.parse(answer)).toEqual(answer);
        return answer;
      },
    ]);
  return { ...client, ...(Object.fromEntries(checked) as object) } as Client;
}
