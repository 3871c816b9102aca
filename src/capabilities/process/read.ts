/** `process.read`: what a background process wrote, from a position on, or the last of it. */
import { z } from 'zod';
import { defineOperation, type ScopedProcesses } from '../../runtime/operation.ts';
import { awaited, waitFor, waitOutcome } from './awaited.ts';
import { factsOf, processFacts, processId } from './process-facts.ts';
import { wholeCharacters } from './whole-characters.ts';

export const outputPart = z.strictObject({
  text: z.string(),
  position: z.int().describe('The byte it starts at; later than asked for where older output is gone'),
  next: z.int().describe('Where to read on'),
  total: z.int().describe('Bytes that were written so far'),
});

export const processRead = defineOperation({
  name: 'process.read',
  summary: 'Reads what a background process wrote.',
  input: z.strictObject({
    id: processId,
    position: z.int().min(0).optional().describe('The end by default'),
    maxBytes: z.int().min(1),
    wait: awaited.optional().describe('What is waited for first'),
  }),
  output: z.strictObject({
    process: processFacts,
    waited: waitOutcome.optional(),
    output: outputPart,
    skipped: z.int().describe('Bytes before it that were asked for and are gone'),
  }),
  permissions: [],
  effect: 'read',
  access: () => [],
  async run({ id, position, maxBytes, wait }, { processes }) {
    const waited = wait && (await waitFor(processes, id, wait, position ?? 0));
    const output = await readOutput(processes, id, position, maxBytes);
    return {
      process: factsOf(await processes.find(id)),
      ...(waited === undefined ? {} : { waited: waited.outcome }),
      output,
      skipped: position === undefined ? 0 : Math.max(0, output.position - position),
    };
  },
});

/** A part of the output as text; characters that a cut went through are left for the next part. */
export async function readOutput(
  processes: Pick<ScopedProcesses, 'read'>,
  id: string,
  position: number | undefined,
  maxBytes: number,
): Promise<z.infer<typeof outputPart>> {
  const read = await processes.read(id, position, maxBytes);
  const { start, end } = wholeCharacters(read.bytes);
  const text = Buffer.from(read.bytes.subarray(start, end)).toString();
  return { text, position: read.position + start, next: read.position + end, total: read.end };
}
