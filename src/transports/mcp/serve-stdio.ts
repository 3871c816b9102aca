/** MCP on this process's stdin and stdout. Nothing else may write to stdout; the end of stdin is the end of it. */
import { shown } from '../../shown.ts';
import { ClientWorkspace, type ClientWorkspaceOptions } from './client-workspace.ts';
import { Connection } from './connection.ts';
import { initializedServer } from './initialized-server.ts';
import { isRecord } from './rpc-peer.ts';
import { StdioLines } from './stdio-lines.ts';
import { MAX_MESSAGE_BYTES } from './tool-requests.ts';

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
  const error = ({ message }: Error): void => options.log(`handrail: ${shown(message.slice(0, MAX_LOGGED))}`);
  const serveInitialized = (first: unknown): void => {
    const server = initializedServer(connection, {
      version: options.version,
      send: (message) => lines.send(message),
      onError: error,
    });
    lines.listener = {
      message: (message) => server.receive(message),
      close: () => server.close(),
      error,
    };
    server.receive(first);
  };
  const serveOthers = async (first: unknown): Promise<void> => {
    const come = [first];
    lines.listener = { message: (message) => void come.push(message), error };
    const { serveBySdk } = await import('./serve-by-sdk.ts');
    serveBySdk(lines, come, connection, { version: options.version, error });
  };
  const lines = new StdioLines(
    { input: process.stdin, output: process.stdout, maxLineBytes: MAX_MESSAGE_BYTES },
    { message: (first) => (isInitialize(first) ? serveInitialized(first) : void serveOthers(first)), error },
  );
  const end = (): void => lines.close();
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  lines.start();
  await lines.closed;
}

/** Whether a client opens as they do up to 2025-11-25; from then on every request says its version. */
function isInitialize(message: unknown): boolean {
  if (!isRecord(message) || message['method'] !== 'initialize') return false;
  const { _meta: meta } = isRecord(message['params']) ? message['params'] : {};
  return !isRecord(meta) || !Object.hasOwn(meta, 'io.modelcontextprotocol/protocolVersion');
}
