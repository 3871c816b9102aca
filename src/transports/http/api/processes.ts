/** Background processes of every workspace on this machine. */
import * as z from 'zod';
import { route } from './route.ts';

const process = z
  .object({
    id: z.string(),
    name: z.string().optional().describe('What its session calls it'),
    workspace: z.string(),
    session: z.string(),
    isKept: z.boolean().describe('Whether it goes on when its session has ended'),
    command: z.string(),
    directory: z.string(),
    pid: z.int().optional(),
    tier: z.enum(['A', 'A-', 'seatbelt', 'C']).optional().describe('What confines it'),
    startedAt: z.number(),
    ended: z
      .object({
        at: z.number(),
        by: z.enum(['itself', 'stopped', 'owner-gone', 'supervisor-gone']),
        exitCode: z.int().optional(),
        hosts: z.array(z.string()).readonly().describe('What it reached'),
      })
      .optional(),
  })
  .meta({ id: 'Process' });

const id = z.object({ id: z.string() });
const SIZE = z.int().min(1).max(1_000);
const MAX_INPUT = 100_000;
/** What one takes at most: less would never lead on. */
const ONE_CHARACTER = 4;

export const listProcesses = route({
  name: 'listProcesses',
  method: 'get',
  path: '/api/processes',
  summary: 'Those that run, and those that ended lately; newest first.',
  who: 'person',
  returns: z.object({ processes: z.array(process).readonly() }),
  async run({ records }) {
    return { processes: await records.processes.list() };
  },
});

export const readProcess = route({
  name: 'readProcess',
  method: 'get',
  path: '/api/processes/{id}/output',
  summary: 'What one wrote, from a byte on; without one, the last of it.',
  who: 'person',
  params: id,
  query: z.object({
    from: z.coerce.number().int().min(0).optional(),
    limit: z.coerce.number().int().min(ONE_CHARACTER).max(1_048_576).default(65_536).describe('Bytes'),
  }),
  returns: z.object({
    text: z.string().describe('As it was written: a terminal would obey it'),
    position: z.int().describe('The byte it starts at; later than asked for where older output is gone'),
    next: z.int().describe('Where to read on'),
    total: z.int().describe('Bytes that were written so far'),
    isEnded: z.boolean().describe('Nothing more will come'),
  }),
  run: ({ records }, { params, query }) => records.processes.read(params.id, query.from, query.limit),
});

export const writeProcess = route({
  name: 'writeProcess',
  method: 'post',
  path: '/api/processes/{id}/input',
  summary: 'Types into one.',
  who: 'person',
  params: id,
  body: z.strictObject({
    text: z.string().max(MAX_INPUT),
    isLast: z.boolean().default(false).describe('Whether its input ends with it'),
  }),
  returns: process,
  run: ({ records }, { params, body: { text, isLast } }) => records.processes.write(params.id, text, isLast),
});

export const resizeProcess = route({
  name: 'resizeProcess',
  method: 'post',
  path: '/api/processes/{id}/size',
  summary: 'Changes the size of its terminal.',
  who: 'person',
  params: id,
  body: z.strictObject({ columns: SIZE, rows: SIZE }),
  returns: process,
  run: ({ records }, { params, body: { columns, rows } }) =>
    records.processes.resize(params.id, columns, rows),
});

export const stopProcess = route({
  name: 'stopProcess',
  method: 'delete',
  path: '/api/processes/{id}',
  summary: 'Ends one and all it started; one that has ended stays so.',
  who: 'person',
  params: id,
  returns: process,
  run: ({ records }, { params }) => records.processes.stop(params.id),
});
