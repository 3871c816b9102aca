/** MCP on this process's stdin and stdout. Nothing else may write to stdout; the end of stdin is the end of it. */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { shown } from '../../shown.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { mcpServer } from './mcp-server.ts';

export interface StdioOptions extends ConnectionOptions {
  readonly version: string;
  /** Takes what people should know. */
  readonly log: (line: string) => void;
}

/** The largest arguments that tools take, however their characters are written in JSON. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const MAX_LOGGED = 500;

/** Serves one client until it leaves, or the signal fires. */
export async function serveMcpOnStdio(options: StdioOptions, stop: AbortSignal): Promise<void> {
  await using connection = new Connection(options);
  // A workspace that can't be one is said at once, before there is a client that waits for an answer.
  if (options.workspace !== undefined) await connection.runtime(async () => []);
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
