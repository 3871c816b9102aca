/** The tools of `tenas` for office documents: text, and pictures kept beside the chat. */
import { z } from 'zod';
import type { DocumentOutput } from '../../capabilities/docs/document-text.ts';
import { docsReadSpreadsheet } from '../../capabilities/docs/read-spreadsheet.ts';
import { docsReadWord } from '../../capabilities/docs/read-word.ts';
import { defineTool } from '../dialect.ts';

const path = z.string().describe('Relative to the project, or absolute inside it');
const MEBIBYTE = 1024 * 1024;
const MAX_CHARACTERS = 200_000;
const PICTURES = { folder: '.tenas/chat', count: 20, bytes: 10 * MEBIBYTE };
/** More than any text has. */
const ALL_LINES = 2 ** 31;

const read = {
  path: z.string(),
  bytes: z.int(),
  text: z.string(),
  truncated: z.boolean(),
  images: z
    .array(
      z.object({
        url: z.string(),
        mediaType: z.string(),
        fileName: z.string(),
        relativePath: z.string(),
        bytes: z.int(),
      }),
    )
    .describe('Relative to the project'),
  imagesTruncated: z.boolean().describe('Whether there are images that were not kept'),
  notes: z.array(z.string()).optional(),
};

export const fileReadExcel = defineTool({
  name: 'file-read-excel',
  version: '1.0.0',
  description:
    'Read the text of an .xlsx, .xls or .xlsm file of at most 20 MB: up to 2000 rows and 200 columns of each sheet. Images are kept in the project (not those of .xls).',
  args: z.strictObject({ path }),
  returns: z.object({ ...read, sheetNames: z.array(z.string()) }),
  operation: docsReadSpreadsheet,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    from: 1,
    count: 2_000,
    maxColumns: 200,
    maxCharacters: MAX_CHARACTERS,
    maxBytes: 20 * MEBIBYTE,
    pictures: PICTURES,
  }),
  render: (output) => ({ ...rendered(output), sheetNames: output.sheets.map(({ name }) => name) }),
});

export const fileReadDocx = defineTool({
  name: 'file-read-docx',
  version: '1.0.0',
  description: 'Read the text of a .docx file of at most 10 MB, as Markdown. Images are kept in the project.',
  args: z.strictObject({ path }),
  returns: z.object(read),
  operation: docsReadWord,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    from: 1,
    count: ALL_LINES,
    maxCharacters: MAX_CHARACTERS,
    maxBytes: 10 * MEBIBYTE,
    pictures: PICTURES,
  }),
  render: rendered,
});

function rendered(output: DocumentOutput) {
  const { path, bytes, text, isCut, pictures, picturesLeft, notes } = output;
  return {
    path,
    bytes,
    text,
    truncated: isCut,
    images: pictures.map((picture) => ({
      url: picture.path,
      mediaType: picture.mediaType,
      fileName: picture.path.slice(picture.path.lastIndexOf('/') + 1),
      relativePath: picture.path,
      bytes: picture.bytes,
    })),
    imagesTruncated: picturesLeft > 0,
    ...(notes.length === 0 ? {} : { notes }),
  };
}
