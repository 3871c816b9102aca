/** Documents in `handrail`: one tool for every kind. */
import { z } from 'zod';
import { docsRead } from '../../capabilities/docs/read.ts';
import { defineTool } from '../dialect.ts';

const MAX_PARTS = 2_000;
const MAX_CHARACTERS = 50 * 1024;

export const readDocument = defineTool({
  name: 'read_document',
  version: '1.0.0',
  description:
    'Read the text of a workbook (.xlsx, .xls, .xlsm), text document (.docx) or .pdf. from and limit count rows of each sheet, lines, or pages.',
  args: z.strictObject({
    path: z.string(),
    sheet: z.string().optional().describe('All by default'),
    from: z.int().min(1).optional(),
    limit: z.int().min(1).optional(),
  }),
  returns: z.object({
    ok: z.literal(true),
    path: z.string().describe('Absolute'),
    text: z.string(),
    has_more: z.boolean(),
    next: z.int().optional().describe('Where to go on'),
    total: z.int().optional(),
    sheets: z.array(z.string()).optional(),
    notes: z.array(z.string()).optional(),
  }),
  operation: docsRead,
  toInput: (args, workspace) => ({
    path: workspace.path(args.path),
    sheet: args.sheet,
    from: args.from ?? 1,
    count: Math.min(args.limit ?? MAX_PARTS, MAX_PARTS),
    maxColumns: 200,
    maxCharacters: MAX_CHARACTERS,
    maxBytes: 64 * 1024 * 1024,
  }),
  // The text must fit, however its characters are written in JSON.
  replyBytes: 7 * MAX_CHARACTERS,
  render: ({ path, text, isCut, next, total, sheets, notes, picturesLeft }, { workspace }) => ({
    ok: true,
    path: workspace.absolute(path),
    text,
    has_more: isCut,
    ...(next === undefined ? {} : { next }),
    ...(total === undefined ? {} : { total }),
    ...(sheets.length === 0 ? {} : { sheets: sheets.map(({ name }) => name) }),
    ...(notes.length + picturesLeft === 0 ? {} : { notes: [...notes, ...picturesNote(picturesLeft)] }),
  }),
});

function picturesNote(count: number): string[] {
  return count === 0 ? [] : [`Pictures in it: ${count}.`];
}
