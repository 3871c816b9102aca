/** `handrail memory` as a person uses it. */
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('handrail memory', () => {
  it('lists, searches, shows, exports and deletes what agents kept', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['memory'])).toMatchObject({
      exitCode: 0,
      stderr: 'Nothing is remembered here.\n',
    });
    const kept = { title: 'Tests \u001b[31m', content: 'Run npm test.\nTwice.' };
    const { stdout: reply } = await handrail(workspace, ['call', 'remember', JSON.stringify(kept)]);
    const { id } = JSON.parse(reply) as { id: string };
    const other = { title: 'Style', content: 'Two blanks.' };
    await handrail(workspace, ['call', 'remember', JSON.stringify(other)]);

    const listed = await handrail(workspace, ['memory', 'list']);
    expect(listed.stdout).toMatch(/^MEMORY +SCOPE +CHANGED +TITLE\n/);
    expect(listed.stdout).toContain('Tests \\u001b[31m');
    const searched = await handrail(workspace, ['memory', 'search', 'NPM', 'twice', '--json']);
    expect(JSON.parse(searched.stdout)).toMatchObject([{ id, scope: 'workspace', content: kept.content }]);
    expect(await handrail(workspace, ['memory', 'search', 'nothing'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No memory has all of these words.\n',
    });
    const { stdout: shown } = await handrail(workspace, ['memory', 'show', id]);
    expect(shown).toContain(`changed`);
    expect(shown).toContain('  | Run npm test.\n  | Twice.\n');
    const { stdout: text } = await handrail(workspace, ['memory', 'export']);
    expect(text).toContain('# Style (workspace)\n\nTwo blanks.\n');
    const { stdout: all } = await handrail(workspace, ['memory', 'export', '--json']);
    expect(JSON.parse(all)).toHaveLength(2);

    expect(await handrail(workspace, ['memory', 'delete', id])).toMatchObject({
      exitCode: 0,
      stdout: `Deleted ${id}: Tests \\u001b[31m\n`,
    });
    expect(await handrail(workspace, ['memory', 'show', id])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`There is no memory "${id}" here.`) as string,
    });
  });
});
