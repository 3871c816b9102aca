/** A dialect's tools as MCP lists them; every field is made from the catalogue. */
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Effect } from '../../policy/access.ts';
import type { Definition } from '../../runtime/catalogue.ts';
import type { Dialect, MediaFields, Tool as DialectTool } from '../../runtime/tool.ts';
import { listedName, withoutRevision } from '../../listed-tool.ts';

/** The tools as clients see them. */
export function toTools(definitions: readonly Definition[]): Tool[] {
  return definitions.map((definition) => ({
    name: listedName(definition.name),
    description: definition.description,
    inputSchema: objectSchema(definition.args_schema),
    outputSchema: withoutMedia(objectSchema(definition.return_schema), definition.media),
    annotations: ANNOTATIONS[definition.effect],
  }));
}

/** A tool by its own name, or by the one that was listed; undefined where there is none. */
export function findTool({ tools }: Dialect, name: string): DialectTool | undefined {
  return tools.get(name) ?? [...tools.values()].find((tool) => listedName(tool.name) === name);
}

type ObjectSchema = Tool['inputSchema'];

/** The revision of JSON Schema is the protocol's own. */
function objectSchema(schema: unknown): ObjectSchema {
  return withoutRevision(schema) as ObjectSchema;
}

/** Bytes travel as content, not in the structured result. */
function withoutMedia(schema: ObjectSchema, media: MediaFields | undefined): ObjectSchema {
  if (media === undefined) return schema;
  const { [media.data]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: schema.required?.filter((name) => name !== media.data) };
}

/** A write may replace what was there: whether that can be taken back is the journal's word, not the hint's. */
const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const ANNOTATIONS: Readonly<Record<Effect, ToolAnnotations>> = {
  read: READS,
  ask: { ...READS, idempotentHint: false },
  network: { ...READS, openWorldHint: true },
  state: { ...WRITES, destructiveHint: false },
  write: WRITES,
  delete: { ...WRITES, idempotentHint: true },
  exec: { ...WRITES, openWorldHint: true },
};
