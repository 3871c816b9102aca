/** What each search engine wants to be asked, and what it answers. */
import { z } from 'zod';
import type { SearchProviderName } from '../../search-providers.ts';

export const foundSchema = z.strictObject({
  title: z.string(),
  url: z.string(),
  snippet: z.string().optional(),
});
export type Found = z.infer<typeof foundSchema>;

export interface SearchRequest {
  readonly url: URL;
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface SearchEngine {
  /** Its own address; undefined for one that everybody runs for themselves. */
  readonly endpoint: string | undefined;
  readonly needsKey: boolean;
  request(endpoint: URL, query: string, limit: number, key: string): SearchRequest;
  /** Fails where the answer has another shape. */
  results(answer: unknown): Found[];
}

const list = <Item extends z.ZodType>(item: Item) => z.array(item).optional().default([]);
const text = z.string().nullish();

/** Its answer to a question, and what belongs to it. */
const topic = z.object({ FirstURL: text, Text: text });
const duckduckgo = z.object({
  Heading: text,
  AbstractURL: text,
  AbstractText: text,
  Results: list(topic),
  RelatedTopics: list(topic.extend({ Topics: list(topic) })),
});
const searxng = z.object({ results: z.array(z.object({ title: text, url: text, content: text })) });
const brave = z.object({
  web: z.object({ results: list(z.object({ title: text, url: text, description: text })) }).nullish(),
});

export const SEARCH_ENGINES: Readonly<Record<SearchProviderName, SearchEngine>> = {
  duckduckgo: {
    endpoint: 'https://api.duckduckgo.com/',
    needsKey: false,
    request: (endpoint, query) => ({
      url: withQuery(endpoint, {
        q: query,
        format: 'json',
        no_html: '1',
        no_redirect: '1',
        skip_disambig: '1',
      }),
    }),
    results(answer) {
      const { Heading, AbstractURL, AbstractText, Results, RelatedTopics } = duckduckgo.parse(answer);
      const topics = [...Results, ...RelatedTopics.flatMap((related) => [related, ...related.Topics])];
      return found([
        [Heading, AbstractURL, AbstractText],
        ...topics.map(({ FirstURL, Text }): Row => [Text?.split(' - ')[0], FirstURL, Text]),
      ]);
    },
  },
  searxng: {
    endpoint: undefined,
    needsKey: false,
    request: (endpoint, query) => ({
      url: withQuery(below(endpoint, 'search'), { q: query, format: 'json' }),
    }),
    results: (answer) =>
      found(searxng.parse(answer).results.map(({ title, url, content }) => [title, url, content])),
  },
  brave: {
    endpoint: 'https://api.search.brave.com/res/v1/web/search',
    needsKey: true,
    request: (endpoint, query, limit, key) => ({
      url: withQuery(endpoint, { q: query, count: String(limit) }),
      headers: { 'x-subscription-token': key },
    }),
    results: (answer) =>
      found(
        (brave.parse(answer).web?.results ?? []).map(({ title, url, description }) => [
          title,
          url,
          description,
        ]),
      ),
  },
  tavily: {
    endpoint: 'https://api.tavily.com/search',
    needsKey: true,
    request: (url, query, limit, key) => ({
      url,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: limit }),
    }),
    results: (answer) =>
      found(searxng.parse(answer).results.map(({ title, url, content }) => [title, url, content])),
  },
};

type Row = readonly [
  title: string | null | undefined,
  url: string | null | undefined,
  snippet: string | null | undefined,
];

/** What has an address counts; without a title that is its title. */
function found(rows: readonly Row[]): Found[] {
  return rows.flatMap(([title, url, snippet]) =>
    url ? [{ title: plain(title ?? '') || url, url, ...(snippet ? { snippet: plain(snippet) } : {}) }] : [],
  );
}

/** Engines mark the words that were looked for. */
function plain(marked: string): string {
  return marked.replaceAll(/<\/?(?:strong|b|em)>/g, '').trim();
}

function withQuery(endpoint: URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function below(endpoint: URL, name: string): URL {
  const url = new URL(endpoint);
  if (!url.pathname.endsWith(`/${name}`)) url.pathname = url.pathname.replace(/\/?$/, `/${name}`);
  return url;
}
