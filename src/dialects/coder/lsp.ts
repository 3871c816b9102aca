/** The language tools of `coder`: places are counted from 0, and a missing server is told with what to do instead. */
import { z } from 'zod';
import { lspDefinition } from '../../capabilities/lsp/definition.ts';
import { lspDiagnostics } from '../../capabilities/lsp/diagnostics.ts';
import { lspHover } from '../../capabilities/lsp/hover.ts';
import type { ServerFields } from '../../capabilities/lsp/server-answer.ts';
import { defineTool } from '../dialect.ts';
import { cutFields, cutShape } from './cut-output.ts';

const position = z.object({ line: z.int(), character: z.int() });
export const range = z.object({ start: position, end: position });

/** What every reply of these tools says. */
export const serverShape = {
  ok: z.boolean(),
  server_status: z.enum(['active', 'not_installed', 'unsupported', 'error', 'unavailable']),
  error: z.string().optional(),
  install_hint: z.string().optional(),
  fallback: z.string().optional().describe('What to do instead'),
  note: z.string().optional(),
};

/** The place that is asked about. */
export const placeShape = {
  path: z.string(),
  line: z.int().min(0).describe('From 0'),
  character: z.int().min(0).describe('From 0'),
};

/** What a reply says about the server. */
export function serverReply(output: ServerFields, fallback: string) {
  const { status, says, install, note } = output;
  if (status === 'active')
    return { ok: true, server_status: status, ...(note === undefined ? {} : { note }) };
  return {
    ok: false,
    server_status: status,
    error: says ?? 'No language server answered.',
    ...(install === undefined ? {} : { install_hint: install }),
    fallback,
  };
}

export const diagnosticsReturns = z.object({
  ...serverShape,
  diagnostics: z.array(
    z.object({
      range,
      severity: z.enum(['error', 'warning', 'information', 'hint']),
      message: z.string(),
      code: z.string().optional(),
      source: z.string().optional(),
    }),
  ),
  count: z.int(),
  ...cutShape,
});

export const lspDiagnosticsTool = defineTool({
  name: 'lsp_diagnostics',
  version: '1.0.0',
  description: 'Errors and warnings of a file as it is now, from its language server.',
  args: z.strictObject({ path: z.string() }),
  returns: diagnosticsReturns,
  operation: lspDiagnostics,
  toInput: (args, workspace) => ({ path: workspace.path(args.path), onlyNew: false }),
  render: renderDiagnostics,
});

/** Also for dialects that take more arguments. */
export function renderDiagnostics(
  output: z.infer<typeof lspDiagnostics.output>,
  { truncation }: { truncation: Parameters<typeof cutFields>[0] },
): z.infer<typeof diagnosticsReturns> {
  const { diagnostics, leftOut } = output;
  return {
    ...serverReply(output, 'Look for likely problems with grep, or run the checks of the project with bash.'),
    diagnostics,
    count: (truncation?.total ?? diagnostics.length) + leftOut,
    ...(leftOut > 0 ? { truncated: true as const } : {}),
    ...cutFields(truncation),
  };
}

export const location = z.object({
  uri: z.string(),
  range,
  path: z.string().describe('Relative to the workspace; absolute outside it'),
  line: z.int(),
  character: z.int(),
});

type Place = z.infer<typeof lspDefinition.output>['places'][number];

/** A place as these tools show it. */
export function toLocation({ uri, path, range }: Place): z.infer<typeof location> {
  return {
    uri,
    range,
    path: path ?? outsidePath(uri),
    line: range.start.line,
    character: range.start.character,
  };
}

/** A file of the machine by its path; what is no file stays a URI. */
function outsidePath(uri: string): string {
  try {
    const { protocol, pathname } = new URL(uri);
    return protocol === 'file:' ? decodeURIComponent(pathname) : uri;
  } catch {
    return uri;
  }
}

export const lspDefinitionTool = defineTool({
  name: 'lsp_definition',
  version: '1.0.0',
  description: 'Where the name at a place is defined. line and character count from 0.',
  args: z.strictObject(placeShape),
  returns: z.object({
    ...serverShape,
    location: location.nullable(),
    locations: z.array(location).optional().describe('Where there are several'),
  }),
  operation: lspDefinition,
  toInput: ({ path, line, character }, workspace) => ({
    path: workspace.path(path),
    position: { line, character },
  }),
  render(output) {
    const locations = output.places.map(toLocation);
    const fallback = 'Search for the name with grep.';
    return {
      ...serverReply(output, fallback),
      location: locations[0] ?? null,
      ...(locations.length > 1 ? { locations } : {}),
      ...(locations.length === 0 ? { fallback } : {}),
    };
  },
});

export const lspHoverTool = defineTool({
  name: 'lsp_hover',
  version: '1.0.0',
  description: 'Type and documentation of the name at a place. line and character count from 0.',
  args: z.strictObject(placeShape),
  returns: z.object({
    ...serverShape,
    contents: z.string().describe('Empty where nothing is known'),
    content_kind: z.enum(['markdown', 'plaintext']),
  }),
  operation: lspHover,
  toInput: ({ path, line, character }, workspace) => ({
    path: workspace.path(path),
    position: { line, character },
  }),
  render(output) {
    const fallback = 'Read the source instead.';
    return {
      ...serverReply(output, fallback),
      contents: output.contents,
      content_kind: output.kind,
      ...(output.contents === '' ? { fallback } : {}),
    };
  },
});
