/** Names for "did you mean". */
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/runtime/nearest.ts';

const TOOLS = ['read', 'write', 'list', 'delete', 'read_output', 'lsp_hover', 'lsp_definition'];

describe('nearest', () => {
  it.each([
    ['raed', ['read']],
    ['READ', ['read', 'read_output']],
    ['wirte', ['write']],
    ['lst', ['list']],
    ['deleet', ['delete']],
    ['read-output', ['read_output']],
    ['lsp', ['list', 'lsp_hover', 'lsp_definition']],
    ['lsp_hoover', ['lsp_hover']],
    ['completely different', []],
  ])('finds for %s: %j', (name, found) => {
    expect(nearest(name, TOOLS)).toEqual(found);
  });

  it('gives at most three, the closest first', () => {
    expect(nearest('abcd', ['abxx', 'abcx', 'abcd', 'axcx', 'abce'])).toEqual(['abcd', 'abcx', 'abce']);
  });

  it('knows nothing among nothing', () => {
    expect(nearest('read', [])).toEqual([]);
  });

  it('looks at the start of a very long name only', () => {
    expect(nearest(`${'x'.repeat(100)}${'y'.repeat(1_000_000)}`, ['x'.repeat(100)])).toEqual([
      'x'.repeat(100),
    ]);
  });
});
