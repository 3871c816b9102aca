/** A model on loopback that follows a script: it calls one tool of Handrail, and is done when it has the result. Speaks the APIs of four vendors. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model is to call: the end of a tool's name as the client offers it, and the arguments. */
export interface Script {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** The names of all tools that the client offered. */
  readonly offered: ReadonlySet<string>;
  /** The tool that was called, by the name that the client gave it. */
  readonly called: string | undefined;
  /** Whether the client came back with the result of the call. */
  readonly hasResult: boolean;
  /** What was asked for and is no API that is known here. */
  readonly unknown: readonly string[];
}

type Json = any;

/** One event of a streamed reply; text stands as it is. */
type StreamEvent = readonly [name: string | undefined, data: object | string];

/** One vendor's API, as far as the script needs it. */
interface Api {
  readonly path: RegExp;
  readonly tools: (body: Json) => readonly OfferedTool[];
  readonly hasResult: (body: Json) => boolean;
  /** The events of a streamed reply. */
  readonly call: (tool: OfferedTool, args: object) => readonly StreamEvent[];
  readonly say: (text: string) => readonly StreamEvent[];
  /** Looks for tools that the client holds back until they are looked for. */
  readonly search?: (body: Json) => readonly StreamEvent[] | undefined;
  /** The same without streaming, where clients ask for that too. */
  readonly whole?: (text: string) => object;
}

interface OfferedTool {
  readonly name: string;
  readonly namespace?: string | undefined;
}

const USAGE = { input_tokens: 1, output_tokens: 1 };

const anthropic: Api = {
  path: /^\/v1\/messages(\?|$)/,
  tools: ({ tools = [] }) => tools,
  hasResult: ({ messages }) => hasToolResult(messages, 'toolu_call'),
  search: ({ tools = [], messages }) =>
    tools.some(({ name }: Json) => name === 'ToolSearch') && !hasToolResult(messages, 'toolu_search')
      ? anthropicMessage(
          { type: 'tool_use', id: 'toolu_search', name: 'ToolSearch', input: {} },
          'tool_use',
          {
            type: 'input_json_delta',
            partial_json: JSON.stringify({ query: 'handrail write', max_results: 5 }),
          },
        )
      : undefined,
  call: ({ name }, args) =>
    anthropicMessage({ type: 'tool_use', id: 'toolu_call', name, input: {} }, 'tool_use', {
      type: 'input_json_delta',
      partial_json: JSON.stringify(args),
    }),
  say: (text) => anthropicMessage({ type: 'text', text: '' }, 'end_turn', { type: 'text_delta', text }),
  whole: (text) => ({ ...ANTHROPIC_HEAD, content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
};

function hasToolResult(messages: Json, id: string): boolean {
  const isResult = ({ type, tool_use_id }: Json): boolean => type === 'tool_result' && tool_use_id === id;
  return messages.some(({ content }: Json) => Array.isArray(content) && content.some(isResult));
}

const ANTHROPIC_HEAD = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: USAGE,
};

function anthropicMessage(block: object, stop: string, delta: object): [string, object][] {
  const events: object[] = [
    { type: 'message_start', message: ANTHROPIC_HEAD },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ];
  return events.map((event) => [(event as { type: string }).type, event]);
}

const chatCompletions: Api = {
  path: /\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map((tool: Json) => tool.function),
  hasResult: ({ messages }) => messages.some(({ role }: Json) => role === 'tool'),
  call: ({ name }, args) => {
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    };
    return completion({ role: 'assistant', tool_calls: [call] }, 'tool_calls');
  },
  say: (text) => completion({ role: 'assistant', content: text }, 'stop'),
};

function completion(delta: object, reason: string): StreamEvent[] {
  const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
  return [
    [undefined, { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }],
    [undefined, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] }],
    [undefined, '[DONE]'],
  ];
}

const FOUND = 'tool_search_output';

const responses: Api = {
  path: /\/responses$/,
  tools: ({ tools = [], input = [] }) =>
    [...tools, ...input.flatMap(({ type, tools: found }: Json) => (type === FOUND ? found : []))].flatMap(
      (tool: Json) =>
        tool.type === 'namespace'
          ? tool.tools.map(({ name }: Json) => ({ name, namespace: tool.name }))
          : [{ name: tool.name ?? tool.type }],
    ),
  hasResult: ({ input = [] }) => input.some(({ type }: Json) => type === 'function_call_output'),
  search: ({ tools = [], input = [] }) =>
    tools.some(({ type }: Json) => type === 'tool_search') && !input.some(({ type }: Json) => type === FOUND)
      ? response({
          type: 'tool_search_call',
          id: 'search_1',
          call_id: 'search_1',
          execution: 'client',
          status: 'completed',
          arguments: { query: 'handrail write a file' },
        })
      : undefined,
  call: ({ name, namespace }, args) =>
    response({
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(args),
    }),
  say: (text) =>
    response({ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] }),
};

function response(item: object): [string, object][] {
  const usage = { ...USAGE, total_tokens: 2 };
  const events: object[] = [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', output: [item], usage } },
  ];
  return events.map((event) => [(event as { type: string }).type, event]);
}

const gemini: Api = {
  path: /:(stream)?[gG]enerateContent/,
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations),
  hasResult: ({ contents = [] }) =>
    contents.some(({ parts = [] }: Json) => parts.some((part: Json) => part.functionResponse !== undefined)),
  call: ({ name }, args) => candidate({ functionCall: { name, args } }),
  say: (text) => candidate({ text }),
  whole: (text) => candidate({ text })[0]![1],
};

function candidate(part: object): [undefined, object][] {
  const content = { role: 'model', parts: [part] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return [[undefined, { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }]];
}

const APIS = [anthropic, chatCompletions, responses, gemini];

/** Listens until it is disposed. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const offered = new Set<string>();
  const unknown: string[] = [];
  const seen = { called: undefined as string | undefined, hasResult: false };
  const server = createServer((request, reply) => {
    void answer(request, reply).catch((error: unknown) => {
      unknown.push(`${request.url}: ${String(error)}`);
      reply.writeHead(500).end();
    });
  });
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const api = APIS.find(({ path }) => path.test(request.url ?? ''));
    if (api === undefined || body === undefined) {
      unknown.push(`${request.method} ${request.url}`);
      return void reply
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"unknown"}}');
    }
    const tools = api.tools(body);
    for (const { name, namespace } of tools) offered.add(fullName(name, namespace));
    seen.hasResult ||= api.hasResult(body);
    const tool = tools.find(({ name, namespace }) => isMeant(fullName(name, namespace), script.tool));
    const isStreamed = body.stream === true || (request.url ?? '').includes('stream');
    if (!isStreamed && api.whole !== undefined) return sendWhole(reply, api.whole('Done.'));
    const search = tool === undefined ? api.search?.(body) : undefined;
    if (search !== undefined) return stream(reply, search);
    if (tool === undefined || api.hasResult(body)) return stream(reply, api.say('Done.'));
    seen.called = fullName(tool.name, tool.namespace);
    stream(reply, api.call(tool, script.args));
  };
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offered,
    unknown,
    get called() {
      return seen.called;
    },
    get hasResult() {
      return seen.hasResult;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function fullName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Clients put names of their own in front. */
function isMeant(offered: string, tool: string): boolean {
  return offered.includes('handrail') && new RegExp(`(^|[^a-z])${tool}$`).test(offered);
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function stream(reply: ServerResponse, events: readonly StreamEvent[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    reply.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }
  reply.end();
}

function sendWhole(reply: ServerResponse, data: object): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data));
}
