/** The least that can answer: JSON-RPC on stdio that reads the file it is told to, with no protocol, policy or record. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly arguments: { readonly path: string } };
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line) as Request));

async function answer({ id, method, params }: Request): Promise<void> {
  if (id === undefined) return;
  const text = method === 'tools/call' ? await readFile(params.arguments.path, 'utf8') : '';
  const result = { content: [{ type: 'text', text }] };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
