/** What was piped into a command. */
import { UsageError } from './exit-code.ts';

/** All of stdin, which must be text. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('what stdin holds is not UTF-8.');
  }
}
