/** `interact.ask`: a question to the user, with choices or without. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';

export const messageSchema = z.string().regex(/\S/).max(10_000);

/** No longer than a button can be. */
export const choicesSchema = z
  .array(z.string().regex(/\S/).max(200))
  .min(1)
  .max(20)
  .refine((choices) => new Set(choices).size === choices.length, 'Two of them are the same.');

export const interactAsk = defineOperation({
  name: 'interact.ask',
  summary: 'Asks the user, and waits for the answer.',
  input: z.strictObject({
    message: messageSchema,
    choices: choicesSchema.optional().describe('One of them is the answer; without them it is a text'),
  }),
  output: z.strictObject({ answer: z.string() }),
  permissions: ['user.ask'],
  effect: 'ask',
  access: () => [{ permission: 'user.ask', resource: 'question' }],
  async run({ message, choices }, { people }) {
    if (choices === undefined) return { answer: (await people.ask({ kind: 'text', message })).text };
    return { answer: (await people.ask({ kind: 'choice', message, choices })).choice };
  },
});
