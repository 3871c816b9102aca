/** What language servers send, as far as it is used; everything else in it is left alone, and what does not fit is no answer. */
import { z } from 'zod';

const MAX_MESSAGE_CHARACTERS = 4_000;

const position = z.object({
  line: z
    .int()
    .min(0)
    .max(2 ** 31),
  character: z
    .int()
    .min(0)
    .max(2 ** 31),
});
export const rangeMessage = z.object({ start: position, end: position });

const location = z.object({ uri: z.string(), range: rangeMessage });
const locationLink = z
  .object({ targetUri: z.string(), targetSelectionRange: rangeMessage })
  .transform(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));

/** Of a definition or of references: none, one or several, in either form. */
export const locationsMessage = z
  .union([z.null(), location, z.array(z.union([location, locationLink]))])
  .transform((found) => (found === null ? [] : Array.isArray(found) ? found : [found]));

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

const diagnostic = z
  .object({
    range: rangeMessage,
    severity: z.int().min(1).max(4).nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
    source: z.string().nullish(),
    message: z.string(),
  })
  .transform(({ range, severity, code, source, message }) => ({
    range,
    severity: SEVERITIES[(severity ?? 1) - 1]!,
    message: message.slice(0, MAX_MESSAGE_CHARACTERS),
    ...(code === null || code === undefined ? {} : { code: String(code) }),
    ...(source === null || source === undefined ? {} : { source }),
  }));

export const publishedMessage = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: z.array(diagnostic),
});

/** Nobody offers an earlier result, so `unchanged` would be nonsense. */
export const diagnosticsMessage = z
  .object({ kind: z.literal('full'), items: z.array(diagnostic) })
  .transform(({ items }) => items);

const markedString = z.union([
  z.string(),
  z
    .object({ language: z.string(), value: z.string() })
    .transform(({ language, value }) => `\`\`\`${language}\n${value}\n\`\`\``),
]);

export const hoverMessage = z
  .object({
    contents: z.union([
      z.object({ kind: z.enum(['markdown', 'plaintext']), value: z.string() }),
      z.union([markedString, z.array(markedString)]).transform((parts) => ({
        kind: 'markdown' as const,
        value: [parts].flat().join('\n\n'),
      })),
    ]),
  })
  .nullable()
  .transform((hover) => {
    const contents = hover?.contents.value.trim() ?? '';
    return contents === '' ? undefined : { contents, kind: hover!.contents.kind };
  });

const flatSymbol = z.object({
  name: z.string(),
  kind: z.int(),
  containerName: z.string().nullish(),
  location: z.object({ uri: z.string(), range: rangeMessage.optional() }),
});

export interface SymbolMessage {
  readonly name: string;
  readonly kind: number;
  readonly selectionRange: z.infer<typeof rangeMessage>;
  readonly children?: readonly SymbolMessage[] | null | undefined;
}

const nestedSymbol: z.ZodType<SymbolMessage> = z.object({
  name: z.string(),
  kind: z.int(),
  selectionRange: rangeMessage,
  get children() {
    return z.array(nestedSymbol).nullish();
  },
});

export const documentSymbolsMessage = z.union([z.null(), z.array(nestedSymbol), z.array(flatSymbol)]);
export const workspaceSymbolsMessage = z.union([z.null(), z.array(flatSymbol)]);

const textEdit = z.object({ range: rangeMessage, newText: z.string() });
/** Files that would be made, moved or removed are more than a renaming is meant to do. */
const documentEdit = z.object({
  textDocument: z.object({ uri: z.string(), version: z.int().nullish() }),
  edits: z.array(textEdit),
});

/** The edits of each file, by URI. */
export const workspaceEditMessage = z
  .union([
    z.null(),
    z
      .object({ documentChanges: z.array(documentEdit) })
      .transform(({ documentChanges }) =>
        documentChanges.map(({ textDocument, edits }) => ({ uri: textDocument.uri, edits })),
      ),
    z
      .object({ changes: z.record(z.string(), z.array(textEdit)) })
      .transform(({ changes }) => Object.entries(changes).map(([uri, edits]) => ({ uri, edits }))),
  ])
  .transform((edits) => edits ?? []);

export type TextEditMessage = z.infer<typeof textEdit>;

export const initializeMessage = z.object({
  capabilities: z.object({
    positionEncoding: z.string().nullish(),
    diagnosticProvider: z.unknown().optional(),
    hoverProvider: z.unknown().optional(),
    definitionProvider: z.unknown().optional(),
    referencesProvider: z.unknown().optional(),
    documentSymbolProvider: z.unknown().optional(),
    workspaceSymbolProvider: z.unknown().optional(),
    renameProvider: z.unknown().optional(),
  }),
});

export type ServerCapabilities = z.infer<typeof initializeMessage>['capabilities'];

export const configurationQuestion = z.object({
  items: z.array(z.object({ section: z.string().optional() })).max(100),
});

const KINDS =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter'.split(
    ' ',
  );

/** The word for a symbol's number. */
export function symbolKind(kind: number): string {
  return KINDS[kind - 1] ?? 'symbol';
}
