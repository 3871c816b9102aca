/** Every dialect by name. */
import { Failure } from '../failure.ts';
import { nearest } from '../runtime/nearest.ts';
import type { Dialect } from '../runtime/tool.ts';
import { clude } from './clude/index.ts';
import { codelab } from './codelab/index.ts';
import { coder } from './coder/index.ts';
import { handrail } from './handrail/index.ts';
import { tenas } from './tenas/index.ts';

/** Every dialect, and those that were added. */
export function dialects(added: readonly Dialect[] = []): Dialect[] {
  return [...oneByOne(added)];
}

/** The dialect of that name, or a failure with the nearest ones. */
export function findDialect(name: string, added: readonly Dialect[] = []): Dialect {
  for (const dialect of oneByOne(added)) if (dialect.name === name) return dialect;
  const names = dialects(added).map((dialect) => dialect.name);
  const close = nearest(name, names);
  throw new Failure('E_INVALID_ARGS', `There is no dialect ${JSON.stringify(name)}.`, {
    hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `There are ${names.join(', ')}.`,
  });
}

/** The usual one first: the command line loads the others when somebody comes to them. */
function* oneByOne(added: readonly Dialect[]): Generator<Dialect> {
  yield handrail;
  yield coder;
  yield tenas;
  yield clude;
  yield* codelab;
  yield* added;
}
