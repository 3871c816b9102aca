/** `interact.review`: a patch, of which the user takes what they like. Nothing is changed; what they took is a patch again. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { type FilePatch, filePatchSchema } from '../patch/file-patch.ts';
import { chunksOf, diffOfChunks, type PatchChunk } from '../patch/patch-chunks.ts';
import { planFile } from '../patch/plan-file.ts';
import { messageSchema } from './ask.ts';

/** More than anybody looks through. */
const MAX_CHUNKS = 200;

/** What the user said about a chunk, or about the whole patch. */
export const commentSchema = z.strictObject({ chunk: z.int().optional(), text: z.string() });

export const interactReview = defineOperation({
  name: 'interact.review',
  summary: 'Has the user choose what to take of a patch.',
  input: z.strictObject({
    files: z.array(filePatchSchema).min(1),
    message: messageSchema.optional(),
    maxBytes: z.int().min(1).describe('A larger file is a failure'),
  }),
  output: z.strictObject({
    action: z.enum(['apply', 'cancel']),
    filteredDiff: z.string().describe('What was taken'),
    taken: z.array(z.int()).describe('The chunks that were taken, counted from 1'),
    total: z.int(),
    comments: z.array(commentSchema),
  }),
  permissions: ['fs.read', 'user.ask'],
  effect: 'ask',
  access: ({ files }) => [
    ...files
      .flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
      .map((resource) => ({ permission: 'fs.read' as const, resource })),
    { permission: 'user.ask', resource: 'review' },
  ],
  async run({ files, message = 'Which of these changes do you want?', maxBytes }, context) {
    refuseMany(files);
    const chunks: PatchChunk[] = [];
    // One that does not fit is nothing to ask a person about.
    for (const file of files)
      chunks.push(...chunksOf(await planFile(file, context.files, { alreadyApplied: 'failure', maxBytes })));
    const answer = await context.people.ask({
      kind: 'review',
      message,
      chunks: chunks.map((chunk, index) => ({
        number: index + 1,
        path: chunk.path,
        text: diffOfChunks([chunk]),
      })),
    });
    return {
      action: answer.action,
      filteredDiff: diffOfChunks(chunks.filter((_, index) => answer.taken.includes(index + 1))),
      taken: [...answer.taken],
      total: chunks.length,
      comments: [...(answer.comments ?? [])],
    };
  },
});

function refuseMany(files: readonly FilePatch[]): void {
  const chunks = files.map(({ operation, hunks }) =>
    operation === 'update' ? Math.max(1, hunks.length) : 1,
  );
  const total = chunks.reduce((sum, count) => sum + count, 0);
  if (total <= MAX_CHUNKS) return;
  throw new Failure('E_TOO_LARGE', `The patch has ${total} chunks, more than ${MAX_CHUNKS}.`, {
    hint: 'Have it reviewed in parts.',
  });
}
