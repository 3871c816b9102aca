/** The tables of the web, against a server of this machine that a rule names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { userConfigFile } from '../../src/config/load.ts';
import type { RuntimeOptions } from '../../src/index.ts';
import type { TempWorkspace } from '../support/temp-workspace.ts';
import { webServer } from '../support/web-server.ts';
import { tenasData } from './replies.ts';
import { type Case, NOT_PRESENTED, type Table } from './table.ts';

const RESULTS = [{ title: 'One', url: 'https://one.example/', snippet: 'The first' }];
const ANSWER = JSON.stringify({
  results: [{ title: 'One', url: 'https://one.example/', content: 'The first' }],
});

const ORIGIN = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) as string;

/** Serves for as long as the tests of this file run, and no longer than their process. */
const server = webServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
});

/** Settings that name the server as a search engine, and a rule that lets it be reached. */
async function settings({ locations }: TempWorkspace): Promise<Partial<RuntimeOptions>> {
  const { origin } = await server;
  const file = userConfigFile(locations);
  mkdirSync(dirname(file), { recursive: true });
  const rules = [{ action: 'allow', permission: 'net.connect', host: '127.0.0.1' }];
  writeFileSync(
    file,
    JSON.stringify({ web: { search: [{ provider: 'searxng', endpoint: origin }] }, rules }),
  );
  return { readConfig: true };
}

const fetching = (tool: string, reply: unknown): Case => ({
  tool,
  settings,
  args: async () => ({ url: (await server).origin }),
  reply: () => reply,
});

const webFetch: Table = {
  handrail: fetching('web_fetch', {
    ok: true,
    url: ORIGIN,
    status: 200,
    content_type: 'application/json',
    content: ANSWER,
  }),
  coder: NOT_PRESENTED,
  tenas: fetching(
    'web-fetch',
    tenasData({ url: ORIGIN, status: 200, contentType: 'application/json', content: ANSWER }),
  ),
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const webSearch: Table = {
  handrail: {
    tool: 'web_search',
    settings,
    args: { query: 'first' },
    reply: () => ({ ok: true, query: 'first', results: RESULTS }),
  },
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'web-search',
    settings,
    args: { query: 'first' },
    reply: () => tenasData({ query: 'first', results: RESULTS }),
  },
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const timeNow: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  tenas: {
    tool: 'time-now',
    args: { timezone: 'UTC' },
    reply: () =>
      tenasData({
        iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/) as string,
        unixMs: expect.any(Number) as number,
        timeZone: 'UTC',
      }),
  },
  clude: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

export const webTables: Readonly<Record<string, Table>> = {
  'time.now': timeNow,
  'web.fetch': webFetch,
  'web.search': webSearch,
};
