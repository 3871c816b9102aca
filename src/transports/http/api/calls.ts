/** Calls: made, listed, looked at and cancelled. How a call ended is its answer, whatever it is; only what is no call at all is a failure. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import type { AuditCalls } from '../../../store/tables.ts';
import { toolCallResultSchema } from '../../../runtime/envelope.ts';
import type { CallResponse } from '../../../runtime/spine.ts';
import type { CallOptions } from '../../../runtime-types.ts';
import { readTrace } from '../../trace-headers.ts';
import { access } from './access.ts';
import { milliseconds, pageSize, rootIn, workspaces } from './listing.ts';
import { mode } from './mode.ts';
import { route, type RouteContext } from './route.ts';

/** The largest file that tools write, with room for how JSON writes it. */
const CALL_BYTES = 10 * 1024 * 1024;
const ANSWERED =
  'The answer is sent when the call has ended, after every question about it. A client that goes away cancels its call, unless it gave the call an id: then the call goes on, and sending the same again gives its answer.';

const id = z.string().min(1).max(200);
const session = id
  .optional()
  .describe('Its session, opened where it is not; else one for all calls that name none');
const dialect = z.string().optional().describe('Of the session, where this call opens it');

/** The envelope of every answer. */
export const callResult = toolCallResultSchema.meta({ id: 'ToolCallResult' });

const effect = z.object({
  path: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
  reversible: z.boolean(),
});

const callResponse = z
  .object({
    callId: z.string(),
    turn: z.string(),
    outcome: z.enum(['ok', 'failed', 'denied', 'cancelled']),
    result: callResult,
    rendered: z.unknown().optional().describe("The tool's own result"),
    reply: z.unknown().describe("What the session's dialect says"),
    effects: z.array(effect).readonly().describe('What was changed, and whether undo can take it back'),
  })
  .meta({ id: 'CallResponse' });

export const makeCall = route({
  name: 'makeCall',
  method: 'post',
  path: '/api/calls',
  summary: `Runs a tool. ${ANSWERED}`,
  who: 'agent',
  bodyBytes: CALL_BYTES,
  body: z.strictObject({
    tool: z.string().min(1).max(200),
    args: z.unknown().describe('An object that fits the schema of the tool'),
    session,
    dialect,
    mode: mode.optional().describe('Of the session likewise; less is asked only where a person wants it'),
    id: id.optional().describe("The caller's own: the same call again gets the same answer"),
    turn: id.optional().describe('Calls of one turn are taken back together'),
    version: z.string().min(1).max(50).optional().describe('Of the tool, as the caller knows it'),
    traceId: id.optional().describe('Else what the header traceparent says'),
  }),
  returns: callResponse,
  async run(context, { body }) {
    const { tool, args = {}, id: ownId, turn, version, traceId } = body;
    return perform(context, body, ownId, (options) =>
      context.runtime.call(tool, args, {
        ...options,
        id: ownId,
        turn,
        version,
        traceId,
      }),
    );
  },
});

export const executeCall = route({
  name: 'executeCall',
  method: 'post',
  path: '/api/calls/execute',
  summary: `Runs a whole ToolCallRequest. ${ANSWERED}`,
  who: 'agent',
  bodyBytes: CALL_BYTES,
  body: z.strictObject({
    // Its shape is the runtime's to judge: what is none is refused, and on record.
    request: z.unknown().describe('A ToolCallRequest: tool_call_id, name, args'),
    session,
    dialect,
  }),
  returns: callResponse,
  async run(context, { body }) {
    return perform(context, body, 'always one', (options) => context.runtime.execute(body.request, options));
  },
});

/** Makes a call, in its session. */
async function perform(
  { runtime, sessions, isPerson, signal, http }: RouteContext,
  words: Parameters<RouteContext['sessions']['ofCall']>[1],
  ownId: string | undefined,
  run: (options: CallOptions) => Promise<CallResponse>,
): Promise<z.input<typeof callResponse>> {
  const options: CallOptions = {
    session: await sessions.ofCall(runtime, words, isPerson),
    resume: true,
    signal: ownId === undefined ? AbortSignal.any([signal, sessions.closed]) : sessions.stopped,
    trace: readTrace(http.req.raw.headers),
  };
  const { traceparent, ...response } = await sessions.during(run(options));
  if (ownId !== undefined && response.outcome === 'cancelled' && sessions.stopped.aborted) throw stopped();
  if (traceparent !== undefined) http.header('traceparent', traceparent);
  return response;
}

function stopped(): Failure {
  return new Failure('E_CANCELLED', 'The server stops.', {
    hint: 'Send the same call again when it is back: it goes on, with its question where it waited for one.',
  });
}

const listedCall = z
  .object({
    id: z.string(),
    at: z.number(),
    workspace: z.string(),
    session: z.string(),
    dialect: z.string(),
    tool: z.string(),
    outcome: z.string().nullable().describe('Null while it runs'),
    errorCode: z.string().nullable(),
    decision: z.string().nullable(),
    rule: z.string().nullable(),
    durationMs: z.number().nullable(),
    toolCallId: z.string(),
    traceId: z.string(),
    about: z
      .string()
      .nullable()
      .describe('The beginning of what it touched, a resource a line; only with the approval key'),
  })
  .meta({ id: 'Call' });

export const listCalls = route({
  name: 'listCalls',
  method: 'get',
  path: '/api/calls',
  summary: 'Calls of every process on this machine, newest first, as the audit knows them.',
  who: 'reader',
  query: z.object({
    workspace: workspaces,
    session: z.string().optional(),
    tool: z.string().optional(),
    outcome: z.enum(['running', 'ok', 'failed', 'denied', 'cancelled', 'interrupted']).optional(),
    decision: z.enum(['allow', 'ask', 'deny']).optional(),
    text: z.string().max(200).optional().describe('Stands somewhere in what is listed'),
    from: milliseconds.optional(),
    to: milliseconds.optional().describe('Calls that began before it'),
    before: z.string().optional().describe('The last call that was seen: `next` of the page before'),
    limit: pageSize(1_000, 100),
  }),
  returns: z.object({
    calls: z.array(listedCall),
    next: z.string().nullable().describe('For `before`, where there may be more'),
  }),
  async run(context, { query }) {
    const { runtime, records, isPerson } = context;
    await runtime.flush();
    const workspace = rootIn(query.workspace, context);
    const rows = await records.audit.list({ ...query, workspace, looksIntoAbout: isPerson });
    const calls = rows.map((row) => toListed(row, isPerson));
    return { calls, next: calls.length < query.limit ? null : calls.at(-1)!.id };
  },
});

function toListed(row: AuditCalls, isPerson: boolean): z.input<typeof listedCall> {
  const { call_id, at, workspace, session: ofSession, dialect: spoken, name, outcome, decision, rule } = row;
  return {
    id: call_id,
    at,
    workspace,
    session: ofSession,
    dialect: spoken,
    tool: name,
    outcome,
    errorCode: row.error_code,
    decision,
    rule,
    durationMs: row.duration_ms,
    toolCallId: row.tool_call_id,
    traceId: row.trace_id,
    about: isPerson ? row.about : null,
  };
}

const callFacts = z
  .object({
    call_id: z.string(),
    tool_call_id: z.string(),
    trace_id: z.string(),
    session: z.string(),
    turn: z.string(),
    workspace: z.string(),
    visitor: z.string().optional().describe('The workspace of its session, where that is another one'),
    dialect: z.string(),
    name: z.string(),
    version: z.string().optional(),
    args: z.unknown().optional().describe('Masked and bounded; only with the approval key'),
    edited_args: z.unknown().optional().describe('What a person put in their place; likewise'),
    mode: mode.optional(),
    requested_permissions: z.array(z.string()).readonly().optional(),
    requires_approval: z.boolean().optional(),
    at: z.number(),
    event: z.enum(['opened', 'decided', 'closed']).describe('The last line that there is'),
    operation: z.string().optional(),
    ok: z.boolean().optional(),
    outcome: z.enum(['ok', 'failed', 'denied', 'cancelled', 'interrupted']).optional(),
    error: z
      .object({ code: z.string(), message: z.string().optional().describe('Only with the approval key') })
      .optional(),
    decision: z.string().optional(),
    rule: z.string().optional(),
    approver: z.string().optional(),
    answered_by: z.string().optional(),
    accesses: z
      .array(access.extend({ granted: z.literal(true).optional() }))
      .readonly()
      .optional()
      .describe('What it touched; only with the approval key'),
    artifacts: callResult.shape.artifacts.describe('Only with the approval key'),
    effects: z.array(effect).readonly().optional(),
    effects_total: z.number().optional().describe('How many there were, where not all are listed'),
    hosts_reached: z.array(z.string()).readonly().optional(),
    sandbox: z.string().optional(),
    duration_ms: z.number().optional(),
  })
  .meta({ id: 'CallFacts' });

export const showCall = route({
  name: 'showCall',
  method: 'get',
  path: '/api/calls/{id}',
  summary:
    'What the audit knows of a call. Its arguments, and what it ran and said, only with the approval key.',
  who: 'reader',
  params: z.object({ id: z.string() }),
  returns: callFacts,
  async run({ runtime, records, isPerson }, { params }) {
    await runtime.flush();
    const lines = (await records.audit.show(params.id)) ?? [];
    if (lines.length === 0) throw noCall(`There is no call ${JSON.stringify(params.id)}.`);
    // Where its lines stand in their chain is the audit's own matter.
    const { seq: _seq, prev: _prev, ...facts } = Object.assign({}, ...lines) as CallFacts & ChainLink;
    return isPerson ? facts : withoutContent(facts);
  },
});

type CallFacts = z.input<typeof callFacts>;
type ChainLink = Readonly<Record<'seq' | 'prev', unknown>>;

function withoutContent(facts: CallFacts): CallFacts {
  const {
    args: _args,
    edited_args: _edited,
    accesses: _accesses,
    artifacts: _artifacts,
    error,
    ...rest
  } = facts;
  return error === undefined ? rest : { ...rest, error: { code: error.code } };
}

export const cancelCall = route({
  name: 'cancelCall',
  method: 'delete',
  path: '/api/calls/{id}',
  summary: 'Cancels a call that is under way in this server, whoever made it.',
  who: 'agent',
  params: z.object({ id: z.string().describe("The call's own id, or the one that its caller gave it") }),
  query: z.object({
    session: id.optional().describe("Where it is the caller's id: the session it was given in"),
  }),
  returns: z.object({ cancelled: z.literal(true) }),
  async run({ runtime, sessions }, { params, query }) {
    const ofCall = await sessions.find(runtime, query.session);
    if (!runtime.cancelCall({ id: params.id, session: ofCall }))
      throw noCall('No such call is under way in this server.');
    return { cancelled: true as const };
  },
});

function noCall(message: string): Failure {
  return new Failure('E_NOT_FOUND', message);
}
