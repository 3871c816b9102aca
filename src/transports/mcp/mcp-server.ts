/** One MCP server for both eras of the protocol: lists tools, and makes calls. How its client is asked is the era's own. */
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { Failure } from '../../failure.ts';
import type { Approver } from '../../policy/approvals.ts';
import type { Runtime } from '../../runtime-types.ts';
import { type CallMeta, readCallMeta } from './call-meta.ts';
import { answeringClient, askingClient } from './client.ts';
import type { Connection } from './connection.ts';
import { type Progress, startProgress } from './progress.ts';
import { findTool, toTools } from './tool-list.ts';
import { toFailure, toResult } from './tool-result.ts';

/** The largest arguments that tools take, however their characters are written in JSON. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** A server for one connection; over HTTP, in the era without sessions, for one request of it. */
export function mcpServer(
  connection: Connection,
  { era, version }: { readonly era: 'legacy' | 'modern'; readonly version: string },
): Server {
  const identity = { name: 'handrail', title: 'Handrail', version };
  const server = new Server(identity, { capabilities: { tools: {} } });
  const client = era === 'legacy' ? askingClient(server) : answeringClient(connection.parked);
  server.setRequestHandler('tools/list', async () => {
    const runtime = await connection.runtime(client.roots).catch(explain);
    if (typeof runtime === 'string') throw new ProtocolError(ProtocolErrorCode.InternalError, runtime);
    return { tools: toTools(runtime.definitions()) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    using progress = startProgress(context);
    const meta = readCallMeta(context.mcpReq);
    return await client.call(params, context, async (approve, signal) => {
      const runtime = await connection.runtime(client.roots).catch(explain);
      if (typeof runtime === 'string') return toFailure(runtime);
      return callTool(runtime, connection, { params, meta, progress, approve, signal });
    });
  });
  return server;
}

interface ToolCall {
  readonly params: CallToolRequest['params'];
  readonly meta: CallMeta;
  readonly progress: Progress;
  readonly approve: Approver | undefined;
  readonly signal: AbortSignal;
}

async function callTool(
  runtime: Runtime,
  connection: Connection,
  { params, meta, progress, approve, signal }: ToolCall,
): Promise<CallToolResult> {
  const session = await connection.session(runtime, meta.session, meta.client);
  const tool = findTool(session.dialect, params.name);
  const call = runtime.call(tool?.name ?? params.name, params.arguments ?? {}, {
    session,
    turn: meta.turn,
    traceId: meta.traceId,
    signal: AbortSignal.any([signal, connection.closed]),
    approve,
    // Without signs of life it gives up, and may not even say so.
    canWait: progress.isHeard,
    listener({ type }) {
      if (type === 'approval-requested')
        progress.say('Waiting for an approval; `handrail approvals` shows the question');
      if (type === 'approval-answered' || type === 'output-added') progress.say('Running');
    },
  });
  return toResult(await connection.during(call), tool?.media);
}

/** Why there is no runtime, as text; bugs stay bugs. */
function explain(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
