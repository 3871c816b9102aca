/** The tables of language servers, where none is known for a file: what real ones answer is in `test/host/local/language`. */
import { expect } from 'vitest';
import { NOT_PRESENTED, type Case, type Table } from './table.ts';

const files = { 'a.unheard': 'a\n' };
const PLACE = { path: 'a.unheard', line: 0, character: 0 };
const SAYS = 'No language server is known for files like "a.unheard".';

const unsupported = (tool: string, fallback: string, rest: object, args: object = PLACE): Case => ({
  tool,
  files,
  args,
  reply: () => ({ ok: false, server_status: 'unsupported', error: SAYS, fallback, ...rest }),
});

const ELSEWHERE = { tenas: NOT_PRESENTED, clude: NOT_PRESENTED, codelab: NOT_PRESENTED } as const;
const SEARCH = 'Search for the name with grep.';

const diagnostics = unsupported(
  'lsp_diagnostics',
  'Look for likely problems with grep, or run the checks of the project with bash.',
  { diagnostics: [], count: 0 },
  { path: 'a.unheard' },
);
const definition = unsupported('lsp_definition', SEARCH, { location: null });
const hover = unsupported('lsp_hover', 'Read the source instead.', {
  contents: '',
  content_kind: 'plaintext',
});
const references = unsupported('lsp_references', SEARCH, { locations: [] });
const symbols = unsupported('lsp_symbols', SEARCH, { symbols: [] }, { path: 'a.unheard' });
const found = unsupported('lsp_find_symbol', SEARCH, { symbols: [] }, { path: 'a.unheard', query: 'a' });
const rename = unsupported(
  'lsp_rename',
  'Find the places with grep and edit them.',
  { patch: '', files: [] },
  { ...PLACE, new_name: 'b' },
);

const lint: Case = {
  tool: 'read_lints',
  files,
  args: { paths: ['a.unheard', './a.unheard'] },
  reply: () => ({
    tool_call_id: 'c1',
    ok: true,
    payload: {
      files: [
        { path: 'a.unheard', source: null, lints: [], note: `${SAYS} No linter is known for such a file.` },
      ],
      total: 0,
    },
    error: null,
    duration_ms: expect.any(Number) as number,
  }),
};

export const lspTables: Readonly<Record<string, Table>> = {
  'lsp.definition': { handrail: definition, coder: definition, ...ELSEWHERE },
  'lsp.diagnostics': { handrail: diagnostics, coder: diagnostics, ...ELSEWHERE },
  'lsp.documentSymbols': { handrail: symbols, coder: NOT_PRESENTED, ...ELSEWHERE },
  'lsp.hover': { handrail: hover, coder: hover, ...ELSEWHERE },
  'lsp.lint': { handrail: NOT_PRESENTED, coder: NOT_PRESENTED, ...ELSEWHERE, clude: lint },
  'lsp.references': { handrail: references, coder: NOT_PRESENTED, ...ELSEWHERE },
  'lsp.rename': { handrail: rename, coder: NOT_PRESENTED, ...ELSEWHERE },
  'lsp.workspaceSymbols': { handrail: found, coder: NOT_PRESENTED, ...ELSEWHERE },
};
