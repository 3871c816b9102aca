/** One MCP server for both eras of the protocol, spoken by the SDK: for every client but those that `initialize` on stdio. */
import { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answeringClient } from './answering-client.ts';
import { askingClient, NO_TIMEOUT } from './asking-client.ts';
import type { Connection } from './connection.ts';
import { identityOf } from './identity.ts';
import { callTool, listTools } from './tool-requests.ts';

/** A server for one connection; over HTTP, in the era without sessions, for one request of it. */
export function mcpServer(
  connection: Connection,
  { era, version }: { readonly era: 'legacy' | 'modern'; readonly version: string },
): Server {
  const { serverInfo, capabilities } = identityOf(version);
  const server = new Server(serverInfo, { capabilities });
  if (era === 'legacy') serveAsking(server, connection);
  else serveAnswering(server, connection);
  return server;
}

/** Wider than the protocol's: clients also name roots that are no files. */
const anything = z.looseObject({});

function serveAsking(server: Server, connection: Connection): void {
  const client = askingClient({
    capabilities: () => server.getClientCapabilities(),
    roots: () => server.request({ method: 'roots/list' }, anything),
  });
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    connection.logLevel = params.level;
    return {};
  });
  server.setRequestHandler('tools/list', (_request, { mcpReq }) =>
    listTools(connection, client.roots, mcpReq),
  );
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(connection, client, params, {
      _meta: mcpReq._meta,
      signal: mcpReq.signal,
      notify: (notification) => mcpReq.notify(notification),
      elicit: (form, signal) =>
        mcpReq.send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: NO_TIMEOUT }),
    }),
  );
}

function serveAnswering(server: Server, connection: Connection): void {
  const client = answeringClient(connection.parked);
  server.setRequestHandler('tools/list', (_request, { mcpReq }) =>
    listTools(connection, client.roots, mcpReq),
  );
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(connection, client, params, mcpReq),
  );
}
