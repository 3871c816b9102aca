/** The line that is being written: bytes of a terminal in, text and cursor out. */
import { describe, expect, it } from 'vitest';
import { complete } from '../../../src/cli/chat/completion.ts';
import { type Editor, editorRows, newEditor, press, sent } from '../../../src/cli/chat/editor.ts';
import { decodeKeys, settleKeys } from '../../../src/cli/chat/keys.ts';
import { mentionsIn } from '../../../src/cli/chat/mentions.ts';
import { plain } from '../../../src/cli/chat/spans.ts';

const UP = '\u001b[A';
const DOWN = '\u001b[B';
const LEFT = '\u001b[D';

const typed = (bytes: string, editor: Editor = newEditor([])): Editor =>
  decodeKeys(bytes).keys.reduce(press, editor);
/** The text with the cursor in it. */
const state = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('decodeKeys', () => {
  it('waits for the rest of a sequence, and takes an escape that stays alone for the key', () => {
    expect(decodeKeys('a\u001b')).toEqual({ keys: [{ name: 'text', text: 'a' }], rest: '\u001b' });
    expect(decodeKeys('\u001b[1;5')).toEqual({ keys: [], rest: '\u001b[1;5' });
    expect(settleKeys('\u001b')).toEqual([{ name: 'escape' }]);
    expect(decodeKeys('\u001b\u001b[A').keys).toEqual([{ name: 'escape' }, { name: 'up' }]);
  });

  it('takes pasted text for text, whatever is in it', () => {
    const { keys, rest } = decodeKeys('\u001b[200~rm\r\u0003\u001b[A\u001b[201~\r\u001b[200~un');
    expect(keys).toEqual([{ name: 'paste', text: 'rm\r\u0003\u001b[A' }, { name: 'enter' }]);
    expect(rest).toBe('\u001b[200~un');
  });
});

describe('press', () => {
  it.each([
    ['hello\u0001say ', 'say |hello'],
    ['one two three\u0017', 'one two |'],
    [`one two\u001bb\u000b`, 'one |'],
    [`日本語${LEFT}\u007f`, '日|語'],
    [`👍🏽x${LEFT}\u007fy`, 'y|x'],
    ['first\\\rsecond', 'first\nsecond|'],
    ['first\u001b\rsecond', 'first\nsecond|'],
    [`abc\u001b\rd${UP}`, 'a|bc\nd'],
    [`abc\u001b\rd${UP}${DOWN}`, 'abc\nd|'],
    ['\u001b[200~a\r\nb\u001b[201~', 'a\nb|'],
  ])('makes %j into %j', (bytes, expected) => {
    expect(state(typed(bytes))).toBe(expected);
  });

  it('calls up what was sent before, and comes back to what was being written', () => {
    const editor = sent(typed('second', sent(typed('first'))));
    expect(state(typed(`draft${UP}`, editor))).toBe('second|');
    expect(state(typed(`draft${UP}${UP}${UP}`, editor))).toBe('first|');
    expect(state(typed(`draft${UP}${UP}${DOWN}${DOWN}`, editor))).toBe('draft|');
  });
});

describe('editorRows', () => {
  it('breaks what is too long, counts wide characters twice and shows what a terminal would obey', () => {
    const { rows, row, column } = editorRows(typed('\u001b[200~漢字漢字\na\u001bb\u001b[201~'), '> ', 12);
    expect(rows.map(plain)).toEqual(['> 漢字漢字', String.raw`  a\u001bb`]);
    expect({ row, column }).toEqual({ row: 1, column: 10 });
    expect(editorRows(typed('abcdef'), '> ', 8).rows.map(plain)).toEqual(['> abcde', '  f']);
  });
});

describe('complete', () => {
  const names = {
    commands: ['model', 'mode', 'memory'],
    files: ['README.md', 'src/a.ts', 'src/b.ts', 'src/deep/c.ts'],
  };
  const completed = (text: string): [string, readonly string[]] => {
    const { text: now, choices } = complete(text, text.length, names);
    return [now, choices];
  };

  it.each<[string, string, readonly string[]]>([
    ['/mod', '/mode', ['model', 'mode']],
    ['/mem', '/memory ', []],
    ['see @R', 'see @README.md ', []],
    ['see @s', 'see @src/', []],
    ['see @src/', 'see @src/', ['src/a.ts', 'src/b.ts', 'src/deep/']],
    ['see @c.t', 'see @src/deep/c.ts ', []],
    ['see @nothing', 'see @nothing', []],
    ['mail a@R', 'mail a@R', []],
    ['no /mod', 'no /mod', []],
  ])('makes %j into %j', (text, expected, choices) => {
    expect(completed(text)).toEqual([expected, choices]);
  });
});

describe('mentionsIn', () => {
  it('finds each file once, without what ends the sentence', () => {
    expect(mentionsIn('Look at @a.ts, @src/b.ts. (not a@b.c) and @a.ts!')).toEqual(['a.ts', 'src/b.ts']);
  });
});
