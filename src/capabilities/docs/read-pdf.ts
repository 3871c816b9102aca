/** `docs.readPdf`: the text of a PDF by its pages. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { documentInput, documentOutput, readDocument } from './document-text.ts';

export const PDFS = ['.pdf'];

export const docsReadPdf = defineOperation({
  name: 'docs.readPdf',
  summary: 'Reads the text of pages of a PDF.',
  input: z.strictObject(documentInput),
  output: documentOutput,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: (input, context) => readDocument(input, PDFS, context),
});
