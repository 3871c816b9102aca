/** Edits: what is there to the letter, what is meant although it is not, and what must be refused. */
import { describe, expect, it } from 'vitest';
import { replaceText } from '../../../src/capabilities/patch/replace-text.ts';
import type { TextEdit } from '../../../src/capabilities/patch/text-edit.ts';
import { Failure } from '../../../src/failure.ts';

const edit = (oldText: string, newText: string, all = false): TextEdit => ({ oldText, newText, all });

function failureOf(file: string, wanted: TextEdit): Failure {
  try {
    replaceText('f', file, wanted);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('The edit was made.');
}

interface Row {
  readonly title: string;
  readonly file: string;
  readonly old: string;
  readonly now: string;
  readonly result: string;
  readonly differences?: readonly string[];
}

const EXACT: readonly Row[] = [
  { title: 'a part of a line', file: 'a b c\n', old: 'b', now: 'x', result: 'a x c\n' },
  { title: 'several lines', file: 'a\nb\nc\n', old: 'a\nb', now: 'x', result: 'x\nc\n' },
  { title: 'to nothing', file: 'a\nb\nc\n', old: 'b\n', now: '', result: 'a\nc\n' },
  { title: 'the newline at the end', file: 'a', old: 'a', now: 'a\n', result: 'a\n' },
  { title: 'LF in a CRLF file', file: 'a\r\nb\r\n', old: 'a', now: 'x\ny', result: 'x\r\ny\r\nb\r\n' },
  { title: 'CRLF in an LF file', file: 'a\nb\n', old: 'a', now: 'x\r\ny', result: 'x\ny\nb\n' },
  { title: 'behind a byte order mark', file: '\ufeffa\n', old: 'a', now: 'b', result: '\ufeffb\n' },
  { title: 'with a byte order mark given', file: '\ufeffa\n', old: '\ufeffa', now: 'b', result: '\ufeffb\n' },
  {
    title: 'mixed endings as they are',
    file: 'a\r\nb\nc\n',
    old: 'a\r\nb\n',
    now: 'a\r\nx\n',
    result: 'a\r\nx\nc\n',
  },
  { title: 'trailing blanks that are meant', file: 'a\nb\n', old: 'a', now: 'a  ', result: 'a  \nb\n' },
  { title: 'tabs that are meant', file: 'a:\n', old: 'a:', now: 'a:\n\tb', result: 'a:\n\tb\n' },
];

const SLOPPY: readonly Row[] = [
  {
    title: 'LF for CRLF',
    file: 'a\r\nb\r\nc\r\n',
    old: 'a\nb',
    now: 'a\nx',
    result: 'a\r\nx\r\nc\r\n',
    differences: ['line endings'],
  },
  {
    title: 'CRLF for LF',
    file: 'a\nb\nc\n',
    old: 'a\r\nb',
    now: 'a\r\nx',
    result: 'a\nx\nc\n',
    differences: ['line endings'],
  },
  {
    title: 'LF in a file of mixed endings',
    file: 'a\r\nb\nc\r\n',
    old: 'a\nb\nc',
    now: 'a\nx\nc',
    result: 'a\r\nx\r\nc\r\n',
    differences: ['line endings'],
  },
  {
    title: 'a newline more than the file has',
    file: 'a\nb',
    old: 'b\n',
    now: 'c\n',
    result: 'a\nc',
    differences: [],
  },
  {
    title: 'blanks lost at line ends',
    file: 'a  \nb\n',
    old: 'a\nb',
    now: 'a\nc',
    result: 'a  \nc\n',
    differences: ['trailing blanks'],
  },
  {
    title: 'blanks added at line ends',
    file: 'a\nb\nc\n',
    old: 'a \nb ',
    now: 'a \nx \ny ',
    result: 'a\nx\ny\nc\n',
    differences: ['trailing blanks'],
  },
  {
    title: 'blanks on an empty line',
    file: 'a\n  \nb\n',
    old: 'a\n\nb',
    now: 'a\n\nc',
    result: 'a\n  \nc\n',
    differences: ['trailing blanks'],
  },
  {
    title: 'a line that keeps the blanks of the one it replaces',
    file: 'a  \nb\n',
    old: 'a\nb',
    now: 'x\nb',
    result: 'x  \nb\n',
    differences: ['trailing blanks'],
  },
  {
    title: 'indentation lost',
    file: '  if (x) {\n    y();\n  }\n',
    old: 'if (x) {\n  y();\n}',
    now: 'if (x) {\n  z();\n  if (q) {\n    r();\n  }\n}',
    result: '  if (x) {\n    z();\n    if (q) {\n      r();\n    }\n  }\n',
    differences: ['indentation'],
  },
  {
    title: 'indentation too deep',
    file: 'if (x)\n  y();\n',
    old: '    if (x)\n      y();',
    now: '    if (x)\n      z();\n    w();',
    result: 'if (x)\n  z();\nw();\n',
    differences: ['indentation'],
  },
  {
    title: 'blanks for tabs',
    file: '\tif (x)\n\t\ty();\n',
    old: '    if (x)\n        y();',
    now: '    if (x)\n        z(\n            1);',
    result: '\tif (x)\n\t\tz(\n\t\t\t1);\n',
    differences: ['indentation'],
  },
  {
    title: 'tabs for blanks',
    file: '  if (x)\n    y();\n',
    old: '\tif (x)\n\t\ty();',
    now: '\tif (x)\n\t\tz(\n\t\t\t1);',
    result: '  if (x)\n    z(\n      1);\n',
    differences: ['indentation'],
  },
  {
    title: 'two blanks for four',
    file: 'if (x) {\n    y {\n        z\n    }\n}\n',
    old: 'if (x) {\n  y {\n    z\n  }\n}',
    now: 'if (x) {\n  y {\n    z {\n      w\n    }\n  }\n}',
    result: 'if (x) {\n    y {\n        z {\n            w\n        }\n    }\n}\n',
    differences: ['indentation'],
  },
  {
    title: 'tabs with blanks behind them',
    file: '\t/**\n\t * a\n\t */\n',
    old: '    /**\n     * a\n     */',
    now: '    /**\n     * b\n     * c\n     */',
    result: '\t/**\n\t * b\n\t * c\n\t */\n',
    differences: ['indentation'],
  },
  {
    title: 'curly quotes for straight ones',
    file: 'say(\'a\', "b");\n',
    old: 'say(‘a’, “b”);',
    now: 'say(‘c’, “b”);',
    result: 'say(\'c\', "b");\n',
    differences: ['typography'],
  },
  {
    title: 'straight quotes for curly ones',
    file: 'say(“a”, 1)\n',
    old: 'say("a", 1)',
    now: 'say("a", 2)',
    result: 'say(“a”, 2)\n',
    differences: ['typography'],
  },
  {
    title: 'dashes',
    file: 'a - b\n',
    old: 'a – b',
    now: 'a – c',
    result: 'a - c\n',
    differences: ['typography'],
  },
  {
    title: 'no-break blanks',
    file: 'a b\n',
    old: 'a\u00a0b',
    now: 'a\u00a0c',
    result: 'a c\n',
    differences: ['typography'],
  },
  {
    title: 'quotes in a part of a line',
    file: 'x = f("a") + g("b");\n',
    old: 'f(“a”)',
    now: 'f(“c”)',
    result: 'x = f("c") + g("b");\n',
    differences: ['typography'],
  },
  {
    title: 'quotes of a kind the old text does not have',
    file: "f('a');\n",
    old: 'f(‘a’);',
    now: 'f(‘a’);\ng(“b”);',
    result: 'f(\'a\');\ng("b");\n',
    differences: ['typography'],
  },
  {
    title: 'an apostrophe that stays in an unchanged line',
    file: '// it’s\nf("a")\n',
    old: '// it\'s\nf("a")',
    now: '// it\'s\nf("b")',
    result: '// it’s\nf("b")\n',
    differences: ['typography'],
  },
  {
    title: 'indentation and quotes',
    file: '\tf("a");\n',
    old: '  f(“a”);',
    now: '  f(“b”);',
    result: '\tf("b");\n',
    differences: ['indentation', 'typography'],
  },
  {
    title: 'line endings and indentation',
    file: '\tf();\r\n\tg();\r\n',
    old: 'f();\ng();',
    now: 'f();\nh();',
    result: '\tf();\r\n\th();\r\n',
    differences: ['line endings', 'indentation'],
  },
  {
    title: 'blanks at line ends and quotes',
    file: "f('a');\ng();\n",
    old: 'f(‘a’); \ng();',
    now: 'f(‘b’); \ng();',
    result: "f('b');\ng();\n",
    differences: ['trailing blanks', 'typography'],
  },
  {
    title: 'everything at once',
    file: '\tf("a");\r\n\tg();\r\n',
    old: '  f(“a”); \n  g();',
    now: '  f(“b”); \n  g();',
    result: '\tf("b");\r\n\tg();\r\n',
    differences: ['line endings', 'trailing blanks', 'indentation', 'typography'],
  },
  {
    title: 'blank lines around the old text',
    file: 'a\nb\nc\n',
    old: '\n\na\nb\n\n',
    now: '\n\na\nx\n\n',
    result: 'a\nx\nc\n',
    differences: ['blank lines at the edges'],
  },
  {
    title: 'a blank line and an indentation',
    file: '  a\n  b\n',
    old: '\na\nb',
    now: '\na\nc',
    result: '  a\n  c\n',
    differences: ['indentation', 'blank lines at the edges'],
  },
  {
    title: 'lines that go',
    file: '  a\n  b\n  c\n',
    old: 'a\nb\nc',
    now: 'a\nc',
    result: '  a\n  c\n',
    differences: ['indentation'],
  },
  {
    title: 'a file without a newline at its end',
    file: '  a\n  b',
    old: 'a\nb',
    now: 'a\nb\nc',
    result: '  a\n  b\n  c',
    differences: ['indentation'],
  },
];

interface Refusal {
  readonly title: string;
  readonly file: string;
  readonly edit: TextEdit;
  readonly code: string;
  readonly says: string;
}

const REFUSED: readonly Refusal[] = [
  { title: 'an empty old text', file: 'a\n', edit: edit('', 'x'), code: 'E_INVALID_ARGS', says: 'is empty' },
  {
    title: 'nothing but a byte order mark',
    file: 'a\n',
    edit: edit('\ufeff', 'x'),
    code: 'E_INVALID_ARGS',
    says: 'is empty',
  },
  {
    title: 'two texts that are the same',
    file: 'a\n',
    edit: edit('a', 'a'),
    code: 'E_INVALID_ARGS',
    says: 'are the same',
  },
  {
    title: 'a difference only in line endings',
    file: 'a\nb\n',
    edit: edit('a\nb\n', 'a\r\nb\r\n'),
    code: 'E_INVALID_ARGS',
    says: 'changes nothing',
  },
  {
    title: 'two places',
    file: 'a\nb\na\n',
    edit: edit('a', 'x'),
    code: 'E_NOT_UNIQUE',
    says: '2 places: lines 1 and 3',
  },
  {
    title: 'places that overlap',
    file: 'aaa\n',
    edit: edit('aa', 'x'),
    code: 'E_NOT_UNIQUE',
    says: '2 places',
  },
  {
    title: 'two places but for blanks',
    file: 'a \nb\na\t\nb\n',
    edit: edit('a\nb', 'x'),
    code: 'E_NOT_UNIQUE',
    says: 'lines 1 and 3',
  },
  {
    title: 'two places but for indentation',
    file: '  a\n  b\n    a\n    b\n',
    edit: edit('a\nb', 'x'),
    code: 'E_NOT_UNIQUE',
    says: 'lines 1 and 3',
  },
  {
    title: 'two places but for quotes',
    file: 'f("a")\nf(“a”)\n',
    edit: edit('f(”a”)', 'x'),
    code: 'E_NOT_UNIQUE',
    says: 'lines 1 and 2',
  },
  {
    title: 'all of several places that differ',
    file: '  a\n    a\n',
    edit: edit('\ta', 'x', true),
    code: 'E_NOT_UNIQUE',
    says: 'lines 1 and 2',
  },
  {
    title: 'another word',
    file: 'one\ntwo\nthree\n',
    edit: edit('one\ntoo\nthree', 'x'),
    code: 'E_PATCH',
    says: '-too\n+two',
  },
  {
    title: 'a line left out',
    file: 'a1\nb2\nc3\n',
    edit: edit('a1\nc3', 'x'),
    code: 'E_PATCH',
    says: 'The closest place is line',
  },
  {
    title: 'the beginning of a longer word, with a blank behind it',
    file: 'returned\n',
    edit: edit('return ', 'x'),
    code: 'E_PATCH',
    says: 'is not in',
  },
  {
    title: 'other blanks within a line',
    file: 'a  b\n',
    edit: edit('a b', 'x'),
    code: 'E_PATCH',
    says: '+a  b',
  },
  {
    title: 'indentation that is different for each line',
    file: '  a\n      b\n',
    edit: edit('a\nb', 'a\n c\nb'),
    code: 'E_PATCH',
    says: 'closest place',
  },
  {
    title: 'indentation nobody can know',
    file: 'a\n',
    edit: edit('    a', '    a\n  b'),
    code: 'E_PATCH',
    says: 'closest place',
  },
  {
    title: 'blank lines alone',
    file: 'a\n \nb\n',
    edit: edit('\n\n\n', 'x'),
    code: 'E_PATCH',
    says: 'is not in',
  },
  {
    title: 'an empty file',
    file: '',
    edit: edit('a', 'b'),
    code: 'E_PATCH',
    says: 'Nothing in the file is like it',
  },
];

describe('replaceText', () => {
  it.each(EXACT)('replaces to the letter: $title', ({ file, old, now, result }) => {
    expect(replaceText('f', file, edit(old, now))).toMatchObject({ text: result, differences: [] });
  });

  it.each(SLOPPY)('sees what is meant: $title', ({ file, old, now, result, differences }) => {
    const edited = replaceText('f', file, edit(old, now));
    expect({ text: edited.text, differences: edited.differences }).toEqual({ text: result, differences });
  });

  it.each(REFUSED)('refuses $title', ({ file, edit, code, says }) => {
    const failure = failureOf(file, edit);
    expect({ code: failure.code, message: failure.message }).toEqual({
      code,
      message: expect.stringContaining(says),
    });
  });

  it('replaces all places where all are meant', () => {
    const edited = replaceText('f', 'a b\na\r\nba', edit('a', 'x\ny', true));
    expect(edited).toEqual({ text: 'x\ny b\nx\r\ny\r\nbx\r\ny', lines: [1, 2, 3], differences: [] });
  });

  it('replaces all places that differ only in line endings', () => {
    const edited = replaceText('f', 'a\r\nb\r\na\r\nb\r\n', edit('a\nb', 'a\nc', true));
    expect(edited).toMatchObject({ text: 'a\r\nc\r\na\r\nc\r\n', lines: [1, 3] });
  });

  it('prefers the place that is there to the letter over one that is nearly', () => {
    expect(replaceText('f', '  a\n\tb\na\nb\n', edit('a\nb', 'x')).text).toBe('  a\n\tb\nx\n');
  });

  it('names only the first of very many places', () => {
    const { message, details } = failureOf('x\n'.repeat(5_000), edit('x', 'y'));
    expect(message.length).toBeLessThan(300);
    expect(details).toMatchObject({ lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
  });

  it('shows little of a large difference', () => {
    const file = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${'x'.repeat(1_000)}`).join('\n');
    expect(failureOf(file, edit(file.replaceAll('x', 'y'), 'z')).message.length).toBeLessThan(25_000);
  });
});
