/** A config file's text to settings: JSON with comments, refused with the place and the nearest name where it does not fit. */
import { parse, type ParseError, visit } from 'jsonc-parser';
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { nearest } from '../runtime/nearest.ts';
import { type Config, configSchema } from './schema.ts';
import { syntaxTrouble } from './syntax-trouble.ts';

/** Parses a config file; `file` is how messages call it. */
export function parseConfig(text: string, file: string): Config {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ''), errors, {
    allowTrailingComma: true,
    disallowComments: false,
  });
  const [first] = errors;
  if (first !== undefined)
    throw unusable(file, `line ${lineAt(text, first.offset)}: ${syntaxTrouble(first)}`);
  if (hasPrototypeName(text)) throw unusable(file, 'there is no setting "__proto__"');
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) throw unusable(file, parsed.error.issues.map((issue) => explain(issue)).join('; '));
  return parsed.data;
}

/** The parser would make such a name the object's prototype, where the schema does not see it. */
function hasPrototypeName(text: string): boolean {
  let isFound = false;
  visit(text, {
    onObjectProperty: (name) => {
      isFound ||= name === '__proto__';
    },
  });
  return isFound;
}

function explain(issue: z.core.$ZodIssue): string {
  const where = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return `${where === '' ? 'the whole' : where}: ${issue.message}`;
  const known = knownKeys(issue.path);
  return issue.keys
    .map((key) => {
      const [meant] = nearest(key, known);
      const place = where === '' ? '' : ` in ${where}`;
      return `there is no setting ${JSON.stringify(key)}${place}${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
    })
    .join('; ');
}

/** The names a place in the file may have, walked along the schema. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let type: unknown = configSchema;
  for (const key of path) {
    const inner = unwrap(type);
    type =
      inner instanceof z.ZodArray
        ? inner.element
        : inner instanceof z.ZodObject
          ? inner.shape[String(key)]
          : undefined;
  }
  const found = unwrap(type);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function unwrap(type: unknown): unknown {
  return type instanceof z.ZodOptional ? unwrap(type.unwrap()) : type;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function unusable(file: string, why: string): Failure {
  return new Failure('E_INVALID_ARGS', `${file} can not be used: ${why.endsWith('?') ? why : `${why}.`}`, {
    hint: 'Nothing was started. Correct the file; `handrail config schema` prints what it may hold.',
  });
}
