/** The SDK's own client on a server that was started for it, in either era of the protocol, on stdio or over HTTP. */
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { environmentOf, LAUNCHER } from './command-line.ts';
import { serve, type Serving } from './serve.ts';
import { type TempWorkspace, tempWorkspace } from './temp-workspace.ts';

export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** Every way to speak with a server. */
export const OVER = ['stdio', 'http'] as const;
export const WAYS = ERAS.flatMap((era) => OVER.map((over) => ({ era, over })));

/** A form that the client was asked to show. */
export interface ShownForm {
  readonly message: string;
  /** The answers that were offered to a question about permission. */
  readonly offered: readonly string[];
  /** What can be filled in, with what each field offers. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fires when the server no longer wants an answer. */
  readonly signal: AbortSignal;
}

export interface McpClientOptions {
  readonly era?: Era;
  /** `handrail mcp` on stdio, or `handrail serve` over HTTP. */
  readonly over?: (typeof OVER)[number];
  /** What follows the command. */
  readonly args?: readonly string[];
  /** Where it is started; the workspace by default. */
  readonly folder?: string;
  /** Folders that the client names as its roots. */
  readonly roots?: readonly string[];
  /** Answers forms; without it the client can't show any. */
  readonly answer?: (form: ShownForm) => ElicitResult | Promise<ElicitResult>;
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  readonly forms: readonly ShownForm[];
  /** What the server wrote for people. */
  stderr(): string;
}

/** Starts the server and connects to it. */
export async function connectMcp(
  workspace: TempWorkspace,
  { over = 'stdio', args = [], folder = workspace.root, ...options }: McpClientOptions = {},
): Promise<McpClient> {
  if (over === 'stdio') return connectOnStdio(workspace, { args, folder, ...options });
  const server = await serve(workspace, args, { folder });
  const connected = await connectToServer(server, options);
  return {
    ...connected,
    async [Symbol.asyncDispose]() {
      await connected[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A server over a workspace of its own, and a client of it. */
export async function connectedWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: McpClientOptions,
): Promise<McpClient & { readonly workspace: TempWorkspace }> {
  const workspace = tempWorkspace(files);
  const mcp = await connectMcp(workspace, options);
  return {
    ...mcp,
    workspace,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

async function connectOnStdio(
  workspace: TempWorkspace,
  {
    args,
    folder,
    ...options
  }: McpClientOptions & { readonly args: readonly string[]; readonly folder: string },
): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', ...args],
    cwd: folder,
    env: environmentOf(workspace),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { client, forms } = makeClient(options);
  await client.connect(transport);
  return {
    client,
    pid: transport.pid!,
    forms,
    stderr: () => stderr,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Connects to a server that runs already. */
export async function connectToServer(
  { mcpUrl, token, child, stderr }: Pick<Serving, 'mcpUrl' | 'token' | 'child' | 'stderr'>,
  options: McpClientOptions = {},
): Promise<McpClient> {
  const { client, forms } = makeClient(options);
  const transport = new StreamableHTTPClientTransport(mcpUrl, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    client,
    pid: child.pid!,
    forms,
    stderr,
    async [Symbol.asyncDispose]() {
      if (client.transport === undefined) return;
      await transport.terminateSession();
      await client.close();
    },
  };
}

function makeClient({ era, roots, answer }: McpClientOptions): { client: Client; forms: ShownForm[] } {
  const capabilities: ClientCapabilities = {
    ...(answer === undefined ? {} : { elicitation: { form: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
  const mode = era === '2026-07-28' ? 'auto' : 'legacy';
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  const forms: ShownForm[] = [];
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      if (!('requestedSchema' in params)) throw new Error('The server asked for something else than a form.');
      const properties = params.requestedSchema.properties as Record<string, { enum?: string[] }>;
      const fields = Object.fromEntries(
        Object.entries(properties).map(([name, { enum: offered = [] }]) => [name, offered]),
      );
      const form = {
        message: params.message,
        offered: fields['answer'] ?? [],
        fields,
        signal: mcpReq.signal,
      };
      forms.push(form);
      return answer(form);
    });
  }
  if (roots !== undefined)
    // By hand: the SDK's own handler holds back roots that are no files.
    client.fallbackRequestHandler = async ({ method }) =>
      method === 'roots/list' ? { roots: roots.map((uri) => ({ uri })) } : Promise.reject(new Error(method));
  return { client, forms };
}

/** Says yes to every form. */
export const sayOnce = (): ElicitResult => ({ action: 'accept', content: { answer: 'once' } });

/** The text that a result carries for clients that only read text. */
export function textOf({
  content,
}: {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}): string {
  return content.map(({ text = '' }) => text).join('');
}
