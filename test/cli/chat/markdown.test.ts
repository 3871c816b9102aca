/** Markdown in a terminal: what a reader sees of each block, at several widths. */
import { describe, expect, it } from 'vitest';
import { BlockStream } from '../../../src/cli/chat/block-stream.ts';
import { markdownLines } from '../../../src/cli/chat/markdown.ts';
import { lineWidth, paint, plain } from '../../../src/cli/chat/spans.ts';

const seen = (text: string, width = 60): string[] =>
  markdownLines(text, width).map((line) => plain(line).trimEnd());

const EVERYTHING = [
  '# Head 日本\n\nSome **bold**, `code <x>` and [a link](https://x.y/z) in a paragraph that wraps.',
  '- one\n- two with a lot of words that wrap around\n  - nested\n    1. deep\n- [ ] open\n- [x] done',
  '```ts\nconst a =   1; // a comment that is longer than the terminal is wide\n\n  b\n```',
  '| name | size |\n|---|---|\n| 日本 | `1` |\n| long name of something | 2 |',
  '> quoted\n\n---\n\n<b>html</b> and <https://auto.link>',
].join('\n\n');

describe('markdownLines', () => {
  it('shows headings, styles, lists, code, tables and where links lead', () => {
    expect(seen(EVERYTHING)).toEqual([
      'Head 日本',
      '',
      'Some bold, code <x> and a link (https://x.y/z) in a',
      'paragraph that wraps.',
      '',
      '• one',
      '• two with a lot of words that wrap around',
      '  • nested',
      '    1. deep',
      '• [ ] open',
      '• [x] done',
      '',
      '  ts',
      '  const a =   1; // a comment that is longer than the termin',
      '  al is wide',
      '',
      '    b',
      '',
      'name                   │ size',
      '───────────────────────┼─────',
      '日本                   │ 1',
      'long name of something │ 2',
      '',
      '│ quoted',
      '',
      '────────────────────────────────────────',
      '',
      '<b>html</b> and https://auto.link',
    ]);
  });

  it.each([8, 20, 39, 80])('keeps within %i columns, wide characters counted twice', (width) => {
    const lines = markdownLines(`${EVERYTHING}\n\n漢字漢字漢字漢字漢字漢字漢字漢字`, width);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(Math.max(width, 10));
  });

  it('shows a table that does not fit a row at a time', () => {
    expect(seen('| name | what it does |\n|---|---|\n| a | reads |\n| b | writes |', 14)).toEqual([
      'name: a',
      'what it does:',
      '  reads',
      '',
      'name: b',
      'what it does:',
      '  writes',
    ]);
  });

  it('sends a terminal nothing that it would obey', () => {
    const text = 'a\u001b[2J\u0007 `\u009b31m` \u202etxt\u200b ⚠️\r\n\n```\n\u001b]0;x\u0007\ttab\n```';
    const sent = markdownLines(text, 60).map((line) => paint(line, false));
    expect(sent.join('\n')).toBe(
      String.raw`a\u001b[2J\u0007 \u009b31m \u202etxt\u200b ⚠` +
        '\n\n' +
        String.raw`  \u001b]0;x\u0007    tab`,
    );
  });
});

describe('BlockStream', () => {
  const inPieces = (text: string, size: number): string[] => {
    const stream = new BlockStream();
    const printed: string[] = [];
    for (let at = 0; at < text.length; at += size)
      printed.push(...stream.add(text.slice(at, at + size), 60).map((line) => plain(line).trimEnd()));
    return [...printed, ...stream.end(60).map((line) => plain(line).trimEnd())];
  };

  it.each([1, 3, 7, 1_000])('prints the same in pieces of %i characters as at once', (size) => {
    expect(inPieces(EVERYTHING, size)).toEqual(seen(EVERYTHING));
  });

  it('gives a block out once it can not change any more', () => {
    const stream = new BlockStream();
    expect(stream.add('One\n\n```\ncode', 60).map(plain)).toEqual(['One']);
    expect(stream.pending(60).map(plain)).toEqual(['  code']);
    expect(stream.add('\n\nstill\n```\n', 60)).toEqual([]);
    expect(stream.add('\nafter\n', 60).map(plain)).toEqual(['', '  code', '  ', '  still']);
    expect(stream.pending(60).map(plain)).toEqual(['after']);
  });
});
