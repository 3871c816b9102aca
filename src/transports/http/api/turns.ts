/** What turns changed, and the way back. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import type { TurnQuery, TurnSummary } from '../../../journal/turns.ts';
import { diffOf, entriesOf } from '../turns.ts';
import { pageSize } from './listing.ts';
import { requester } from './requester.ts';
import { route } from './route.ts';

const turn = z
  .object({
    id: z.string(),
    workspace: z.string(),
    session: z.string(),
    kind: z.enum(['work', 'undo']),
    startedAt: z.number(),
    isEnded: z.boolean().describe('False while an undo is under way, or where it was cut short'),
    undoneBy: z.string().optional().describe('The undo that took it back'),
    entries: z.int().describe('How many it changed'),
    process: z.int().optional().describe('Which one is taking turns back in it right now'),
  })
  .meta({ id: 'Turn' });

const entryKind = z.enum(['missing', 'file', 'link', 'directory', 'other']);

const entry = z
  .object({
    path: z.string(),
    before: entryKind,
    after: entryKind,
    movedFrom: z.string().optional(),
    modes: z
      .object({ before: z.int(), after: z.int() })
      .optional()
      .describe('Its permissions, where they changed'),
  })
  .meta({ id: 'TurnEntry' });

const call = z.object({ id: z.string(), dialect: z.string().nullable(), tool: z.string().nullable() });

const id = z.object({ id: z.string() });

export const listTurns = route({
  name: 'listTurns',
  method: 'get',
  path: '/api/turns',
  summary: 'The turns of the workspace that changed something, newest first.',
  who: 'reader',
  query: z.object({ limit: pageSize(1_000, 50) }),
  returns: z.object({ turns: z.array(turn) }),
  async run({ runtime }, { query }) {
    return { turns: (await runtime.turns(query.limit)).map(toTurn) };
  },
});

export const showTurn = route({
  name: 'showTurn',
  method: 'get',
  path: '/api/turns/{id}',
  summary: 'What a turn did to each entry, without what is in them, and by which calls.',
  who: 'reader',
  params: id,
  returns: z.object({ turn, entries: z.array(entry), calls: z.array(call) }),
  async run({ runtime }, { params }) {
    const entries = await entriesOf(runtime, params.id);
    const found = (await runtime.turns(Infinity)).find((one) => one.id === params.id)!;
    return { turn: toTurn(found), entries, calls: await runtime.turnCalls(params.id) };
  },
});

export const showDiff = route({
  name: 'showDiff',
  method: 'get',
  path: '/api/turns/{id}/diff',
  summary: 'What a turn did to the content of one entry.',
  who: 'person',
  params: id,
  query: z.object({ path: z.string() }),
  returns: z.object({
    diff: z.string().describe('Unified; empty where nothing differs, or nothing can be shown'),
    note: z.string().optional().describe('Why nothing can be shown, or what has to be known about it'),
  }),
  run: ({ runtime }, { params, query }) => diffOf(runtime, params.id, query.path),
});

export const undo = route({
  name: 'undo',
  method: 'post',
  path: '/api/turns/undo',
  summary: 'Takes turns back; what was changed since is told, and left alone.',
  who: 'person',
  body: z.strictObject({
    turn: z.string().optional(),
    call: z.string().optional().describe('The turn of this call'),
    session: z.string().optional().describe('All turns of this session'),
    last: z.int().min(1).optional().describe('The last turns; the last one where nothing is named'),
    dryRun: z.boolean().optional().describe('Only says what would be done'),
  }),
  returns: z.object({
    turn: z.string().optional().describe("The undo's own turn, where it changed something"),
    turns: z.array(z.string()).readonly().describe('What it was about'),
    takenBack: z.array(z.string()).readonly(),
    steps: z
      .array(
        z.object({
          path: z.string(),
          action: z
            .enum(['restore', 'remove', 'keep', 'conflict', 'lost'])
            .describe('`keep` was so already; `conflict` and `lost` are left alone'),
          reason: z.string().optional(),
        }),
      )
      .readonly(),
  }),
  run: ({ runtime, http }, { body: { dryRun = false, ...wanted } }) =>
    runtime.undo(toQuery(wanted), { dryRun, by: requester(http) }),
});

function toTurn({ started_at, ended, undone_by, ...rest }: TurnSummary): z.input<typeof turn> {
  return {
    ...rest,
    startedAt: started_at,
    isEnded: ended === 1,
    ...(undone_by === null ? {} : { undoneBy: undone_by }),
  };
}

interface WantedTurns {
  readonly turn?: string | undefined;
  readonly call?: string | undefined;
  readonly session?: string | undefined;
  readonly last?: number | undefined;
}

function toQuery({ turn: id, call, session, last }: WantedTurns): TurnQuery {
  if ([id, call, session, last].filter((value) => value !== undefined).length > 1)
    throw new Failure('E_INVALID_ARGS', 'Name one of turn, call, session and last.');
  if (id !== undefined) return { turn: id };
  if (call !== undefined) return { call };
  return session === undefined ? { last: last ?? 1 } : { session };
}
