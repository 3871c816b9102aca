/** The surface of every dialect as a file, so that any change of it shows in review. `vitest -u` writes them anew. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeTools } from '../../src/create-runtime.ts';
import { dialects } from '../../src/dialects/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

/** JSON as the formatter of this project leaves it: lists of words on one line. */
function toText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const listOfWords = /\[\s+("[^"\n]*"(?:,\s+"[^"\n]*")*)\s+\]/g;
  return `${text.replace(listOfWords, (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`)}\n`;
}

describe('definitions', () => {
  it.each(dialects().map(({ name }) => name))('of %s are those on file', async (dialect) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect });
    await expect(toText(runtime.definitions())).toMatchFileSnapshot(`./${dialect}.json`);
  });

  it.each(dialects().map(({ name }) => name))(
    'of %s take and give objects, or MCP clients would refuse the whole list',
    (dialect) => {
      const isObject = (schema: unknown): boolean => Object(schema).type === 'object';
      const others = describeTools(dialect).filter(
        ({ args_schema, return_schema }) => !isObject(args_schema) || !isObject(return_schema),
      );
      expect(others.map(({ name }) => name)).toEqual([]);
    },
  );

  it('are on file for no dialect that is gone', () => {
    const known = new Set(dialects().map(({ name }) => `${name}.json`));
    const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
    expect(files.filter((name) => !known.has(name))).toEqual([]);
  });
});
