/** Clients that do not open with `initialize`, and the eras they may speak, by the SDK. Loaded for them alone: it is large. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Connection } from './connection.ts';
import { mcpServer } from './mcp-server.ts';
import type { StdioLines } from './stdio-lines.ts';

/** Serves what comes on lines that are open already, and first what has come on them. */
export function serveBySdk(
  lines: StdioLines,
  come: readonly JSONRPCMessage[],
  connection: Connection,
  { version, onError }: { readonly version: string; readonly onError: (error: Error) => void },
): void {
  const transport: Transport = {
    async start() {
      lines.onmessage = (message) => transport.onmessage?.(message);
      lines.onclose = () => transport.onclose?.();
    },
    send: (message) => lines.send(message),
    close: () => lines.close(),
  };
  serveStdio(({ era }) => mcpServer(connection, { era, version }), { transport, onerror: onError });
  for (const message of come) transport.onmessage?.(message);
}
