/** Operations that ask a language server for places in files, by a place. */
import { z } from 'zod';
import type { Answer, TextPlace, TextPosition } from '../../host/ports.ts';
import { defineOperation, type ScopedLanguages } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { placeSchema, positionSchema, serverShape, serverTrouble, toOutput } from './server-answer.ts';

const input = z.strictObject({ path: workspacePathSchema, position: positionSchema });
const output = z.strictObject({ ...serverShape, places: z.array(placeSchema) });

type Ask = (
  languages: ScopedLanguages,
  path: string,
  position: TextPosition,
) => Promise<Answer<readonly TextPlace[]>>;

/** One of them. */
export function placesOperation(name: string, summary: string, ask: Ask) {
  return defineOperation<z.infer<typeof input>, z.infer<typeof output>>({
    name,
    summary,
    input,
    output,
    permissions: ['fs.read'],
    effect: 'read',
    access: ({ path }) => [{ permission: 'fs.read', resource: path }],
    run: async ({ path, position }, { languages }) =>
      toOutput(await ask(languages, path, position), { places: [] }, (places) => ({ places: [...places] })),
    troubleOf: (answer) => serverTrouble(answer),
  });
}
