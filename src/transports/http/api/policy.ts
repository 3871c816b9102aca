/** What the policy says: the rules in force, what would be decided about a call, and what other rules would have decided. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import type { Session } from '../../../runtime/session.ts';
import { replayCalls } from '../../../replay-calls.ts';
import { access } from './access.ts';
import { mode } from './mode.ts';
import { route, type RouteContext } from './route.ts';
import { rule } from './rule.ts';

export const showPolicy = route({
  name: 'showPolicy',
  method: 'get',
  path: '/api/policy',
  summary: 'The rules by layer, the least specific first, as they are written.',
  who: 'person',
  query: z.object({
    dialect: z.string().optional().describe("Else the session's, or the workspace's own"),
    session: z.string().optional().describe('One that is open in this server: what was granted in it, too'),
  }),
  returns: z.object({
    dialect: z.string(),
    mode: mode.describe('Of new sessions whose caller chooses none'),
    settings: z
      .enum(['none', 'trusted', 'not-trusted', 'unfit'])
      .describe("Whether the workspace's own settings count"),
    layers: z.array(
      z
        .object({
          name: z.enum(['dialect', 'defaults', 'user', 'caller', 'project']),
          file: z.string().optional().describe('Where its rules are written'),
          rules: z.array(
            z.object({
              id: z.string().describe('As decisions cite it'),
              counts: z.boolean().describe('False where it is about other places, or needs trust'),
              rule,
            }),
          ),
        })
        .meta({ id: 'PolicyLayer' }),
    ),
    grants: z
      .array(
        z.object({
          tool: z.string(),
          permission: z.string(),
          resolved: z.string(),
        }),
      )
      .describe('What a person said yes to for the session; it counts before all rules that ask'),
  }),
  async run(context, { query }) {
    const { runtime } = context;
    const session = await sessionOf(context, query.session);
    const { dialect = session?.dialect.name ?? runtime.dialect } = query;
    const policy = runtime.policyFor(dialect);
    if (policy === undefined)
      throw new Failure('E_INVALID_ARGS', `There is no dialect ${JSON.stringify(dialect)}.`, {
        hint: `There are ${runtime.dialects.map(({ name }) => name).join(', ')}.`,
      });
    const layers = runtime.settings.rules(dialect);
    return {
      dialect,
      mode: session?.mode ?? policy.mode,
      settings: runtime.projectSettings,
      layers: layers.map(({ rules, ...layer }) => ({ ...layer, rules: [...rules] })),
      grants: [...(session?.grants ?? [])],
    };
  },
});

export const explainCall = route({
  name: 'explainCall',
  method: 'post',
  path: '/api/policy/explain',
  summary: 'What would be decided about a call, by which rule, without running it.',
  who: 'agent',
  body: z.object({
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    session: z.string().optional().describe('One that is open in this server'),
    dialect: z.string().optional().describe('Where no session is named'),
    mode: mode.optional().describe('Likewise'),
  }),
  returns: z.object({
    decision: z.object({
      action: z.enum(['allow', 'ask', 'deny']),
      rule: z.string(),
      reason: z.string().optional(),
      scope: z.string().optional(),
    }),
    accesses: z.array(access).readonly().describe('What it would touch'),
    alwaysRule: rule.optional().describe('What an "always" would write'),
    preview: z
      .object({ kind: z.enum(['diff', 'text']), text: z.string() })
      .optional()
      .describe('What would change; only with the approval key'),
  }),
  async run(context, { body: { tool, args, session: named, dialect, mode } }) {
    const { runtime, isPerson } = context;
    const session = await sessionOf(context, named);
    const whose = session === undefined ? { dialect, mode } : { session };
    const { decision, accesses, preview, request } = await runtime.approvalRequest(tool, args, whose);
    const { alwaysRule } = request ?? {};
    // What stands in files is not for everybody who makes calls: the policy may keep it from them.
    return { decision, accesses, alwaysRule, ...(isPerson ? { preview } : {}) };
  },
});

const MAX_DIFFERENCES = 1_000;

export const replayPolicy = route({
  name: 'replayPolicy',
  method: 'post',
  path: '/api/policy/replay',
  summary:
    'Which recorded calls of the workspace would be decided otherwise, with changed settings or as they are.',
  who: 'person',
  body: z.object({
    settings: z
      .string()
      .optional()
      .describe('The text of a settings file, JSON with comments; else those in force'),
    of: z.enum(['user', 'project']).default('user').describe('Whose settings it takes the place of'),
    mode: mode.optional().describe('In place of the mode that each call had'),
    limit: z.int().min(1).max(100_000).default(10_000).describe('How many of the newest calls are looked at'),
  }),
  returns: z.object({
    calls: z.number().describe('How many were decided anew'),
    changed: z.number().describe('How many would be decided otherwise'),
    differences: z
      .array(
        z
          .object({
            call_id: z.string(),
            tool: z.string(),
            before: z.string(),
            after: z.string(),
            rule: z.string().describe('That would decide'),
          })
          .meta({ id: 'PolicyDifference' }),
      )
      .describe(`The first ${MAX_DIFFERENCES}`),
  }),
  async run({ runtime, records }, { body: { settings: text, of, mode, limit } }) {
    await runtime.flush();
    const { calls, differences } = await replayCalls(
      runtime,
      records.audit.closed(runtime.workspace.root, limit),
      { mode, settings: text === undefined ? undefined : { of, text } },
    );
    return { calls, changed: differences.length, differences: differences.slice(0, MAX_DIFFERENCES) };
  },
});

/** The session of that id, whether a client opened it or a conversation is in it. */
async function sessionOf(
  { runtime, sessions, conversations }: RouteContext,
  id: string | undefined,
): Promise<Session | undefined> {
  if (id === undefined) return undefined;
  const session = conversations.sessionOf(runtime, id) ?? (await sessions.find(runtime, id));
  if (session === undefined)
    throw new Failure('E_NOT_FOUND', `The session ${JSON.stringify(id)} is not open in this server.`);
  return session;
}
