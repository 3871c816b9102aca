import { describe, expect, it } from 'vitest';
import { shownLines } from '../../../console/src/text/shown-lines.ts';

describe('shownLines', () => {
  it('keeps every line, and shows a long run of blank ones as their number', () => {
    const text = ['a', '', '', 'b', ...Array.from({ length: 500 }, () => '  '), 'rm -rf /', ''].join('\n');
    expect(shownLines(text)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: '' },
      { kind: 'text', text: '' },
      { kind: 'text', text: 'b' },
      { kind: 'blank', count: 500 },
      { kind: 'text', text: 'rm -rf /' },
    ]);
  });
});
