/** A `SKILL.md` as data: frontmatter, what stands in for it, and what nobody should be shown. */
import { describe, expect, it } from 'vitest';
import { readSkillFile } from '../../../src/capabilities/skills/skill-file.ts';

const file = (head: string, body = ''): string => `---\n${head}\n---\n${body}`;

describe('readSkillFile', () => {
  it.each<[what: string, text: string, name: string, description: string]>([
    ['frontmatter', file('name: pdf\ndescription: Fill in forms.'), 'pdf', 'Fill in forms.'],
    ['a mark and Windows line ends', '\ufeff---\r\nname: pdf\r\ndescription: d\r\n---\r\nx', 'pdf', 'd'],
    ['folded text', file('name: pdf\ndescription: >\n  one\n  two\n'), 'pdf', 'one two'],
    ['text in quotes', file('name: "pdf"\ndescription: "Use when: asked"'), 'pdf', 'Use when: asked'],
    ['a number for a name', file('name: 42\ndescription: d'), '42', 'd'],
    ['another spelling of the name', file('name: " ＰＤＦ-Forms "\ndescription: d'), 'pdf-forms', 'd'],
    ['a name in another script', file('name: 发布\ndescription: 写发布说明'), '发布', '写发布说明'],
    [
      'fields that nobody knows',
      file('name: pdf\nlicense: MIT\ndescription: d\nmetadata: { a: b }'),
      'pdf',
      'd',
    ],
  ])('reads %s', (_what, text, name, description) => {
    expect(readSkillFile(text, 'folder')).toEqual({ name, description, warnings: [] });
  });

  it('takes the folder and the first paragraph for what is missing', () => {
    expect(readSkillFile('# Title\n\nWhat it\nis for.\n\nMore.', 'My.Folder')).toEqual({
      name: 'my.folder',
      description: 'What it is for.',
      warnings: [],
    });
    expect(readSkillFile(file('description: d'), 'folder')).toMatchObject({ name: 'folder' });
    expect(readSkillFile(file('name: n', '\nBody.\n'), 'folder')).toMatchObject({ description: 'Body.' });
    expect(readSkillFile(file(''), 'folder')).toMatchObject({
      name: 'folder',
      description: '',
      warnings: ['nothing says what it is for'],
    });
  });

  it.each<[what: string, head: string, why: string]>([
    ['broken YAML', 'name: [\ndescription: d', 'its frontmatter is no YAML, and does not count: '],
    ['a colon that needs quotes', 'name: n\ndescription: Use when: asked', 'its frontmatter is no YAML'],
    ['a name that stands there twice', 'name: a\nname: b', 'its frontmatter is no YAML'],
    ['aliases', 'a: &a [x]\nname: *a', 'its frontmatter is no YAML'],
    ['a list', '- name\n- description', 'its frontmatter has no fields'],
    ['a word', 'name', 'its frontmatter has no fields'],
  ])('goes by folder and text where there is %s', (_what, head, why) => {
    expect(readSkillFile(file(head, 'Text.'), 'folder')).toEqual({
      name: 'folder',
      description: 'Text.',
      warnings: [expect.stringContaining(why) as string],
    });
  });

  it.each([
    '../x',
    '/etc',
    '.hidden',
    'a/b',
    'a b',
    'a\\nb',
    'x'.repeat(65),
    'pdf\\u202e',
    'pdf\\u200b',
    '\\e[31mpdf',
    '-flag',
  ])('does not take %j for a name', (name) => {
    const text = file(`name: "${name}"\ndescription: d`);
    expect(readSkillFile(text, 'folder')).toEqual({
      name: 'folder',
      description: 'd',
      warnings: [expect.stringContaining('so it is called folder') as string],
    });
    expect(readSkillFile(text, '..')).toContain('can not be the name of a skill');
  });

  it('leaves nothing in a description that breaks a line, hides, or commands a terminal', () => {
    const text = file('name: n\ndescription: "a\\nb\\e[31m\\u202ec\\u200bd\\u2028e"');
    expect(readSkillFile(text, 'folder')).toMatchObject({ description: 'a b [31mcd e' });
  });

  it('cuts a description without end', () => {
    const read = readSkillFile(file(`name: n\ndescription: ${'x'.repeat(5_000)}`), 'folder');
    expect(read).toMatchObject({ description: `${'x'.repeat(1_023)}…` });
  });

  it('reads a file in time that wants to take long', () => {
    const nested = '['.repeat(50_000);
    expect(readSkillFile(file(`a: ${nested}`, 'Text.'), 'folder')).toMatchObject({ name: 'folder' });
    const closed = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect(readSkillFile(file(`a: ${closed}`, 'Text.'), 'folder')).toMatchObject({ name: 'folder' });
    const many = `a: &a x\nb: [${'*a,'.repeat(10_000)}]`;
    expect(readSkillFile(file(many, 'Text.'), 'folder')).toMatchObject({ name: 'folder' });
  });
});
