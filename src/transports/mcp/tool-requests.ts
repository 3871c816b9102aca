/** What is answered in every era of the protocol: the list of tools, and calls. How a client is asked is its era's own. */
import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  ListToolsResult,
} from '@modelcontextprotocol/server';
import { lent } from '../../runtime-pool.ts';
import { Failure, sentences } from '../../failure.ts';
import type { Approver } from '../../policy/approvals.ts';
import { previewMessage } from '../../runtime/describe-message.ts';
import type { RuntimeEvent } from '../../runtime/events.ts';
import type { DisplayMessage, Prompter } from '../../runtime/people.ts';
import type { Runtime } from '../../runtime-types.ts';
import { type CallMeta, readCallMeta, type RequestWords } from './call-meta.ts';
import { clientLog } from './client-log.ts';
import type { Connection, RootsOf } from './connection.ts';
import { type Progress, type Reporting, startProgress } from './progress.ts';
import { INTERNAL_ERROR, RpcError } from './rpc-peer.ts';
import { findTool, toTools } from './tool-list.ts';
import { toFailure, toResult } from './tool-result.ts';

/** The largest arguments that tools take, however their characters are written in JSON. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** What still fits the line that clients show it in. */
const MAX_PROGRESS = 1_000;

export type CallParams = CallToolRequest['params'];

/** A call that is being served. */
export interface CallContext extends Reporting, Pick<RequestWords, 'envelope'> {
  readonly signal: AbortSignal;
}

/** Who answers the questions of a call. */
export interface Answerers {
  readonly approve?: Approver;
  readonly prompt?: Prompter;
}

export type RunCall = (answerers: Answerers, signal: AbortSignal) => Promise<CallToolResult>;

/** The client of a connection. */
export interface Client<Context extends CallContext> {
  readonly roots: RootsOf;
  /** Has a call made; with who answers its questions, where the client can be asked. */
  call(params: CallParams, context: Context, run: RunCall): Promise<CallToolResult | InputRequiredResult>;
}

/** The tools of the connection's dialect. */
export async function listTools(
  connection: Connection,
  roots: RootsOf,
  words: RequestWords,
): Promise<ListToolsResult> {
  const { project } = readCallMeta(words);
  const runtime = await runtimeFor(connection, roots, project).catch(explain);
  if (typeof runtime === 'string') throw new RpcError(INTERNAL_ERROR, runtime);
  await using _given = runtime;
  return { tools: toTools(runtime.definitions()) };
}

/** The result of a call, or what its client is to be asked first. */
export async function callTool<Context extends CallContext>(
  connection: Connection,
  client: Client<Context>,
  params: CallParams,
  context: Context,
): Promise<CallToolResult | InputRequiredResult> {
  using progress = startProgress(context);
  const log = clientLog(context, connection.logLevel);
  const meta = readCallMeta(context);
  return await client.call(params, context, async (answerers, signal) => {
    const runtime = await runtimeFor(connection, client.roots, meta.project).catch(explain);
    if (typeof runtime === 'string') return toFailure(runtime);
    await using _given = runtime;
    return await run(runtime, connection, { params, meta, progress, answerers, log, signal });
  });
}

/** The runtime of the project that a request names, else of the connection; to be given back. */
async function runtimeFor(
  connection: Connection,
  roots: RootsOf,
  project: string | undefined,
): Promise<Runtime> {
  const runtime = await connection.runtime(roots);
  return project === undefined ? lent(runtime, () => undefined) : runtime.project(project);
}

interface ToolCall {
  readonly params: CallParams;
  readonly meta: CallMeta;
  readonly progress: Progress;
  readonly answerers: Answerers;
  readonly log: ((message: DisplayMessage) => void) | undefined;
  readonly signal: AbortSignal;
}

async function run(
  runtime: Runtime,
  connection: Connection,
  { params, meta, progress, answerers, log, signal }: ToolCall,
): Promise<CallToolResult> {
  const session = await connection.session(runtime, meta.session, meta.client);
  const tool = findTool(session.dialect, params.name);
  const call = runtime.call(tool?.name ?? params.name, params.arguments ?? {}, {
    session,
    turn: meta.turn,
    trace: meta.trace,
    signal: AbortSignal.any([signal, connection.closed]),
    ...answerers,
    // Without signs of life it gives up, and may not even say so.
    canWait: progress.isHeard,
    // Who hears nothing is not told that it was shown something.
    ...(progress.isHeard || log !== undefined ? { listener: (event) => tell(event, progress, log) } : {}),
  });
  return toResult(await connection.during(call), tool);
}

function tell(event: RuntimeEvent, progress: Progress, log: ToolCall['log']): void {
  switch (event.type) {
    case 'approval-requested':
      return progress.say('Waiting for an approval; `handrail approvals` shows the question');
    case 'question-asked':
      return progress.say('Waiting for an answer; `handrail approvals` shows the question');
    case 'displayed':
      log?.(event.message);
      return progress.say(previewMessage(event.message, MAX_PROGRESS));
    case 'approval-answered':
    case 'question-answered':
    case 'output-added':
      return progress.say('Running');
  }
}

/** Why there is no runtime, as text; bugs stay bugs. */
function explain(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  return sentences(error);
}
