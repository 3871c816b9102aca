/** `web.fetch`: what is at an address, as text. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { hostOf, webUrl } from '../../host/web-url.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { decodeText, isHtml } from './decode-text.ts';

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.9, */*;q=0.5',
  'user-agent': 'handrail',
};

export const webFetch = defineOperation({
  name: 'web.fetch',
  summary: 'Fetches an address of the web as text.',
  input: z.strictObject({
    url: z.string(),
    isReadable: z.boolean().describe('Whether the text of a page is wanted, as Markdown, and not its source'),
    isSuccessOnly: z.boolean().describe('Whether an answer other than 2xx is a failure'),
    maxBytes: z.int().min(1),
    timeoutMs: z.int().min(1),
  }),
  output: z.strictObject({
    url: z.string(),
    finalUrl: z.string().describe('The address that answered in the end'),
    status: z.int(),
    contentType: z.string(),
    title: z.string().optional().describe('Of a page that was made readable'),
    text: z.string(),
  }),
  permissions: ['net.connect'],
  effect: 'network',
  access: ({ url }) => {
    const address = webUrl(url);
    return [{ permission: 'net.connect', resource: hostOf(address), url: address.href }];
  },
  troubleOf: ({ status }) => (status < 400 ? undefined : wrongStatus(status)),

  async run({ url, isReadable, isSuccessOnly, maxBytes, timeoutMs }, { web }) {
    const request = { url: webUrl(url), headers: HEADERS, maxBytes, timeoutMs, isFollowed: true };
    const { url: finalUrl, status, headers, body } = await web.ask(request);
    if (isSuccessOnly && (status < 200 || status > 299)) throw wrongStatus(status);
    const contentType = headers['content-type'] ?? '';
    const source = await decodeText(body, contentType);
    const answer = { url, finalUrl, status, contentType };
    if (!isReadable || !isHtml(contentType, source)) return { ...answer, text: source };
    const { title, markdown } = await web.readable(source, finalUrl);
    return { ...answer, title, text: markdown };
  },
});

function wrongStatus(status: number): Failure {
  return new Failure('E_IO', `The server answered with status ${status}.`);
}
