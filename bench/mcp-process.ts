/** MCP servers over stdio, ours and a peer's that is installed for the run, spoken to by hand-written JSON-RPC: the cheapest client there is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installPeer } from './install-peer.ts';

const BARE = fileURLToPath(new URL('bare-server.ts', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../bin/handrail.js', import.meta.url));

export class McpProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>();
  #last = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { id, ...answer } = JSON.parse(line);
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  /** `@modelcontextprotocol/server-filesystem` on a folder. */
  static async filesystem(folder: string): Promise<McpProcess> {
    const place = await installPeer('@modelcontextprotocol/server-filesystem', '2026.8.31');
    return McpProcess.#start([join(place, 'dist/index.js'), folder], process.env);
  }

  /** `handrail mcp` on a folder, as it was built. */
  static handrail(folder: string, env: NodeJS.ProcessEnv): Promise<McpProcess> {
    return McpProcess.#start([LAUNCHER, 'mcp', '--workspace', folder], env);
  }

  /** A server that does nothing but read. */
  static bare(): Promise<McpProcess> {
    return McpProcess.#start([BARE], process.env);
  }

  static async #start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<McpProcess> {
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const server = new McpProcess(child);
    await server.#ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    server.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return server;
  }

  async call(name: string, args: object): Promise<void> {
    const result = (await this.#ask('tools/call', { name, arguments: args })) as { isError?: boolean };
    if (result.isError === true) throw new Error(`A measured call failed: ${JSON.stringify(result)}`);
  }

  /** What a model is told of each tool, as JSON. */
  async tools(): Promise<string[]> {
    const { tools } = (await this.#ask('tools/list', {})) as { tools: Readonly<Record<string, unknown>>[] };
    return tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema }),
    );
  }

  /** How much memory of the machine it takes, in megabytes. */
  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    const answered = new Promise<{ result?: unknown; error?: { message: string } }>((resolve) =>
      this.#waiting.set(id, resolve),
    );
    this.#send({ jsonrpc: '2.0', id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  #send(message: object): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }
}
