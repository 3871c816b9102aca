/** The web in `tenas`: source text up to 1 MiB, and DuckDuckGo unless the settings say otherwise. */
import { z } from 'zod';
import { webFetch } from '../../capabilities/web/fetch.ts';
import { webSearch } from '../../capabilities/web/search.ts';
import { defineTool } from '../dialect.ts';

const MAX_BYTES = 1024 * 1024;

export const webFetchTool = defineTool({
  name: 'web-fetch',
  version: '1.0.0',
  description: 'Fetch an http or https address as raw text, up to 1 MiB. Public addresses only.',
  args: z.strictObject({ url: z.string() }),
  returns: z.object({
    url: z.string().describe('The one that answered, after redirections'),
    status: z.int(),
    contentType: z.string(),
    content: z.string(),
  }),
  operation: webFetch,
  toInput: ({ url }) => ({
    url,
    isReadable: false,
    isSuccessOnly: true,
    maxBytes: MAX_BYTES,
    timeoutMs: 15_000,
  }),
  // All of it must fit, however its characters are written in JSON.
  replyBytes: 7 * MAX_BYTES,
  render: ({ finalUrl, status, contentType, text }) => ({
    url: finalUrl,
    status,
    contentType,
    content: text,
  }),
});

export const webSearchTool = defineTool({
  name: 'web-search',
  version: '1.0.0',
  description: 'Search the web.',
  args: z.strictObject({
    query: z.string(),
    limit: z.int().min(1).max(20).optional().describe('8 by default'),
  }),
  returns: z.object({
    query: z.string(),
    results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().optional() })),
  }),
  operation: webSearch,
  toInput: ({ query, limit }) => ({ query, limit: limit ?? 8 }),
  render: ({ query, results }) => ({ query, results }),
});
