/** The server for clients that open with `initialize`: the protocol up to 2025-11-25, of which tools need little. */
import type { ClientCapabilities, Notification, RequestMeta } from '@modelcontextprotocol/server';
import type { FilledForm } from './approval-form.ts';
import { askingClient } from './asking-client.ts';
import { toLogLevel } from './client-log.ts';
import type { Connection } from './connection.ts';
import { identityOf } from './identity.ts';
import {
  INVALID_PARAMS,
  isRecord,
  METHOD_NOT_FOUND,
  RpcError,
  RpcPeer,
  type RpcPeerOptions,
  type ServedRequest,
} from './rpc-peer.ts';
import { callTool, type CallParams, listTools } from './tool-requests.ts';

/** Newest first: that is offered to a client who speaks none of them. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export interface InitializedServerOptions extends Pick<RpcPeerOptions, 'send' | 'onError'> {
  readonly version: string;
}

/** A server for one connection; give it every message of the client. */
export function initializedServer(connection: Connection, options: InitializedServerOptions): RpcPeer {
  let capabilities: ClientCapabilities | undefined;
  const client = askingClient({ capabilities: () => capabilities, roots: () => peer.request('roots/list') });
  const methods: Readonly<Record<string, (request: ServedRequest) => Promise<object>>> = {
    async initialize({ params }) {
      capabilities = isRecord(params['capabilities']) ? params['capabilities'] : {};
      const asked = VERSIONS.find((version) => version === params['protocolVersion']);
      return { protocolVersion: asked ?? VERSIONS[0], ...identityOf(options.version) };
    },
    ping: async () => ({}),
    async 'logging/setLevel'({ params }) {
      const level = toLogLevel(params['level']);
      if (level === undefined) throw new RpcError(INVALID_PARAMS, 'There is no such level.');
      connection.logLevel = level;
      return {};
    },
    'tools/list': ({ params }) => listTools(connection, client.roots, toWords(params)),
    'tools/call': async ({ params, signal }) =>
      callTool(connection, client, toCallParams(params), {
        ...toWords(params),
        signal,
        notify: async ({ method, params: said = {} }: Notification) => peer.notify(method, said),
        elicit: async (form, whileOpen) =>
          toFilledForm(await peer.request('elicitation/create', form, whileOpen)),
      }),
  };
  const peer = new RpcPeer({
    ...options,
    async serve(request) {
      const serve = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      if (serve === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
      return serve(request);
    },
  });
  return peer;
}

/** Whatever else is there is the peer's to check. */
function toWords({ _meta: meta }: ServedRequest['params']): { readonly _meta?: RequestMeta } {
  return isRecord(meta) ? { _meta: meta } : {};
}

function toCallParams({ name, arguments: args, _meta }: ServedRequest['params']): CallParams {
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'The name of a tool is a text.');
  if (args !== undefined && !isRecord(args))
    throw new RpcError(INVALID_PARAMS, 'The arguments of a call are an object.');
  if (_meta !== undefined && !isRecord(_meta)) throw new RpcError(INVALID_PARAMS, '_meta is an object.');
  return { name, ...(args === undefined ? {} : { arguments: args }) };
}

/** An answer that is none is a question that could not be asked. */
function toFilledForm(result: unknown): FilledForm {
  const { action, content } = isRecord(result) ? result : {};
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new Error('It answered with something else than a form.');
  return { action, content: isRecord(content) ? content : undefined };
}
