/** The first settings file of a workspace, or of a user. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_TEMPLATE } from '../../src/config/template.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const CONFIG = '.handrail/config.jsonc';

describe('handrail init', () => {
  it("writes the workspace's own, which counts once it is trusted, and not over one that is there", async () => {
    await using workspace = tempWorkspace();
    const file = join(workspace.root, CONFIG);
    expect(await handrail(workspace, ['init'])).toEqual({
      exitCode: 0,
      stdout: `${file}\n`,
      stderr: expect.stringContaining('handrail trust'),
    });
    expect(readFileSync(file, 'utf8')).toBe(CONFIG_TEMPLATE);
    writeFileSync(file, '{}');
    expect(await handrail(workspace, ['init'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is there already'),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  it("writes the user's with --user, and not over one that is there", async () => {
    await using workspace = tempWorkspace();
    const file = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
    expect(await handrail(workspace, ['init', '--user'])).toEqual({
      exitCode: 0,
      stdout: `${file}\n`,
      stderr: '',
    });
    expect(await handrail(workspace, ['init', '--user'])).toMatchObject({ exitCode: 1 });
    expect(existsSync(join(workspace.root, '.handrail'))).toBe(false);
    expect(await handrail(workspace, ['call', 'list'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['the folder of settings', '.handrail'],
    ['the file', CONFIG],
  ])('does not follow a link in the place of %s', async (_, place) => {
    await using workspace = tempWorkspace();
    if (place === CONFIG) mkdirSync(join(workspace.root, '.handrail'));
    symlinkSync(join(workspace.outside, place === CONFIG ? 'target' : ''), join(workspace.root, place));
    expect(await handrail(workspace, ['init'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(existsSync(join(workspace.outside, 'config.jsonc'))).toBe(false);
    expect(existsSync(join(workspace.outside, 'target'))).toBe(false);
  });
});
