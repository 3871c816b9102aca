/** `fs.readMedia`: an image, a sound or a document as data, for models that see and hear. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { mediaType } from './media-type.ts';
import { readWhole } from './text.ts';
import { workspacePathSchema } from './workspace-path-schema.ts';

export const fsReadMedia = defineOperation({
  name: 'fs.readMedia',
  summary: 'Reads an image, sound, video or PDF file as data.',
  input: z.strictObject({
    path: workspacePathSchema,
    maxBytes: z.int().min(1).describe('A larger file is a failure'),
  }),
  output: z.strictObject({
    path: workspacePathSchema,
    mediaType: z.string(),
    bytes: z.int(),
    data: z.string().describe('Base64'),
  }),
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  async run({ path, maxBytes }, { files }) {
    await using file = await files.open(path);
    const content = await readWhole(file, path, maxBytes);
    const type = mediaType(content);
    if (type === undefined) {
      throw new Failure(
        'E_UNSUPPORTED',
        `${JSON.stringify(path)} is not an image, sound, video or PDF file.`,
        {
          hint: 'Text files are read with the tool that reads lines.',
        },
      );
    }
    return { path, mediaType: type, bytes: content.length, data: Buffer.from(content).toString('base64') };
  },
});
