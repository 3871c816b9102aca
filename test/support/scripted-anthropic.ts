/** A model behind a real HTTP endpoint on loopback that follows a script, and speaks Anthropic's messages, streamed. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelReply } from './scripted-model.ts';

export interface AnthropicRequest {
  readonly model: string;
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly Record<string, unknown>[];
  }[];
  readonly tools: readonly { readonly name: string; readonly input_schema: object }[];
  readonly key: string | undefined;
}

export interface ScriptedAnthropic extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly AnthropicRequest[];
}

/** Listens until it is disposed; a reply for each request in turn. */
export async function scriptedAnthropic(script: readonly ModelReply[]): Promise<ScriptedAnthropic> {
  const requests: AnthropicRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as AnthropicRequest;
      const key = incoming.headers['x-api-key'];
      const number = requests.push({ ...body, key: String(key) }) - 1;
      send(outgoing, script[number] ?? { text: 'Done.' }, number);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function send(outgoing: ServerResponse, { text, calls = [], usage }: ModelReply, number: number): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: object): void =>
    void outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const input_tokens = usage?.input ?? 10;
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  event('message_start', {
    message: {
      ...message,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens, output_tokens: 0 },
    },
  });
  const blocks = [
    ...(text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map(({ tool: name, args, id = `toolu_${number}` }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      delta: {
        type: 'input_json_delta',
        partial_json: typeof args === 'string' ? args : JSON.stringify(args),
      },
    })),
  ];
  for (const [index, { start, delta }] of blocks.entries()) {
    event('content_block_start', { index, content_block: start });
    event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  }
  event('message_delta', {
    delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: usage?.output ?? 5 },
  });
  event('message_stop', {});
  outgoing.end();
}
