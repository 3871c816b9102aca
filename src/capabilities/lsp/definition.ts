/** `lsp.definition`: where the name at a place is defined. */
import { placesOperation } from './places-operation.ts';

export const lspDefinition = placesOperation(
  'lsp.definition',
  'Where the name at a place is defined, by a language server.',
  (languages, path, position) => languages.definition(path, position),
);
