/** The web in `handrail`. */
import { z } from 'zod';
import { webFetch } from '../../capabilities/web/fetch.ts';
import { webSearch } from '../../capabilities/web/search.ts';
import { cutFields, cutShape } from '../coder/cut-output.ts';
import { defineTool } from '../dialect.ts';

/** What a model reads at once; the rest is paged. */
const REPLY_BYTES = 50 * 1024;

export const webFetchTool = defineTool({
  name: 'web_fetch',
  version: '1.0.0',
  description: 'Fetch a web page as Markdown, or any text from a URL. Public hosts only; text up to 5 MB.',
  args: z.strictObject({
    url: z.string(),
    raw: z.boolean().optional().describe('The source of the page'),
  }),
  returns: z.object({
    ok: z.boolean().describe('Whether the status is below 400'),
    url: z.string().describe('The one that answered, after redirections'),
    status: z.int(),
    content_type: z.string(),
    title: z.string().optional(),
    content: z.string(),
    ...cutShape,
  }),
  operation: webFetch,
  toInput: ({ url, raw }) => ({
    url,
    isReadable: raw !== true,
    isSuccessOnly: false,
    maxBytes: 5 * 1024 * 1024,
    timeoutMs: 30_000,
  }),
  replyBytes: REPLY_BYTES,
  render: ({ finalUrl, status, contentType, title, text }, { truncation }) => ({
    ok: status < 400,
    url: finalUrl,
    status,
    content_type: contentType,
    ...(title === undefined ? {} : { title }),
    content: text,
    ...cutFields(truncation),
  }),
});

export const webSearchTool = defineTool({
  name: 'web_search',
  version: '1.0.0',
  description: 'Search the web.',
  args: z.strictObject({
    query: z.string(),
    limit: z.int().min(1).max(20).optional().describe('8 by default'),
  }),
  returns: z.object({
    ok: z.literal(true),
    query: z.string(),
    results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().optional() })),
    ...cutShape,
  }),
  operation: webSearch,
  toInput: ({ query, limit }) => ({ query, limit: limit ?? 8 }),
  render: ({ query, results }, { truncation }) => ({ ok: true, query, results, ...cutFields(truncation) }),
});
