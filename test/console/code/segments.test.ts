import { describe, expect, it } from 'vitest';
import { changedPart } from '../../../console/src/code/changed-part.ts';
import { highlight } from '../../../console/src/code/highlight.ts';
import { segments } from '../../../console/src/code/segments.ts';

const partOf = (line: string, counterpart: string): string | undefined => {
  const part = changedPart(line, counterpart);
  return part && line.slice(part.from, part.to);
};

describe('changedPart', () => {
  it('is the words between what two lines share', () => {
    expect(partOf('  const name = readAll(file);', '  const name = readFirst(file);')).toBe('readAll');
    expect(partOf('return a + b;', 'return a;')).toBe(' + b');
  });

  it('is nothing where lines share little, or one lacks nothing of the other', () => {
    expect(partOf('alpha();', 'return beta.gamma')).toBeUndefined();
    expect(partOf('return a;', 'return a + b;')).toBeUndefined();
  });

  it('never cuts a character in two', () => {
    expect(partOf('say("hello 😀 there")', 'say("hello 😁 there")')).toBe('😀');
  });
});

describe('segments', () => {
  it('holds all of a line, whatever its colours and its changed part are', () => {
    const text = 'const answer = "\u202edlrow";';
    const [colours] = highlight('typescript', [text]);
    const cut = segments(text, colours!, { from: 8, to: 20 });
    expect(cut.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
    expect(
      cut
        .filter(({ isChanged }) => isChanged)
        .map(({ from, to }) => text.slice(from, to))
        .join(''),
    ).toBe(text.slice(8, 20));
    expect(cut[0]).toEqual({ from: 0, to: 5, name: 'keyword', isChanged: false });
    expect(segments(text, [{ length: 3, name: 'too-short' }], undefined).at(-1)!.to).toBe(text.length);
    expect(segments(text, [{ length: 99, name: 'too-long' }], undefined)).toHaveLength(1);
  });
});

describe('highlight', () => {
  it('colours what goes over several lines', () => {
    expect(highlight('typescript', ['/* one', '   two */ let a'])).toEqual([
      [{ length: 6, name: 'comment' }],
      [
        { length: 9, name: 'comment' },
        { length: 1, name: '' },
        { length: 3, name: 'keyword' },
        { length: 2, name: '' },
      ],
    ]);
  });
});
