/** Edits: what is there to the letter, what is meant although it is not, and what must be refused. */
import { describe, expect, it } from 'vitest';
import { replaceText } from '../../../src/capabilities/patch/replace-text.ts';
import type { TextEdit } from '../../../src/capabilities/patch/text-edit.ts';
import { Failure } from '../../../src/failure.ts';
import { REFUSED_EDITS } from './fixtures/edits-to-be-refused.ts';
import { type EditRow, SLOPPY_EDITS } from './fixtures/edits-with-one-meaning.ts';

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

const EXACT: readonly EditRow[] = [
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

describe('replaceText', () => {
  it.each(EXACT)('replaces to the letter: $title', ({ file, old, now, result }) => {
    expect(replaceText('f', file, edit(old, now))).toMatchObject({ text: result, differences: [] });
  });

  it.each(SLOPPY_EDITS)('sees what is meant: $title', ({ file, old, now, result, differences }) => {
    const edited = replaceText('f', file, edit(old, now));
    expect({ text: edited.text, differences: edited.differences }).toEqual({ text: result, differences });
  });

  it.each(REFUSED_EDITS)('refuses $title', ({ file, edit, code, says }) => {
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
