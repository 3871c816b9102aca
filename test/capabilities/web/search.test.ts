/** Search engines of every kind, as servers of this machine that answer as they do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { userConfigFile } from '../../../src/config/load.ts';
import type { SearchProvider } from '../../../src/search-providers.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { type WebServer, webServer } from '../../support/web-server.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** An engine that gives one answer, and remembers what it was asked. */
async function engine(answer: unknown, status = 200): Promise<WebServer & { requests: Asked[] }> {
  const requests: Asked[] = [];
  const server = await webServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return { ...server, requests };
}

/** What a search finds where the user's settings name these engines. */
async function search(
  workspace: TempWorkspace,
  providers: readonly SearchProvider[],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const file = userConfigFile(workspace.locations);
  mkdirSync(dirname(file), { recursive: true });
  const rules = [{ action: 'allow', permission: 'net.connect', host: '127.0.0.1' }];
  writeFileSync(file, JSON.stringify({ web: { search: providers }, rules }));
  const runtime = await workspace.runtime({ dialect: 'tenas', readConfig: true, environment });
  return (await runtime.call('web-search', { query: 'a b', limit: 2 })).reply;
}

const FOUND = [
  { title: 'One', url: 'https://one.example/', snippet: 'The first' },
  { title: 'Two', url: 'https://two.example/', snippet: 'The second' },
];
const found = { ok: true, data: { query: 'a b', results: FOUND } };
const LISTED = [...FOUND, { title: 'Three', url: 'https://three.example/', snippet: 'The third' }].map(
  ({ title, url, snippet }) => ({ title, url, content: snippet }),
);

describe('web.search', () => {
  it('asks DuckDuckGo for JSON', async () => {
    await using server = await engine({
      Heading: 'One',
      AbstractURL: 'https://one.example/',
      AbstractText: 'The first',
      Results: [],
      RelatedTopics: [
        { Name: 'Others', Topics: [{ FirstURL: 'https://two.example/', Text: 'Two - The second' }] },
        { FirstURL: 'https://three.example/', Text: 'Three' },
      ],
    });
    await using workspace = tempWorkspace();
    const two = { ...FOUND[1], snippet: 'Two - The second' };
    expect(await search(workspace, [{ provider: 'duckduckgo', endpoint: server.origin }])).toEqual({
      ok: true,
      data: { query: 'a b', results: [FOUND[0], two] },
    });
    expect(server.requests[0]?.path).toBe('/?q=a+b&format=json&no_html=1&no_redirect=1&skip_disambig=1');
  });

  it('asks a SearXNG of the user', async () => {
    await using server = await engine({ results: LISTED });
    await using workspace = tempWorkspace();
    expect(await search(workspace, [{ provider: 'searxng', endpoint: `${server.origin}/x/` }])).toEqual(
      found,
    );
    expect(server.requests[0]?.path).toBe('/x/search?q=a+b&format=json');
  });

  it('asks Brave with a key', async () => {
    const results = [
      { title: 'One', url: 'https://one.example/', description: 'The <strong>first</strong>' },
      { title: 'Two', url: 'https://two.example/', description: 'The second' },
    ];
    await using server = await engine({ web: { results } });
    await using workspace = tempWorkspace();
    const provider = { provider: 'brave', endpoint: `${server.origin}/q`, keyVariable: 'KEY' } as const;
    expect(await search(workspace, [provider], { KEY: 'the key', OTHER: 'not this' })).toEqual(found);
    expect(server.requests[0]).toMatchObject({
      path: '/q?q=a+b&count=2',
      headers: { 'x-subscription-token': 'the key' },
    });
  });

  it('asks Tavily with a key', async () => {
    await using server = await engine({ results: LISTED });
    await using workspace = tempWorkspace();
    const provider = { provider: 'tavily', endpoint: server.origin, keyVariable: 'KEY' } as const;
    expect(await search(workspace, [provider], { KEY: 'the key' })).toEqual(found);
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer the key' },
      body: { query: 'a b', max_results: 2 },
    });
  });

  it('finds nothing where there is nothing', async () => {
    await using server = await engine({ Results: [], RelatedTopics: [], AbstractURL: '', Heading: '' });
    await using workspace = tempWorkspace();
    expect(await search(workspace, [{ provider: 'duckduckgo', endpoint: server.origin }])).toEqual({
      ok: true,
      data: { query: 'a b', results: [] },
    });
  });

  it('asks the next one where one gives no answer, and says what was wrong where none does', async () => {
    await using broken = await engine({ error: 'busy' }, 503);
    await using odd = await engine({ other: true });
    await using good = await engine({ results: LISTED });
    await using workspace = tempWorkspace();
    const searxng = ({ origin }: WebServer): SearchProvider => ({ provider: 'searxng', endpoint: origin });
    expect(await search(workspace, [searxng(broken), searxng(odd), searxng(good)])).toEqual(found);
    const keyed = { provider: 'brave', endpoint: good.origin, keyVariable: 'KEY' } as const;
    const gone = { provider: 'duckduckgo', endpoint: 'http://127.0.0.1:9/' } as const;
    expect(await search(workspace, [searxng(broken), searxng(odd), keyed, gone])).toMatchObject({
      ok: false,
      error: {
        code: 'E_IO',
        message: expect.stringMatching(
          /^No search engine gave an answer\. searxng: It answered with status 503\. searxng: Its answer .* brave: It needs a key, in KEY\. duckduckgo: 127\.0\.0\.1 gave no answer/,
        ) as string,
      },
    });
  });

  it('is denied an engine on the own network that no rule names', async () => {
    await using server = await engine({ results: LISTED });
    await using workspace = tempWorkspace();
    const provider = {
      provider: 'searxng',
      endpoint: server.origin.replace('127.0.0.1', '127.0.0.5'),
    } as const;
    expect(await search(workspace, [provider])).toMatchObject({
      ok: false,
      error: { code: 'E_POLICY_DENIED' },
    });
  });

  it('takes no engine from the settings of a workspace', async () => {
    await using workspace = tempWorkspace({
      '.handrail/config.jsonc': JSON.stringify({ web: { search: [{ provider: 'searxng' }] } }),
    });
    const runtime = await workspace.runtime({ dialect: 'tenas', readConfig: true });
    const { accesses } = await runtime.approvalRequest('web-search', { query: 'a' });
    expect(accesses.map(({ resource }) => resource)).toEqual(['api.duckduckgo.com']);
  });
});
