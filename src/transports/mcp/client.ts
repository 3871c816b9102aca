/**
 * How a client is asked. Up to 2025-11-25 a server sends its client requests in the middle of a call. From 2026-07-28 on
 * it can't: it gives the question back in place of a result, and the client sends the call again with the answer.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Approver } from '../../policy/approvals.ts';
import { notAsked, toAnswer, toForm } from './approval-form.ts';
import type { RootsOf } from './connection.ts';
import { ParkedCall, type ParkedCalls } from './parked-call.ts';

export interface Client {
  readonly roots: RootsOf;
  /** Has a call made, with an approver where the client can be asked. */
  call(
    params: CallToolRequest['params'],
    context: ServerContext,
    run: (approve: Approver | undefined, signal: AbortSignal) => Promise<CallToolResult>,
  ): Promise<CallToolResult | InputRequiredResult>;
}

/** Wider than the protocol's: clients also name roots that are no files. */
const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** The longest that a timer can wait; a question ends by its own time. */
const NO_TIMEOUT = 2_147_483_647;

/** A client that takes requests. */
export function askingClient(server: Server): Client {
  return {
    async roots() {
      if (server.getClientCapabilities()?.roots === undefined) return [];
      const { roots } = await server.request({ method: 'roots/list' }, rootsSchema);
      return roots.map(({ uri }) => uri);
    },
    call(_params, { mcpReq }, run) {
      const approve: Approver = async (request, signal) => {
        const elicitation = { method: 'elicitation/create', params: toForm(request) } as const;
        try {
          return toAnswer(await mcpReq.send(elicitation, { signal, timeout: NO_TIMEOUT }), request);
        } catch (error) {
          signal.throwIfAborted();
          return notAsked(error);
        }
      };
      return run(canElicit(server.getClientCapabilities()) ? approve : undefined, mcpReq.signal);
    },
  };
}

/** A client that comes back with its answer. It has no roots to ask for: tools are listed before anything can be asked. */
export function answeringClient(parked: ParkedCalls<CallToolResult>): Client {
  return {
    roots: async () => [],
    async call(params, { mcpReq }, run) {
      if (!canElicit(declaredBy(mcpReq))) return run(undefined, mcpReq.signal);
      const what = JSON.stringify([params.name, params.arguments]);
      const state = mcpReq.requestState<string>();
      const call = state === undefined ? new ParkedCall(what, run) : parked.take(state, what);
      if (call === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'This question is not open any more. Send the call anew.',
        );
      using _following = call.follow(mcpReq.signal);
      const response = inputResponse(mcpReq.inputResponses, 'approval');
      if (response.kind === 'elicit') return await call.answer((question) => toAnswer(response, question));
      const next = await call.next();
      if ('result' in next) return next.result;
      parked.park(call);
      const approval = inputRequired.elicit(toForm(next.question));
      return inputRequired({ inputRequests: { approval }, requestState: call.id });
    },
  };
}

/** What the client can do, as it says with every request. */
function declaredBy({ envelope = {} }: ServerContext['mcpReq']): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities>>)[CLIENT_CAPABILITIES_META_KEY];
}

/** Whether a client shows forms; one that names no kind of elicitation does. */
function canElicit(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
