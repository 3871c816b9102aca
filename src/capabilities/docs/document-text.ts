/** What reading a document takes and gives, whatever kind it is, and the work that all kinds have in common. */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { DocumentPicture, DocumentText } from '../../host/ports.ts';
import type { OperationContext } from '../../runtime/operation.ts';
import { mediaType } from '../fs/media-type.ts';
import { readWhole } from '../fs/text.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';

const picturesSchema = z
  .strictObject({
    folder: workspacePathSchema.describe('Holds a folder for each session'),
    count: z.int().min(0),
    bytes: z.int().min(0),
  })
  .optional()
  .describe('Where its pictures are kept, and how many of them; without it they are left in it');

/** What every kind takes. */
export const documentInput = {
  path: workspacePathSchema,
  from: z.int().min(1).describe('The first row of each sheet, line of the text, or page'),
  count: z.int().min(1).describe('How many of them'),
  maxCharacters: z.int().min(1).describe('The text is cut there, after a whole row, line or page'),
  maxBytes: z.int().min(1).describe('A larger file is a failure'),
};

/** What kinds with pictures take besides. */
export const pictureInput = { pictures: picturesSchema };

const keptPicture = z.strictObject({
  name: z.string().describe('In the document'),
  path: workspacePathSchema,
  mediaType: z.string(),
  bytes: z.int(),
});
type KeptPicture = z.infer<typeof keptPicture>;

/** What every kind gives. */
export const documentOutput = z.strictObject({
  path: workspacePathSchema,
  bytes: z.int().describe('The size of the file'),
  kind: z.enum(['spreadsheet', 'word', 'pdf']),
  text: z.string(),
  isCut: z.boolean().describe('Whether there is more than the text tells'),
  next: z.int().optional().describe('Where to go on'),
  total: z.int().optional().describe('Rows, lines or pages in all; absent where several sheets were read'),
  sheets: z.array(z.strictObject({ name: z.string(), isHidden: z.boolean() })),
  notes: z.array(z.string()).describe('What a reader should know besides'),
  pictures: z.array(keptPicture),
  picturesLeft: z.int().describe('How many pictures are in the document only'),
});
export type DocumentOutput = z.infer<typeof documentOutput>;

interface Wanted {
  readonly path: string;
  readonly from: number;
  readonly count: number;
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly sheet?: string | undefined;
  readonly maxColumns?: number | undefined;
  readonly pictures?: z.infer<typeof picturesSchema>;
}

/** Reads a document whose name ends in one of these ways. */
export async function readDocument(
  wanted: Wanted,
  extensions: readonly string[],
  context: OperationContext,
): Promise<DocumentOutput> {
  const { path, maxBytes, pictures } = wanted;
  await using file = await context.files.open(path);
  const extension = extname(path).toLowerCase();
  if (!extensions.includes(extension)) {
    throw new Failure('E_UNSUPPORTED', `Only ${extensions.join('/')} files are supported.`, {
      hint: `${JSON.stringify(path)} is read with another tool, or converted first.`,
    });
  }
  let bytes = file.stat.size;
  const part = {
    extension,
    sheet: wanted.sheet,
    from: wanted.from,
    count: wanted.count,
    maxColumns: wanted.maxColumns ?? 1,
    maxCharacters: wanted.maxCharacters,
    pictures: pictures ?? { count: 0, bytes: 0 },
  };
  const read = await context.documents.read(part, async () => {
    const whole = await readWhole(file, path, maxBytes);
    bytes = whole.length;
    return whole;
  });
  return { path, bytes, ...(await withPictures(read, pictures?.folder, context)) };
}

/** Keeps the pictures; where that may not be, it is said. The text then refers to them by where they are. */
async function withPictures(
  read: DocumentText,
  folder: string | undefined,
  context: OperationContext,
): Promise<Omit<DocumentOutput, 'path' | 'bytes'>> {
  const kept: KeptPicture[] = [];
  let whyNot: string | undefined;
  for (const picture of folder === undefined ? [] : read.pictures) {
    const type = mediaType(picture.bytes);
    // What only calls itself a picture is none.
    if (type?.startsWith('image/') !== true) continue;
    const saved = await context.session.keep(folder!, nameOf(picture, type), picture.bytes);
    whyNot = saved.whyNot;
    if (saved.path === undefined) break;
    kept.push({ name: picture.name, path: saved.path, mediaType: type, bytes: picture.bytes.length });
  }
  const text = kept.reduce(
    (written, { name, path }) => written.replaceAll(`](${name})`, `](${path})`),
    read.text,
  );
  return {
    kind: read.kind,
    text,
    isCut: read.isCut,
    ...(read.next === undefined ? {} : { next: read.next }),
    ...(read.total === undefined ? {} : { total: read.total }),
    sheets: [...read.sheets],
    notes: [...read.notes, ...(whyNot === undefined ? [] : [`Its pictures were not kept: ${whyNot}`])],
    pictures: kept,
    picturesLeft: read.picturesLeft + read.pictures.length - kept.length,
  };
}

/** The same picture has the same name, so that it is kept once. */
function nameOf({ bytes }: DocumentPicture, type: string): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return `${hash}.${type.slice('image/'.length).replace('jpeg', 'jpg')}`;
}
