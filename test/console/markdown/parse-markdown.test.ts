import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../../console/src/markdown/parse-markdown.ts';

describe('parseMarkdown', () => {
  it('gives the blocks of a text', () => {
    const blocks = parseMarkdown('# Title\n\nWords.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n');
    expect(blocks.map(({ type }) => type).filter((type) => type !== 'space')).toEqual([
      'heading',
      'paragraph',
      'list',
      'code',
    ]);
  });

  it.each([
    ['marks without end', '_a**'.repeat(5_000)],
    ['comments without end', `a ${'<!--'.repeat(20_000)}`],
    ['instructions without end', `a ${'<?'.repeat(40_000)}`],
    ['addresses without end', 'http://a.b/('.repeat(8_000)],
    ['quotes within quotes', `${'>'.repeat(20_000)} a`],
    ['lists within lists', `words\n\n${'1. '.repeat(7_000)}`],
    ['more than anybody writes', 'word '.repeat(100_000)],
  ])('leaves %s as they are', (_what, text) => {
    expect(parseMarkdown(text)).toEqual([{ type: 'text', raw: text, text }]);
  });
});
