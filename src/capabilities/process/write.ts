/** `process.write`: types into a background process. It may obey what it is told, so it is asked about like a command. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { processId } from './process-facts.ts';

export const processWrite = defineOperation({
  name: 'process.write',
  summary: 'Types into a background process.',
  input: z.strictObject({
    id: processId,
    text: z.string().max(1_000_000),
    isLast: z.boolean().describe('Whether its input ends with it'),
  }),
  output: z.strictObject({ id: processId, bytes: z.int() }),
  permissions: ['proc.exec'],
  effect: 'exec',
  access: ({ id, text }) => [
    {
      permission: 'proc.exec',
      resource: `${id} < ${text}`,
      command: {
        words: [undefined],
        text: `${id} < ${text}`,
        assignments: [],
        directory: undefined,
        onlyReads: false,
        unclear: 'It is typed into a running process, which may obey it.',
      },
    },
  ],
  preview: async ({ id, text, isLast }, { processes }) => {
    const { command } = await processes.find(id);
    const typed = text.split('\n').map((line) => `< ${line}`);
    return {
      kind: 'text',
      text: [`$ ${command}`, ...typed, ...(isLast ? ['Its input ends there.'] : [])].join('\n'),
    };
  },
  async run({ id, text, isLast }, { processes }) {
    await processes.write(id, text, isLast);
    return { id, bytes: Buffer.byteLength(text) };
  },
});
