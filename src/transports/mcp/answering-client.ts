/**
 * A client from 2026-07-28 on: a server can't send it requests. It gets a question in place of a result, and sends the
 * call again with the answer.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canElicit } from './asking-client.ts';
import { ParkedCall, type ParkedCalls } from './parked-call.ts';
import { INVALID_PARAMS, RpcError } from './rpc-peer.ts';
import type { Client } from './tool-requests.ts';

type Context = ServerContext['mcpReq'];

/** A client that comes back with its answer. It has no roots to ask for: tools are listed before anything can be asked. */
export function answeringClient(parked: ParkedCalls<CallToolResult>): Client<Context> {
  return {
    roots: async () => [],
    async call(params, context, run) {
      if (!canElicit(declaredBy(context))) return run({}, context.signal);
      const what = JSON.stringify([params.name, params.arguments]);
      const state = context.requestState<string>();
      const call = state === undefined ? new ParkedCall(what, run) : parked.take(state, what);
      if (call === undefined)
        throw new RpcError(INVALID_PARAMS, 'This question is not open any more. Send the call anew.');
      using _following = call.follow(context.signal);
      const response = inputResponse(context.inputResponses, 'approval');
      if (response.kind === 'elicit' && state !== undefined) call.answer(state, response);
      const next = await call.next();
      if ('result' in next) return next.result;
      parked.park(next.id, call);
      const approval = inputRequired.elicit(next.form);
      return inputRequired({ inputRequests: { approval }, requestState: next.id });
    },
  };
}

/** What the client can do, as it says with every request. */
function declaredBy({ envelope = {} }: Context): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities>>)[CLIENT_CAPABILITIES_META_KEY];
}
