/** A `SKILL.md` as data: its name and description from the frontmatter, else from its folder and its first paragraph. */
import { parse } from 'yaml';
import { NAME_RULE, toSkillName } from './skill-name.ts';

export interface SkillFile {
  readonly name: string;
  readonly description: string;
  /** What is wrong with it, though it can be used. */
  readonly warnings: readonly string[];
}

const MAX_DESCRIPTION = 1_024;

/** Reads one; `folder` is the name of the folder it lies in. A string is why it can't be used. */
export function readSkillFile(text: string, folder: string): SkillFile | string {
  const { head, body } = split(text);
  const { fields, problem } = readHead(head);
  const warnings = problem === undefined ? [] : [problem];
  const written = textOf(fields['name']);
  const named = written === undefined ? undefined : toSkillName(written);
  const name = named ?? toSkillName(folder);
  if (name === undefined) return `${quoted(written ?? folder)} can not be the name of a skill: ${NAME_RULE}`;
  if (written !== undefined && named === undefined)
    warnings.push(`the name ${quoted(written)} can not be used, so it is called ${name}: ${NAME_RULE}`);
  const description = oneLine(textOf(fields['description']) ?? firstParagraph(body));
  if (description === '') warnings.push('nothing says what it is for');
  return { name, description, warnings };
}

function split(text: string): { head: string; body: string } {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const isFence = (line: string | undefined): boolean => line?.trimEnd() === '---';
  const end = isFence(lines[0]) ? lines.findIndex((line, index) => index > 0 && isFence(line)) : -1;
  return { head: lines.slice(1, Math.max(1, end)).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** All values are texts, whatever they look like; aliases are not followed. */
function readHead(head: string): { fields: Readonly<Record<string, unknown>>; problem?: string } {
  try {
    const fields: unknown = parse(head, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return { fields: { ...fields } };
    return head.trim() === '' ? { fields: {} } : { fields: {}, problem: 'its frontmatter has no fields' };
  } catch (error) {
    // Whatever the parser says, or how deep it fell: it was given text by somebody else.
    const [reason = ''] = (error as Error).message.split('\n');
    return { fields: {}, problem: `its frontmatter is no YAML, and does not count: ${oneLine(reason)}` };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function firstParagraph(body: string): string {
  const paragraphs = body.split(/\r?\n[ \t]*\r?\n/).map((paragraph) => paragraph.trim());
  return paragraphs.find((paragraph) => paragraph !== '' && !paragraph.startsWith('#')) ?? '';
}

/** Nothing in it that breaks a line or hides: it stands in lists, for models and for people. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_DESCRIPTION)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text).slice(0, 100));
}
