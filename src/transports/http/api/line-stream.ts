/** Lines as the body of an answer, read as fast as they are taken, and no further. */
import type { Context } from 'hono';
import { stream } from 'hono/streaming';

export function lineStream(context: Context, lines: AsyncIterable<string>): Response {
  context.header('content-type', 'application/x-ndjson');
  return stream(context, async (body) => {
    for await (const chunk of chunks(lines)) {
      if (body.aborted) return;
      await body.write(chunk);
    }
  });
}

/** A write for each line would be slow. */
const CHUNK_CHARACTERS = 64 * 1024;

async function* chunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
