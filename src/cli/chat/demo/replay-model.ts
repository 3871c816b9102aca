/** The recorded model, as a provider of its own on loopback: the agent asks it as it would ask any other. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type RecordedReply, REPLIES, REPLY_TO_NO } from './recording.ts';

export interface ReplayModel extends AsyncDisposable {
  /** What an OpenAI-compatible client takes as its base. */
  readonly url: string;
}

/** As much of a request as the replay looks at. */
interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** Answers with the recorded replies, each as fast as `wordMs` a word. */
export async function startReplay(wordMs: number): Promise<ReplayModel> {
  const server = createServer((request, response) => {
    answer(request, response, wordMs).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, wordMs: number): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas(replyTo(messages))) {
    await setTimeout(wordMs);
    write(response, [{ index: 0, delta, finish_reason: null }]);
  }
  write(response, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  response.end('data: [DONE]\n\n');
}

/** The reply that comes next; another one where the person said no. */
function replyTo(messages: Asked['messages']): RecordedReply {
  const said = messages.filter(({ role }) => role === 'assistant').length;
  const isDenied = JSON.stringify(messages.at(-1)?.content ?? '').includes('denied');
  return (isDenied ? undefined : REPLIES[said]) ?? REPLY_TO_NO;
}

function* deltas({ thought = '', text, calls = [] }: RecordedReply): Generator<object> {
  for (const word of wordsOf(thought)) yield { role: 'assistant', reasoning_content: word };
  for (const word of wordsOf(text)) yield { role: 'assistant', content: word };
  for (const [index, { tool, args }] of calls.entries())
    yield {
      tool_calls: [
        {
          index,
          id: `${tool}_${index}`,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(args) },
        },
      ],
    };
}

function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? [];
}

function write(response: ServerResponse, choices: readonly object[]): void {
  const chunk = { id: 'replay', object: 'chat.completion.chunk', created: 1, model: 'replay', choices };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
