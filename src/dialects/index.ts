/** Every dialect by name. */
import { Failure } from '../failure.ts';
import { nearest } from '../runtime/nearest.ts';
import type { Dialect } from '../runtime/tool.ts';
import { clude } from './clude/index.ts';
import { codelab } from './codelab/index.ts';
import { coder } from './coder/index.ts';
import { handrail } from './handrail/index.ts';
import { tenas } from './tenas/index.ts';

export const dialects: readonly Dialect[] = [handrail, coder, tenas, clude, ...codelab];

/** The dialect of that name, or a failure with the nearest ones. */
export function findDialect(name: string, known: readonly Dialect[] = dialects): Dialect {
  const found = known.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const names = known.map((dialect) => dialect.name);
  const close = nearest(name, names);
  throw new Failure('E_INVALID_ARGS', `There is no dialect ${JSON.stringify(name)}.`, {
    hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `There are ${names.join(', ')}.`,
  });
}
