/** The API as OpenAPI 3.1, made from its routes. */
import * as z from 'zod';
import { PROJECT_HEADER } from '../../project-header.ts';
import { REFUSAL } from './refusals.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const PERSON = [{ token: [], approvalKey: [] }];
const EVERYONE = [{ token: [] }];

/** The document. */
export function openApi(routes: readonly Route[], version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const take = (schema: z.ZodType, io: 'input' | 'output'): Json => collect(schema, io, schemas);
  for (const one of routes) (paths[one.path] ??= {})[one.method] = operation(one, take);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Handrail',
      version,
      description: 'Tools for coding agents behind one policy, one sandbox, one audit log and one undo.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Printed by `handrail serve`.' },
        approvalKey: {
          type: 'apiKey',
          in: 'header',
          name: 'handrail-approval',
          description: 'What stands behind `#approve=` in the address: for the person, never for an agent.',
        },
      },
    },
  };
}

function operation(one: Route, take: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const { name, summary, who, params, query, body, returns, type = 'application/json' } = one;
  return {
    operationId: name,
    summary,
    security: who === 'person' ? PERSON : EVERYONE,
    parameters: [
      ...parameters('path', params, take),
      ...parameters('query', query, take),
      {
        name: PROJECT_HEADER,
        in: 'header',
        schema: { type: 'string' },
        description: "A registered project; else the server's own workspace.",
      },
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: take(body, 'input') } } },
        }),
    responses: {
      200: { description: 'Fine.', content: { [type]: { schema: take(returns, 'output') } } },
      default: {
        description: 'What is wrong, and what to do next.',
        content: { 'application/json': { schema: take(REFUSAL, 'output') } },
      },
    },
  };
}

function parameters(
  place: 'path' | 'query',
  fields: z.ZodObject | undefined,
  take: (schema: z.ZodType, io: 'input' | 'output') => Json,
): Json[] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = take(field as z.ZodType, 'input');
    const isNeeded = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return {
      name,
      in: place,
      required: isNeeded,
      schema,
      ...(description === undefined ? {} : { description }),
    };
  });
}

/** A schema whose named parts are among the document's own. */
function collect(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _dialect,
    $defs = {},
    ...made
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  }) as Json & { $defs?: Json };
  for (const [name, part] of Object.entries($defs)) schemas[name] = moved(part);
  const name = schema.meta()?.id;
  if (name === undefined) return moved(made) as Json;
  const { id: _id, ...own } = made;
  schemas[name] = moved(own);
  return { $ref: `#/components/schemas/${name}` };
}

/** References lead to the document's own schemas. */
function moved(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : value,
    ),
  );
}
