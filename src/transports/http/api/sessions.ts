/** Sessions: opened and closed here, listed for the whole machine. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import type { Session } from '../../../runtime/session.ts';
import type { KnownSession } from '../../../store/sessions.ts';
import { pageSize, rootIn, workspaces } from './listing.ts';
import { mode } from './mode.ts';
import { route, type RouteContext } from './route.ts';

const id = z.string().min(1).max(200);
const params = z.object({ id });

const openSessionState = z
  .object({ id: z.string(), workspace: z.string(), dialect: z.string(), agent: z.string(), mode })
  .meta({ id: 'OpenSession' });

const knownSession = z
  .object({
    id: z.string(),
    workspace: z.string(),
    dialect: z.string(),
    agent: z.string().nullable(),
    openedAt: z.number(),
    isAlive: z.boolean().describe('Whether it is open in a process that runs'),
    lastCall: z
      .object({ id: z.string(), tool: z.string(), at: z.number(), outcome: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'Session' });

/** One thing that an agent means to do. */
export const todoItem = z
  .object({
    id: z.string(),
    content: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed']),
    priority: z.enum(['high', 'medium', 'low']),
  })
  .meta({ id: 'Todo' });

export const openSession = route({
  name: 'openSession',
  method: 'post',
  path: '/api/sessions',
  summary:
    'Opens a session, or goes on with the one of that id. Whoever knows its id may use it: let the server make one.',
  who: 'agent',
  body: z.strictObject({
    id: id.optional(),
    dialect: z.string().optional().describe("Else the workspace's own"),
    mode: mode.optional().describe('How much is asked; less than usual only where a person wants it'),
    agent: z
      .strictObject({
        name: z.string().min(1).max(100),
        tools: z.record(z.string(), z.boolean()).optional().describe('Tools to switch off, or on'),
      })
      .optional(),
  }),
  returns: openSessionState,
  async run({ runtime, sessions, isPerson }, { body }) {
    const { agent, ...rest } = body;
    const given = agent && { name: agent.name, ...(agent.tools === undefined ? {} : { tools: agent.tools }) };
    return toState(await sessions.open(runtime, { ...rest, agent: given }, isPerson));
  },
});

function toState(session: Session): z.input<typeof openSessionState> {
  const { workspace, dialect, agent } = session;
  return { id: session.id, workspace, dialect: dialect.name, agent: agent.name, mode: session.mode };
}

export const listSessions = route({
  name: 'listSessions',
  method: 'get',
  path: '/api/sessions',
  summary: 'Sessions of every process on this machine, the last used first.',
  who: 'reader',
  query: z.object({
    workspace: workspaces,
    limit: pageSize(1_000, 100),
  }),
  returns: z.object({ sessions: z.array(knownSession) }),
  async run(context, { query }) {
    await context.runtime.flush();
    const workspace = rootIn(query.workspace, context);
    return { sessions: await context.records.sessions.list({ workspace, limit: query.limit }) };
  },
});

export const showSession = route({
  name: 'showSession',
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'A session of the workspace.',
  who: 'reader',
  params,
  returns: knownSession,
  async run(context, input) {
    return find(context, input.params.id);
  },
});

export const closeSession = route({
  name: 'closeSession',
  method: 'delete',
  path: '/api/sessions/{id}',
  summary:
    'Closes a session of this server: its background processes end, and what was granted in it is forgotten.',
  who: 'agent',
  params,
  returns: knownSession,
  async run(context, input) {
    const { runtime, sessions } = context;
    const closed = await sessions.close(runtime, input.params.id);
    const session = await find(context, input.params.id);
    if (closed) return session;
    throw new Failure('E_CONFLICT', `The session ${session.id} is not open in this server.`);
  },
});

export const listTodos = route({
  name: 'listTodos',
  method: 'get',
  path: '/api/sessions/{id}/todos',
  summary: 'What the agent of a session means to do.',
  who: 'agent',
  params,
  returns: z.object({
    todos: z.array(todoItem),
  }),
  async run({ runtime }, input) {
    return { todos: [...(await runtime.todos({ id: input.params.id }))] };
  },
});

async function find({ runtime, records }: RouteContext, wanted: string): Promise<KnownSession> {
  await runtime.flush();
  const [session] = await records.sessions.list({ id: wanted, workspace: runtime.workspace.root, limit: 1 });
  if (session !== undefined) return session;
  throw new Failure('E_NOT_FOUND', `There is no session ${wanted} in this workspace.`);
}
