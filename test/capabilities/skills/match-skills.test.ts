/** Which skills fit a message, and why. */
import { describe, expect, it } from 'vitest';
import { matchSkills } from '../../../src/capabilities/skills/match-skills.ts';

const PDF = {
  name: 'pdf-forms',
  description: 'Extract text and tables from PDF documents, and fill in forms. Use it for PDF files.',
};
const NOTES = {
  name: 'release-notes',
  description: 'Write release notes and changelogs from merged commits of a version.',
};
const CHINESE = { name: '发布说明', description: '根据合并的提交撰写版本发布说明和更新日志' };
const SKILLS = [PDF, NOTES, CHINESE];

const matched = (text: string): (readonly [string, string])[] =>
  matchSkills(text, SKILLS).map(({ skill, why }) => [skill.name, why]);

describe('matchSkills', () => {
  it.each([
    'use pdf-forms here',
    'Please use the PDF forms skill',
    'fill this PDF, and the forms',
    '$pdf-forms',
    '/PDF_FORMS!',
  ])('takes the one that is named in %j', (text) => {
    expect(matched(text)).toEqual([['pdf-forms', 'The message names the skill pdf-forms.']]);
  });

  it('takes one that shares three telling words, and says which', () => {
    expect(matched('Could you extract the tables of this document into a file?')).toEqual([
      ['pdf-forms', 'The message shares the words extract, tables, document.'],
    ]);
  });

  it.each([
    'fix the failing test',
    'use the file and the code for the user when you need it, please',
    'extract a function',
    'forms of a pdf',
    '',
    'pdf',
  ])('takes none for %j', (text) => {
    expect(matched(text)).toEqual([]);
  });

  it('reads languages without blanks', () => {
    expect(matched('请根据提交撰写这个版本的更新日志').map(([name]) => name)).toEqual(['发布说明']);
  });

  it('gives the best two, the same ones every time', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...PDF,
      name: `pdf-${String(index).padStart(2, '0')}`,
    }));
    const text = 'extract tables and text from documents';
    const names = matchSkills(text, many).map(({ skill }) => skill.name);
    expect(names).toEqual(['pdf-00', 'pdf-01']);
    expect(matchSkills(text, many.toReversed()).map(({ skill }) => skill.name)).toEqual(names);
  });

  it('looks at the beginning of a long message only', () => {
    expect(matched(`${'x '.repeat(3_000)} pdf-forms`)).toEqual([]);
  });
});
