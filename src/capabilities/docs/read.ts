/** `docs.read`: an office document or PDF, by what its name says it is. */
import { extname } from 'node:path';
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { documentInput, documentOutput, readDocument } from './document-text.ts';
import { docsReadPdf, PDFS } from './read-pdf.ts';
import { docsReadSpreadsheet, SPREADSHEETS } from './read-spreadsheet.ts';
import { docsReadWord, WORD_DOCUMENTS } from './read-word.ts';

export const docsRead = defineOperation({
  name: 'docs.read',
  summary: 'Reads the text of a workbook, a text document or a PDF.',
  input: z.strictObject({
    ...documentInput,
    sheet: z.string().optional().describe('Of a workbook, its name; all sheets without it'),
    maxColumns: z.int().min(1),
  }),
  output: documentOutput,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run({ sheet, maxColumns, ...input }, context) {
    const extension = extname(input.path).toLowerCase();
    if (WORD_DOCUMENTS.includes(extension)) return docsReadWord.run(input, context);
    if (PDFS.includes(extension)) return docsReadPdf.run(input, context);
    if (SPREADSHEETS.includes(extension))
      return docsReadSpreadsheet.run({ ...input, sheet, maxColumns }, context);
    return readDocument(input, [...SPREADSHEETS, ...WORD_DOCUMENTS, ...PDFS], context);
  },
});
