/** `docs.readWord`: a text document as Markdown. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { documentInput, documentOutput, pictureInput, readDocument } from './document-text.ts';

export const WORD_DOCUMENTS = ['.docx'];

export const docsReadWord = defineOperation({
  name: 'docs.readWord',
  summary: 'Reads a text document as Markdown: headings, lists, tables, notes and where its pictures are.',
  input: z.strictObject({ ...documentInput, ...pictureInput }),
  output: documentOutput,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path }],
  run: (input, context) => readDocument(input, WORD_DOCUMENTS, context),
});
