/** `lsp.references`: every place where the name at a place is used. */
import { placesOperation } from './places-operation.ts';

export const lspReferences = placesOperation(
  'lsp.references',
  'Where the name at a place is used, by a language server.',
  (languages, path, position) => languages.references(path, position),
);
