/** A tool as it is listed to models, whatever carries the list. */

/** Many model APIs refuse dots in names. */
export function listedName(name: string): string {
  return name.replaceAll('.', '_');
}

/** A schema without its revision of JSON Schema, which costs words and tells a model nothing. */
export function withoutRevision(schema: unknown): Record<string, unknown> {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
