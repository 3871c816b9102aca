/** A model behind a real HTTP endpoint on loopback that follows a script. Speaks OpenAI's chat completions, streamed and whole. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One reply of the model. */
export interface ModelReply {
  readonly text?: string;
  /** What it thinks before; `reasoning_content` on the wire. */
  readonly thought?: string;
  readonly calls?: readonly ModelCall[];
  /** The API refuses instead. */
  readonly refusal?: { readonly status: number; readonly message: string; readonly headers?: object };
  /** The connection breaks after what was said so far. */
  readonly isCut?: boolean;
  /** Nothing more comes after what was said so far, until the client goes away. */
  readonly hangs?: boolean;
  readonly usage?: { readonly input: number; readonly output: number };
}

export interface ModelCall {
  readonly tool: string;
  /** Text stands as it is, be it JSON or not. */
  readonly args: object | string;
  /** Made up where there is none. */
  readonly id?: string;
}

/** A request as the client sent it. */
export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: object };
  }[];
  /** What the client let know by its headers. */
  readonly authorization: string | undefined;
}

export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ScriptedModel extends AsyncDisposable {
  /** What an OpenAI-compatible client takes as its base. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** The content of the newest message of the newest request, as text. */
  readonly lastHeard: string;
}

/** A reply for each request in turn; when they are used up, `Done.`. Or a function of the request. */
export type Script = readonly ModelReply[] | ((request: ModelRequest, number: number) => ModelReply);

/** Listens until it is disposed. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (!incoming.url?.endsWith('/chat/completions')) return void outgoing.writeHead(404).end();
    const body = JSON.parse(await textOf(incoming)) as ModelRequest;
    const request = { ...body, authorization: incoming.headers.authorization };
    const number = requests.push(request) - 1;
    const reply = typeof script === 'function' ? script(request, number) : script[number];
    send(outgoing, request, reply ?? { text: 'Done.' }, number);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => void outgoing.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get lastHeard() {
      const content = requests.at(-1)?.messages.at(-1)?.content ?? '';
      return typeof content === 'string' ? content : JSON.stringify(content);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function send(outgoing: ServerResponse, request: ModelRequest, reply: ModelReply, number: number): void {
  const { refusal } = reply;
  if (refusal !== undefined) {
    outgoing.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
    return void outgoing.end(JSON.stringify({ error: { message: refusal.message, type: 'scripted' } }));
  }
  const calls = (reply.calls ?? []).map(({ tool, args, id }, index) => ({
    index,
    id: id ?? `call_${number}_${index}`,
    type: 'function',
    function: { name: tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const head = { id: `chat_${number}`, created: 1, model: request.model };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = toUsage(reply.usage);
  if (request.stream !== true) {
    const { text: content = null, thought: reasoning_content } = reply;
    const called = calls.length > 0 ? { tool_calls: calls } : {};
    const message = { role: 'assistant', content, reasoning_content, ...called };
    const choices = [{ index: 0, message, finish_reason }];
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    return void outgoing.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (choices: readonly object[], rest: object = {}): void =>
    void outgoing.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...rest })}\n\n`,
    );
  for (const delta of deltasOf(reply, calls)) chunk([{ index: 0, delta, finish_reason: null }]);
  // What was said is on its way before the connection breaks.
  if (reply.isCut === true) return void outgoing.write('\n', () => outgoing.socket?.end());
  if (reply.hangs === true) return;
  chunk([{ index: 0, delta: {}, finish_reason }]);
  chunk([], { usage });
  outgoing.end('data: [DONE]\n\n');
}

/** The pieces in which a reply comes: texts and arguments in halves. */
function* deltasOf({ text = '', thought = '' }: ModelReply, calls: readonly WireCall[]): Generator<object> {
  for (const piece of halves(thought)) yield { role: 'assistant', reasoning_content: piece };
  for (const piece of halves(text)) yield { role: 'assistant', content: piece };
  for (const call of calls) {
    const { index, function: called } = call;
    yield { tool_calls: [{ ...call, function: { ...called, arguments: '' } }] };
    for (const piece of halves(called.arguments))
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

interface WireCall {
  readonly index: number;
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

function toUsage({ input, output }: NonNullable<ModelReply['usage']> = { input: 10, output: 5 }): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
