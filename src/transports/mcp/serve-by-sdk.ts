/** Clients that do not open with `initialize`, and the eras they may speak, by the SDK. Loaded for them alone: it is large. */
import { parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Connection } from './connection.ts';
import { mcpServer } from './mcp-server.ts';
import type { StdioLines } from './stdio-lines.ts';

/** Serves what comes on lines that are open already, and first what has come on them. */
export function serveBySdk(
  lines: StdioLines,
  come: readonly unknown[],
  connection: Connection,
  { version, error }: { readonly version: string; readonly error: (error: Error) => void },
): void {
  const transport: Transport = {
    async start() {
      lines.listener = { message: deliver, close: () => transport.onclose?.(), error };
    },
    send: async (message) => lines.send(message),
    close: async () => lines.close(),
  };
  const deliver = (message: unknown): void => {
    try {
      transport.onmessage?.(parseJSONRPCMessage(message));
    } catch (cause) {
      error(cause as Error);
    }
  };
  serveStdio(({ era }) => mcpServer(connection, { era, version }), { transport, onerror: error });
  for (const message of come) deliver(message);
}
