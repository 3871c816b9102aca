/** What a call would touch, as it was understood. */
import * as z from 'zod';

const commandPart = z
  .object({
    words: z.array(z.string().nullish()).readonly().describe('Null where only the shell could tell'),
    text: z.string(),
    assignments: z.array(z.string()).readonly().describe('Variables that are set for it'),
    directory: z.string().optional(),
    onlyReads: z.union([z.enum(['always', 'sandboxed']), z.literal(false)]),
    isWrapper: z.literal(true).optional().describe('It does nothing but start another part'),
    isBlind: z.literal(true).optional().describe('It reads files that only the shell knows'),
    unclear: z.string().optional().describe('Why no rule that allows counts'),
    gitWrite: z.string().optional().describe('What it changes in a repository'),
  })
  .meta({ id: 'CommandPart' });

export const access = z
  .object({
    permission: z.string(),
    resource: z.string(),
    resolved: z.string().describe('With links followed'),
    command: commandPart.optional(),
    whole: z.string().optional().describe('What it is a part of, where it means something else by itself'),
    isTree: z.literal(true).optional().describe('Also everything below it'),
    url: z.string().optional(),
    branchOf: z.string().optional(),
    isOutside: z.literal(true).optional().describe('It would not be kept in the sandbox'),
  })
  .meta({ id: 'Access' });
