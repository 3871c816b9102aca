/** The record of every call, for people: lists, charts, whole lines, and whether it holds. */
import * as z from 'zod';
import { Failure } from '../../../failure.ts';
import { lineStream } from './line-stream.ts';
import { milliseconds, rootIn, workspaces } from './listing.ts';
import { route } from './route.ts';

export const showAudit = route({
  name: 'showAudit',
  method: 'get',
  path: '/api/audit/calls/{id}',
  summary: 'All lines of one call, as they stand in the audit.',
  who: 'person',
  params: z.object({ id: z.string() }),
  returns: z.object({ lines: z.array(z.record(z.string(), z.unknown())) }),
  async run({ records }, { params }) {
    const lines = await records.audit.show(params.id);
    if (lines === undefined)
      throw new Failure('E_NOT_FOUND', `There is no call ${JSON.stringify(params.id)} in the audit.`);
    return { lines: lines.map((line) => ({ ...line })) };
  },
});

/** More would be no chart any more. */
const MAX_BUCKETS = 2_000;
const DAY_MS = 86_400_000;

export const auditCounts = route({
  name: 'auditCounts',
  method: 'get',
  path: '/api/audit/counts',
  summary: 'How many calls there were over time, how they ended, and how long they took.',
  who: 'person',
  query: z.object({
    workspace: workspaces,
    from: milliseconds.optional().describe('A day before `to`, where it is not said'),
    to: milliseconds.optional().describe('Now, where it is not said'),
    bucket: milliseconds.min(1_000).default(3_600_000).describe('How long each count lasts, in milliseconds'),
  }),
  returns: z.object({
    from: z.number(),
    to: z.number(),
    bucket: z.number(),
    counts: z
      .array(
        z
          .object({
            at: z.number().describe('When it begins'),
            calls: z.number(),
            outcomes: z.record(z.string(), z.number()).describe('`running` have none yet'),
            p50: z.number().nullable().describe('Milliseconds, of those that ended'),
            p95: z.number().nullable(),
          })
          .meta({ id: 'CallCounts' }),
      )
      .describe('Stretches without any call are left out'),
  }),
  async run(context, { query }) {
    const { to = context.clock.now(), bucket } = query;
    const { from = Math.max(0, to - DAY_MS) } = query;
    if ((to - from) / bucket > MAX_BUCKETS)
      throw new Failure('E_INVALID_ARGS', `That is more than ${MAX_BUCKETS} counts.`, {
        hint: 'Choose a longer bucket, or a shorter time.',
      });
    const workspace = rootIn(query.workspace, context);
    const counts = await context.records.audit.counts({ workspace, from, to, bucketMs: bucket });
    return { from, to, bucket, counts };
  },
});

export const verifyAudit = route({
  name: 'verifyAudit',
  method: 'get',
  path: '/api/audit/verify',
  summary: 'Whether every chain of the audit holds, and where one does not.',
  who: 'person',
  returns: z.object({
    holds: z.boolean(),
    chains: z.array(
      z
        .object({
          chain: z.string(),
          lines: z.number().describe('Those that hold'),
          state: z.enum(['fine', 'torn', 'changed']),
          problem: z.object({ line: z.number(), what: z.string() }).optional(),
        })
        .meta({ id: 'ChainReport' }),
    ),
  }),
  async run({ records }) {
    const reports = await records.audit.verify();
    return {
      holds: reports.every(({ problem }) => problem === undefined),
      chains: reports.map(({ chain, lines, problem }) => {
        if (problem === undefined) return { chain, lines, state: 'fine' as const };
        const { kind: state, line, what } = problem;
        return { chain, lines, state, problem: { line, what } };
      }),
    };
  },
});

export const exportAudit = route({
  name: 'exportAudit',
  method: 'get',
  path: '/api/audit/export',
  summary: 'Every line of the audit as it stands in its files, chain by chain.',
  who: 'person',
  type: 'application/x-ndjson',
  returns: z.record(z.string(), z.unknown()),
  run: async ({ records, http }) => lineStream(http, records.audit.allLines()),
});
