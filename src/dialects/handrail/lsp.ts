/** The language tools of `handrail`: `coder`'s, and more. */
import { z } from 'zod';
import { lspDiagnostics } from '../../capabilities/lsp/diagnostics.ts';
import { lspReferences } from '../../capabilities/lsp/references.ts';
import { lspRename } from '../../capabilities/lsp/rename.ts';
import { lspDocumentSymbols, lspWorkspaceSymbols } from '../../capabilities/lsp/symbols.ts';
import { cutFields, cutShape } from '../coder/cut-output.ts';
import {
  diagnosticsReturns,
  location,
  placeShape,
  renderDiagnostics,
  serverReply,
  serverShape,
  toLocation,
} from '../coder/lsp.ts';
import { defineTool } from '../dialect.ts';

export const lspDiagnosticsTool = defineTool({
  name: 'lsp_diagnostics',
  version: '1.0.0',
  description: 'Errors and warnings of a file as it is now, from its language server.',
  args: z.strictObject({
    path: z.string(),
    only_new: z.boolean().optional().describe('Only those since the text was last asked about'),
  }),
  returns: diagnosticsReturns.extend({ fixed: z.int().optional().describe('How many are gone') }),
  operation: lspDiagnostics,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), onlyNew: args.only_new ?? false }),
  render: (output, context) => ({
    ...renderDiagnostics(output, context),
    ...(output.fixed === undefined ? {} : { fixed: output.fixed }),
  }),
});

export const lspReferencesTool = defineTool({
  name: 'lsp_references',
  version: '1.0.0',
  description: 'Every place where the name at a place is used. line and character count from 0.',
  args: z.strictObject(placeShape),
  returns: z.object({ ...serverShape, locations: z.array(location), ...cutShape }),
  operation: lspReferences,
  toInput: ({ path, line, character }, workspace) => ({
    path: workspace.path(path),
    position: { line, character },
  }),
  render: (output, { truncation }) => ({
    ...serverReply(output, SEARCH),
    locations: output.places.map(toLocation),
    ...cutFields(truncation),
  }),
});

const SEARCH = 'Search for the name with grep.';

const symbolsReturns = z.object({
  ...serverShape,
  symbols: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      container: z.string().optional(),
      path: z.string(),
      line: z.int(),
    }),
  ),
  ...cutShape,
});

type Symbols = z.infer<typeof lspDocumentSymbols.output>;

function renderSymbols(
  output: Symbols,
  { truncation }: { truncation: Parameters<typeof cutFields>[0] },
): z.infer<typeof symbolsReturns> {
  return {
    ...serverReply(output, SEARCH),
    symbols: output.symbols.map(({ name, kind, container, place }) => {
      const { path, line } = toLocation(place);
      return { name, kind, ...(container === undefined ? {} : { container }), path, line };
    }),
    ...cutFields(truncation),
  };
}

export const lspSymbols = defineTool({
  name: 'lsp_symbols',
  version: '1.0.0',
  description: 'What is defined in a file. Lines count from 0.',
  args: z.strictObject({ path: z.string() }),
  returns: symbolsReturns,
  operation: lspDocumentSymbols,
  toInput: ({ path }, workspace) => ({ path: workspace.path(path) }),
  render: renderSymbols,
});

export const lspFindSymbol = defineTool({
  name: 'lsp_find_symbol',
  version: '1.0.0',
  description: 'Find definitions by name, in all files of a language.',
  args: z.strictObject({ query: z.string(), path: z.string().describe('Any file of the language') }),
  returns: symbolsReturns,
  operation: lspWorkspaceSymbols,
  toInput: ({ query, path }, workspace) => ({ query, path: workspace.path(path) }),
  render: renderSymbols,
});

export const lspRenameTool = defineTool({
  name: 'lsp_rename',
  version: '1.0.0',
  description:
    'Rename what stands at a place, everywhere: returns a patch for the patch tool, changes nothing.',
  args: z.strictObject({ ...placeShape, new_name: z.string().min(1) }),
  returns: z.object({ ...serverShape, patch: z.string(), files: z.array(z.string()), ...cutShape }),
  operation: lspRename,
  toInput: ({ path, line, character, new_name: name }, workspace) => ({
    path: workspace.path(path),
    position: { line, character },
    name,
  }),
  render: (output, { truncation }) => ({
    ...serverReply(output, 'Find the places with grep and edit them.'),
    patch: output.patch,
    files: output.files,
    ...cutFields(truncation),
  }),
});
