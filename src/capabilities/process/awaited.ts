/** What of a background process is waited for, and for how long. */
import { z } from 'zod';
import type { Waited, WaitFor } from '../../host/ports.ts';
import type { ScopedProcesses } from '../../runtime/operation.ts';

/** Longer, and a client takes the call for lost. */
export const MAX_WAIT_MS = 600_000;

export const awaited = z.strictObject({
  text: z.string().min(1).max(1_000).optional().describe('In a line of its output; * is anything'),
  port: z.int().min(1).max(65_535).optional().describe('Something listens to it'),
  timeoutMs: z.int().min(1).max(MAX_WAIT_MS),
});
export type Awaited = z.infer<typeof awaited>;

export const waitOutcome = z.enum(['met', 'ended', 'timed-out']);

/** Waits for the text, the port, or, where neither is named, the end. */
export function waitFor(
  processes: Pick<ScopedProcesses, 'wait'>,
  id: string,
  { text, port, timeoutMs }: Awaited,
  from: number,
): Promise<Waited> {
  const what: WaitFor = text !== undefined ? { text, from } : port === undefined ? { exit: true } : { port };
  return processes.wait(id, what, timeoutMs);
}
