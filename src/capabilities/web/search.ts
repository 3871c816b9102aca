/** `web.search`: what search engines know of a question; the next one is asked where one gives no answer. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { hostOf, webUrl } from '../../host/web-url.ts';
import { defineOperation, type ScopedWeb } from '../../runtime/operation.ts';
import type { SearchProvider } from '../../search-providers.ts';
import { type Found, foundSchema, SEARCH_ENGINES } from './search-engines.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;

export const webSearch = defineOperation({
  name: 'web.search',
  summary: 'Looks something up on the web.',
  input: z.strictObject({ query: z.string(), limit: z.int().min(1) }),
  output: z.strictObject({
    query: z.string(),
    provider: z.string().describe('Who answered'),
    results: z.array(foundSchema),
  }),
  permissions: ['net.connect'],
  effect: 'network',
  access({ query, limit }, { searchProviders }) {
    if (query.trim() === '') throw new Failure('E_INVALID_ARGS', 'The query is empty.');
    return searchProviders.map((provider) => {
      const { url } = requestTo(provider, query, limit, '');
      return { permission: 'net.connect', resource: hostOf(url), url: url.href };
    });
  },
  async run({ query, limit }, { web, workspace, signal }) {
    const troubles: string[] = [];
    for (const provider of workspace.searchProviders) {
      try {
        const results = await resultsOf(provider, query, limit, web);
        return { query, provider: provider.provider, results: results.slice(0, limit) };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Failure)) throw error;
        troubles.push(`${provider.provider}: ${error.message}`);
      }
    }
    throw new Failure('E_IO', `No search engine gave an answer. ${troubles.join(' ')}`, {
      hint: 'Others can be named in the settings, under web.search.',
    });
  },
});

async function resultsOf(
  provider: SearchProvider,
  query: string,
  limit: number,
  web: ScopedWeb,
): Promise<Found[]> {
  const engine = SEARCH_ENGINES[provider.provider];
  const key = provider.keyVariable === undefined ? undefined : web.keyOf(provider.keyVariable);
  if (engine.needsKey && key === undefined)
    throw new Failure(
      'E_UNSUPPORTED',
      `It needs a key, in ${provider.keyVariable ?? 'a variable that keyVariable names'}.`,
    );
  const request = requestTo(provider, query, limit, key ?? '');
  const headers = { accept: 'application/json', 'user-agent': 'handrail', ...request.headers };
  const { status, body } = await web.ask({ ...request, headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  // DuckDuckGo answers 202 while it is still looking.
  if (status < 200 || status > 299) throw new Failure('E_IO', `It answered with status ${status}.`);
  try {
    return engine.results(JSON.parse(Buffer.from(body).toString()));
  } catch (cause) {
    throw new Failure('E_IO', 'Its answer is none that can be read.', { cause });
  }
}

function requestTo({ provider, endpoint }: SearchProvider, query: string, limit: number, key: string) {
  const engine = SEARCH_ENGINES[provider];
  const address = endpoint ?? engine.endpoint;
  if (address === undefined)
    throw new Failure('E_UNSUPPORTED', `The settings say no endpoint for ${provider}.`);
  return engine.request(webUrl(address), query, limit, key);
}
