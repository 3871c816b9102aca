/** MCP on this process's stdin and stdout. Nothing else may write to stdout; the end of stdin is the end of it. */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { shown } from '../../shown.ts';
import { ClientWorkspace, type ClientWorkspaceOptions } from './client-workspace.ts';
import { Connection } from './connection.ts';
import { MAX_MESSAGE_BYTES, mcpServer } from './mcp-server.ts';

export interface StdioOptions extends ClientWorkspaceOptions {
  readonly version: string;
  /** Takes what people should know. */
  readonly log: (line: string) => void;
}

const MAX_LOGGED = 500;

/** Serves one client until it leaves, or the signal fires. */
export async function serveMcpOnStdio(options: StdioOptions, stop: AbortSignal): Promise<void> {
  await using workspace = new ClientWorkspace(options);
  // A workspace that can't be one is said at once, before there is a client that waits for an answer.
  if (options.workspace !== undefined) await workspace.runtime(async () => []);
  await using connection = new Connection((roots) => workspace.runtime(roots));
  const transport = new ClosingTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const served = serveStdio(({ era }) => mcpServer(connection, { era, version: options.version }), {
    transport,
    onerror: ({ message }) => options.log(`handrail: ${shown(message.slice(0, MAX_LOGGED))}`),
  });
  const end = (): void => void served.close();
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  await transport.closed;
}

/** Says when it is over, whoever ended it. */
class ClosingTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}
