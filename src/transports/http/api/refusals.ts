/** The one shape in which the API says no. */
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { type Failure, FAILURE_CODES, type FailureCode } from '../../../failure.ts';

export const REFUSAL = z
  .object({
    error: z.object({
      code: z
        .enum(Object.keys(FAILURE_CODES) as [FailureCode, ...FailureCode[]])
        .optional()
        .describe('None where the request did not get as far as its operation'),
      message: z.string(),
      hint: z.string().optional().describe('What to do next'),
    }),
  })
  .meta({ id: 'Failure' });

const STATUS: Partial<Record<FailureCode, 400 | 403 | 404 | 409 | 410 | 413 | 500 | 501 | 503>> = {
  E_INVALID_ARGS: 400,
  E_INVALID_PATH: 400,
  E_POLICY_DENIED: 403,
  E_DENIED: 403,
  E_OUTSIDE_WORKSPACE: 403,
  E_NOT_FOUND: 404,
  E_NO_TOOL: 404,
  E_NO_PROJECT: 404,
  E_NO_PROJECT_ROOT: 410,
  E_TOO_LARGE: 413,
  E_UNSUPPORTED: 501,
  E_INTERNAL: 500,
  E_CANCELLED: 503,
};

/** A failure as the API tells it. */
export function refuse(context: Context, failure: Failure): Response {
  const { code, message, hint } = failure;
  const error = { code, message, ...(hint === undefined ? {} : { hint }) };
  return context.json({ error } satisfies z.infer<typeof REFUSAL>, STATUS[code] ?? 409);
}

/** What the gates in front of the API say as text, in its shape. */
export const refusalsAsJson: MiddlewareHandler = async (context, next) => {
  await next();
  const { status, headers } = context.res;
  if (status < 400 || headers.get('content-type')?.startsWith('text/plain') !== true) return;
  const error = { message: (await context.res.text()).trim() };
  context.res = Response.json({ error } satisfies z.infer<typeof REFUSAL>, { status });
};
