/** Skills in `coder`: where they come from, what is asked, and how files beside them are read. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RuntimeOptions } from '../../../src/index.ts';
import { auditLines } from '../../security/evidence.ts';
import { approver } from '../../support/approver.ts';
import { tempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { trustWorkspace } from '../../support/trust.ts';

const skillText = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# How\n`;
const PDF = skillText('pdf', 'Fill in forms.');

/** Puts a file somewhere outside the workspace. */
function put(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

async function open(workspace: TempWorkspace, options: Partial<RuntimeOptions> = {}) {
  const approve = approver('once');
  const runtime = await workspace.runtime({ dialect: 'coder', approve, readConfig: true, ...options });
  const reply = async (args: object): Promise<unknown> => (await runtime.call('skill', args)).reply;
  const names = async (): Promise<string[]> =>
    ((await reply({ action: 'list' })) as { items: { name: string }[] }).items.map(({ name }) => name);
  return { runtime, reply, names, asked: approve.asked };
}

const userSkills = ({ locations }: TempWorkspace): string => join(locations.config, 'skills');

describe('coder skill list', () => {
  it("names the user's skills, wherever they are, and what is built in", async () => {
    await using workspace = tempWorkspace();
    const { locations, outside } = workspace;
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    put(join(locations.home, '.agents/skills'), 'deep/er/notes/skill.md', skillText('notes', 'Write notes.'));
    put(outside, 'more/Skill.MD', '# Title\n\nDo more.\n');
    put(locations.config, 'config.jsonc', JSON.stringify({ skills: { paths: [outside, '~/own'] } }));
    put(locations.home, 'own/SKILL.md', 'Own.');
    const { reply } = await open(workspace);
    expect(await reply({ action: 'list' })).toEqual({
      ok: true,
      items: [
        { name: 'create-skill', description: expect.stringContaining('Create a new skill') as string },
        { name: 'more', description: 'Do more.' },
        { name: 'notes', description: 'Write notes.' },
        { name: 'own', description: 'Own.' },
        { name: 'pdf', description: 'Fill in forms.' },
      ],
      count: 5,
    });
  });

  it('names those of a workspace once it is trusted', async () => {
    await using workspace = tempWorkspace({
      '.agents/skills/shared/SKILL.md': skillText('shared', 'For all agents.'),
      '.handrail/skills/ours/SKILL.md': skillText('ours', 'For us.'),
    });
    const { names } = await open(workspace);
    expect(await names()).toEqual(['create-skill']);
    await trustWorkspace(workspace);
    expect(await names()).toEqual(['create-skill', 'ours', 'shared']);
  });

  it('asks nobody, and leaves out what is denied', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    put(userSkills(workspace), 'pdf-more/SKILL.md', skillText('pdf-more', 'More.'));
    const rules = [{ action: 'deny', permission: 'skill.load', skill: 'pdf*' }] as const;
    const { names, asked } = await open(workspace, { rules });
    expect(await names()).toEqual(['create-skill']);
    expect(asked).toEqual([]);
  });

  it('knows nothing but what is built in where settings do not count', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    const { names } = await open(workspace, { readConfig: false });
    expect(await names()).toEqual(['create-skill']);
  });

  it('takes a SKILL.md below another one for a file of that one', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    put(userSkills(workspace), 'pdf/examples/inner/SKILL.md', skillText('inner', 'Inner.'));
    put(userSkills(workspace), 'a/b/c/d/e/f/SKILL.md', skillText('too-deep', 'Deep.'));
    const { names, reply } = await open(workspace);
    expect(await names()).toEqual(['create-skill', 'pdf']);
    expect(await reply({ action: 'load', name: 'pdf' })).toMatchObject({
      files: ['examples/inner/SKILL.md'],
    });
  });
});

describe('coder skill load', () => {
  it('asks, and shows where the skill is and what it says', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    const { reply, asked } = await open(workspace);
    expect(await reply({ action: 'load', name: ' PDF ' })).toEqual({ ok: true, name: 'pdf', content: PDF });
    expect(asked).toMatchObject([
      {
        tool: 'skill',
        accesses: [{ permission: 'skill.load', resource: 'pdf' }],
        preview: { text: `${join(userSkills(workspace), 'pdf')} (user):\n${PDF}` },
        alwaysRule: { permission: ['skill.load'], skill: ['pdf'], tool: ['skill'] },
      },
    ]);
  });

  it.each<[what: string, args: object, code: string, says: string]>([
    ['no name', { action: 'load' }, 'E_INVALID_ARGS', 'the name of the skill is empty'],
    ['a blank name', { action: 'load', name: ' ' }, 'E_INVALID_ARGS', 'the name of the skill is empty'],
    ['an unknown name', { action: 'load', name: 'pfd' }, 'E_NOT_FOUND', 'Did you mean pdf?'],
    ['a path', { action: 'load', name: '../pdf' }, 'E_NOT_FOUND', 'There is no skill "../pdf".'],
    ['an unknown file', { action: 'load', name: 'pdf', file: 'x' }, 'E_NOT_FOUND', 'has no file "x"'],
    ['another action', { action: 'run', name: 'pdf' }, 'E_INVALID_ARGS', '"action"'],
  ])('refuses %s, and asks nobody', async (_what, args, code, says) => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    const { reply, asked } = await open(workspace);
    expect(await reply(args)).toMatchObject({
      ok: false,
      code,
      error: expect.stringContaining(says) as string,
    });
    expect(asked).toEqual([]);
  });

  it('is denied where a rule says so, whatever the mode and whoever would say yes', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    const rules = [{ action: 'deny', permission: 'skill.load', skill: 'pdf', reason: 'Not here.' }] as const;
    const { reply, asked } = await open(workspace, { rules, mode: 'auto' });
    for (const name of ['pdf', 'PDF', ' pdf', 'ｐdf'])
      expect(await reply({ action: 'load', name })).toEqual({
        ok: false,
        denied: true,
        reason: 'Not here.',
        code: 'E_POLICY_DENIED',
      });
    expect(asked).toEqual([]);
  });

  it('names the files beside it, and reads them', async () => {
    await using workspace = tempWorkspace({
      '.agents/skills/notes/SKILL.md': skillText('notes', 'Write notes.'),
      '.agents/skills/notes/scripts/run.sh': 'echo notes\n',
    });
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    put(userSkills(workspace), 'pdf/references/forms.md', 'All about forms.\n');
    put(userSkills(workspace), 'pdf/logo.png', Buffer.from([0x89, 0x50, 0, 1]));
    put(userSkills(workspace), 'pdf/huge.txt', 'x'.repeat(200_000));
    await trustWorkspace(workspace);
    const { reply } = await open(workspace, { mode: 'auto' });
    expect(await reply({ action: 'load', name: 'pdf' })).toMatchObject({
      files: expect.arrayContaining(['huge.txt', 'logo.png', 'references/forms.md']) as string[],
    });
    expect(await reply({ action: 'load', name: 'pdf', file: 'references/forms.md' })).toEqual({
      ok: true,
      name: 'pdf',
      file: 'references/forms.md',
      content: 'All about forms.\n',
    });
    expect(await reply({ action: 'load', name: 'pdf', file: 'logo.png' })).toMatchObject({
      code: 'E_ENCODING',
    });
    expect(await reply({ action: 'load', name: 'pdf', file: 'huge.txt' })).toMatchObject({
      code: 'E_TOO_LARGE',
    });
    expect(await reply({ action: 'load', name: 'notes' })).toMatchObject({
      files: ['scripts/run.sh'],
      directory: '.agents/skills/notes',
    });
    expect(await reply({ action: 'load', name: 'notes', file: 'scripts/run.sh' })).toMatchObject({
      content: 'echo notes\n',
    });
  });

  it("takes the user's before the workspace's, and that before a built-in one", async () => {
    const text = (whose: string): string => skillText('create-skill', whose);
    await using workspace = tempWorkspace({
      '.agents/skills/create-skill/SKILL.md': text('workspace'),
      '.agents/skills/pdf/SKILL.md': skillText('pdf', 'workspace'),
    });
    await trustWorkspace(workspace);
    const { reply, runtime } = await open(workspace, { mode: 'auto' });
    expect(await reply({ action: 'load', name: 'create-skill' })).toMatchObject({
      content: text('workspace'),
    });
    expect((await runtime.skills()).warnings).toEqual([]);
    put(userSkills(workspace), 'mine/SKILL.md', text('user'));
    expect(await reply({ action: 'load', name: 'create-skill' })).toMatchObject({ content: text('user') });
    put(join(workspace.locations.home, '.agents/skills'), 'again/SKILL.md', text('user too'));
    const mine = join(userSkills(workspace), 'mine');
    expect((await runtime.skills()).warnings).toEqual([
      `${join(workspace.locations.home, '.agents/skills/again')} does not count: there is a skill create-skill in ${mine}.`,
      `.agents/skills/create-skill does not count: there is a skill create-skill in ${mine}.`,
    ]);
  });
});

describe('Runtime.skills', () => {
  it('says of everything that does not count why', async () => {
    await using workspace = tempWorkspace();
    const { locations, outside } = workspace;
    const place = userSkills(workspace);
    put(place, 'binary/SKILL.md', Buffer.from([0xff, 0xfe, 0]));
    put(place, 'huge/SKILL.md', 'x'.repeat(200_000));
    put(place, 'broken/SKILL.md', '---\nname: [\n---\nText.');
    mkdirSync(join(place, 'a folder/SKILL.md'), { recursive: true });
    put(outside, 'linked/SKILL.md', PDF);
    symlinkSync(join(outside, 'linked'), join(place, 'linked'));
    put(locations.config, 'config.jsonc', JSON.stringify({ skills: { paths: ['/nowhere', '/'] } }));
    const { runtime } = await open(workspace);
    const { skills, warnings } = await runtime.skills();
    expect(skills.map(({ name }) => name)).toEqual(['broken', 'create-skill']);
    expect(warnings.toSorted()).toEqual([
      expect.stringContaining('/ does not count: The root of the file system') as string,
      expect.stringContaining('/nowhere does not count: ') as string,
      `${place}/binary does not count: "binary/SKILL.md" is not UTF-8 text.`,
      expect.stringContaining(`${place}/broken: its frontmatter is no YAML`) as string,
      `${place}/huge does not count: "huge/SKILL.md" is larger than 131072 bytes.`,
      `${place}/linked does not count: it is a link. Name what it leads to in "skills.paths".`,
    ]);
  });
});

describe('Runtime.triggerSkills', () => {
  it('loads what fits without a question, on record, once', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', skillText('pdf', 'Extract tables from documents.'));
    const { runtime, asked } = await open(workspace);
    const session = await runtime.openSession();
    const text = 'extract all tables of these documents';
    expect(await runtime.triggerSkills(session, text)).toEqual([
      {
        name: 'pdf',
        description: 'Extract tables from documents.',
        content: skillText('pdf', 'Extract tables from documents.'),
        files: [],
        why: 'The message shares the words extract, tables, documents.',
      },
    ]);
    expect(await runtime.triggerSkills(session, text, ['pdf'])).toEqual([]);
    expect(asked).toEqual([]);
    await runtime.flush();
    const closed = auditLines(workspace.locations.state).filter(({ event }) => event === 'closed');
    expect(closed).toMatchObject([
      { name: 'skills.use', rule: 'skill-trigger', approver: 'trigger', session: session.id, ok: true },
    ]);
  });

  it('does not load, nor name, what is denied, by skill or by tool, or what the agent has no tool for', async () => {
    await using workspace = tempWorkspace();
    put(userSkills(workspace), 'pdf/SKILL.md', PDF);
    const { runtime } = await open(workspace, {
      rules: [{ action: 'deny', permission: 'skill.load', skill: 'pdf', tool: ['skill'] }],
    });
    const session = await runtime.openSession();
    expect(await runtime.triggerSkills(session, 'use pdf')).toEqual([]);
    expect((await runtime.skillsFor(session)).map(({ name }) => name)).toEqual(['create-skill']);
    const agent = { name: 'explore', tools: { skill: false } };
    expect(await runtime.skillsFor(await runtime.openSession({ agent }))).toEqual([]);
    expect(await runtime.skillsFor(await runtime.openSession({ dialect: 'tenas' }))).toEqual([]);
  });
});
