/** The time in `tenas`. */
import { z } from 'zod';
import { timeNow } from '../../capabilities/time/now.ts';
import { defineTool } from '../dialect.ts';

export const timeNowTool = defineTool({
  name: 'time-now',
  version: '1.0.0',
  description: 'The current time of the server, or in a time zone.',
  args: z.strictObject({
    timezone: z.string().optional().describe("Such as Asia/Shanghai; the server's by default"),
  }),
  returns: z.object({ iso: z.string(), unixMs: z.int(), timeZone: z.string() }),
  operation: timeNow,
  toInput: ({ timezone }) => ({ timeZone: timezone }),
});
