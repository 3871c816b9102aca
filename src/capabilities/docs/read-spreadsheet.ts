/** `docs.readSpreadsheet`: the sheets of a workbook as text. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { documentInput, documentOutput, pictureInput, readDocument } from './document-text.ts';

export const SPREADSHEETS = ['.xlsx', '.xls', '.xlsm'];

export const docsReadSpreadsheet = defineOperation({
  name: 'docs.readSpreadsheet',
  summary:
    'Reads rows of a workbook as text, with the values its formulas had when it was saved; says what is merged or hidden.',
  input: z.strictObject({
    ...documentInput,
    ...pictureInput,
    sheet: z.string().optional().describe('Its name; all sheets without it'),
    maxColumns: z.int().min(1),
  }),
  output: documentOutput,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: (input, context) => readDocument(input, SPREADSHEETS, context),
});
