/** Messages about wrong arguments and unknown tools: they name the field and what was expected. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';

async function errorOf(tool: string, args: unknown, dialect = 'handrail'): Promise<unknown> {
  await using workspace = tempWorkspace({ 'a.txt': 'x' });
  const runtime = await workspace.runtime({ dialect });
  return (await runtime.call(tool, args)).result.error;
}

function wrong(tool: string, message: string, hint: string): unknown {
  return { code: 'E_INVALID_ARGS', message: `Wrong arguments for ${tool}: ${message}`, details: { hint } };
}

const READ_TAKES = 'It takes: path, offset, limit.';

describe('decode', () => {
  it.each([
    ['a missing argument', {}, '"path" is missing (expected string).'],
    ['a wrong type', { path: 7 }, '"path": expected string, received number.'],
    ['null', { path: null }, '"path": expected string, received null.'],
    ['a fraction', { path: 'a', offset: 1.5 }, '"offset": expected int, received number.'],
    ['a number as text', { path: 'a', limit: '5' }, '"limit": expected number, received string.'],
    ['a misspelt argument', { path: 'a', ofset: 1 }, 'There is no argument "ofset"; did you mean "offset"?'],
    ['an argument of nowhere', { path: 'a', encoding: 'utf-8' }, 'There is no argument "encoding".'],
    [
      'several at once',
      { paht: 'a' },
      '"path" is missing (expected string). There is no argument "paht"; did you mean "path"?',
    ],
    ['no object', 'a.txt', 'the arguments: expected object, received string.'],
    ['nothing', undefined, 'the arguments: expected object, received undefined.'],
  ])('explains %s', async (_, args, message) => {
    expect(await errorOf('read', args)).toEqual(wrong('read', message, READ_TAKES));
  });

  it('says which words an argument that is missing may have', async () => {
    const message = '"action" is missing (expected "list" or "load").';
    expect(await errorOf('skill', {})).toEqual(wrong('skill', message, 'It takes: action, name, file.'));
  });

  it('says the range of a number', async () => {
    expect(await errorOf('read_output', { output_id: 'x', offset: -1 })).toMatchObject({
      message: expect.stringMatching(/^Wrong arguments for read_output: "offset": .*>=0/) as string,
    });
  });

  it('does not repeat a name without bounds', async () => {
    const error = (await errorOf('x'.repeat(100_000), {})) as { message: string };
    expect(error.message.length).toBeLessThan(300);
  });
});

describe('an unknown tool', () => {
  it.each([
    ['handrail', 'raed', 'There is no tool "raed" in the dialect handrail.', 'Did you mean read?'],
    [
      'codelab@1.0',
      'delete_file',
      'There is no tool "delete_file" in the dialect codelab@1.0.',
      /^(Did you mean|Its tools are) .*read_file/,
    ],
    [
      'coder',
      'zzzzzzzz',
      'There is no tool "zzzzzzzz" in the dialect coder.',
      /^Its tools are read, write, edit/,
    ],
  ])('in %s gets the nearest names: %s', async (dialect, tool, message, hint) => {
    const error = await errorOf(tool, {}, dialect);
    expect(error).toMatchObject({ code: 'E_NO_TOOL', message });
    expect((error as { details: { hint: string } }).details.hint).toMatch(hint);
  });
});
