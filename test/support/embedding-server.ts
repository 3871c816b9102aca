/** An endpoint that embeds texts as OpenAI's does: by the words in them, where words that mean the same count as one. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebServer, webServer } from './web-server.ts';

export interface EmbeddingServer extends WebServer {
  /** Up to and without `/embeddings`. */
  readonly endpoint: string;
  /** Every text that was sent, in order. */
  readonly texts: readonly string[];
  /** The headers of each request. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** What it answers with instead of vectors. */
  trouble: { status: number; body?: string; location?: string } | undefined;
}

const SIZE = 64;
const SAME = [
  ['delete', 'remove', 'erase', 'discard'],
  ['car', 'vehicle', 'automobile'],
  ['login', 'authenticate', 'signin'],
];

/** Starts one on this machine. */
export async function embeddingServer(): Promise<EmbeddingServer> {
  const texts: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const own = { trouble: undefined as EmbeddingServer['trouble'] };
  const server = await webServer(async (request, response) => {
    headers.push(request.headers);
    const { input } = JSON.parse(await text(request)) as { input: string[] };
    texts.push(...input);
    if (own.trouble !== undefined) {
      const { status, body = '', location } = own.trouble;
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
      return;
    }
    const data = input.map((one, index) => ({ index, embedding: vectorOf(one) }));
    // The order is not promised.
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: data.reverse() }));
  });
  return Object.assign(own, server, { endpoint: `${server.origin}/v1`, texts, headers });
}

function vectorOf(given: string): number[] {
  const vector = Array.from({ length: SIZE }, () => 0);
  for (const [name] of given.replaceAll(/([a-z])([A-Z])/g, '$1 $2').matchAll(/[a-z]{3,}/gi)) {
    const word = name.toLowerCase();
    const meaning = SAME.find((group) => group.includes(word))?.[0] ?? word;
    vector[createHash('sha256').update(meaning).digest()[0]! % SIZE]! += 1;
  }
  return vector;
}
