/** What every answer of a language server says besides its substance, and what it means that there is none. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { Answer } from '../../host/ports.ts';

/** The fields that all operations on language servers return. */
export const serverShape = {
  status: z
    .enum(['active', 'unsupported', 'not_installed', 'error', 'unavailable'])
    .describe('Whether a server answered, or why none did'),
  language: z.string().optional(),
  server: z.string().optional(),
  says: z.string().optional().describe('What is wrong, where no server answered'),
  install: z.string().optional().describe('The command that installs the server'),
  note: z.string().optional().describe('What the answer lacks'),
  timedOut: z.boolean().optional(),
};

const serverFields = z.object(serverShape);
export type ServerFields = z.infer<typeof serverFields>;

export const positionSchema = z.strictObject({
  line: z.int().min(0).describe('Counted from 0'),
  character: z.int().min(0).describe('Counted from 0, in UTF-16 units'),
});
export const rangeSchema = z.strictObject({ start: positionSchema, end: positionSchema });
export const placeSchema = z.strictObject({
  uri: z.string(),
  path: z.string().optional().describe('Where it is in the workspace'),
  range: rangeSchema,
});

/** The fields of an answer: its substance where there is one, else what stands for none. */
export function toOutput<Value, Fields extends object>(
  answer: Answer<Value>,
  none: Fields,
  fields: (value: Value) => Fields,
): ServerFields & Fields {
  if (answer.status !== 'active') return { ...answer, ...none };
  const { value, ...rest } = answer;
  return { ...rest, ...fields(value) };
}

/** An answer that no server gave is a failure with a result. */
export function serverTrouble({
  status,
  server,
  says,
  install,
  timedOut,
}: ServerFields): Failure | undefined {
  if (status === 'active') return undefined;
  const code =
    timedOut === true
      ? 'E_TOOL_TIMEOUT'
      : status === 'error' || status === 'unavailable'
        ? 'E_EXEC'
        : 'E_UNSUPPORTED';
  const prefix = server === undefined || status === 'not_installed' ? '' : `${server}: `;
  return new Failure(code, `${prefix}${says ?? 'No language server answered.'}`, {
    details: { server_status: status },
    ...(install === undefined ? {} : { hint: `Install it: ${install}` }),
  });
}
