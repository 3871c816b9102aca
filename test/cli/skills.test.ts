/** `handrail skills`, and what `handrail trust` says about them. */
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const SKILL = '---\nname: notes\ndescription: Write notes.\n---\n\n# How\n';
const FILES = {
  '.agents/skills/notes/SKILL.md': SKILL,
  '.agents/skills/notes/logo.png': new Uint8Array([1, 0, 2]),
};

describe('handrail skills', () => {
  it('lists them, says why others do not count, and shows one', async () => {
    await using workspace = tempWorkspace(FILES);
    const before = await handrail(workspace, ['skills']);
    expect(before).toMatchObject({
      exitCode: 0,
      stderr: 'Note: .agents/skills does not count: nobody trusted it as it is; `handrail trust` shows it.\n',
    });
    expect(before.stdout).toMatch(/^SKILL +OF +PLACE +DESCRIPTION\ncreate-skill +built-in +/);
    expect(await handrail(workspace, ['skills', 'show', 'notes'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no skill "notes"; there are create-skill.') as string,
    });
    expect(await handrail(workspace, ['trust', '--yes'])).toMatchObject({ exitCode: 0 });
    const { stdout } = await handrail(workspace, ['skills', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      skills: [
        expect.objectContaining({ name: 'create-skill', origin: 'built-in' }),
        {
          name: 'notes',
          description: 'Write notes.',
          origin: 'workspace',
          place: '.agents/skills/notes',
          files: ['logo.png'],
        },
      ],
      warnings: [],
    });
    expect(await handrail(workspace, ['skills', 'show', 'Notes'])).toEqual({
      exitCode: 0,
      stdout: `notes (workspace, .agents/skills/notes)\n${SKILL.trimEnd()
        .split('\n')
        .map((line) => `  | ${line}\n`)
        .join('')}  logo.png\n`,
      stderr: '',
    });
  });
});

describe('handrail trust', () => {
  it('shows settings and skills, trusts each by itself, and neither suffers from the other', async () => {
    await using workspace = tempWorkspace({ ...FILES, '.handrail/config.jsonc': '{ "mode": "auto" }' });
    const { stdout, stderr } = await handrail(workspace, ['trust', '--yes']);
    expect(stdout).toContain('── .handrail/config.jsonc\n  { "mode": "auto" }\n');
    expect(stdout).toContain('── .agents/skills/notes/SKILL.md\n  ---\n  name: notes\n');
    expect(stdout).toContain('── .agents/skills/notes/logo.png\n  (not text; 3 bytes)\n');
    expect(stderr).toBe('Trusted, until any of 3 files changes.\n');
    expect((await handrail(workspace, ['trust'])).stderr).toBe('This very content is trusted already.\n');
    workspace.write('.agents/skills/notes/SKILL.md', 'Changed.');
    // The settings still count: nobody is asked.
    expect(await handrail(workspace, ['call', 'write', '{"path":"a","content":""}'])).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(await handrail(workspace, ['trust', '--remove'])).toMatchObject({ exitCode: 0 });
    expect((await handrail(workspace, ['skills', 'list'])).stdout).not.toContain('notes');
  });
});
