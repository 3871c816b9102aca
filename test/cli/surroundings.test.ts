/** Where the command line is started: places that can not be used are said, not stumbled over. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('readSurroundings', () => {
  it.each([
    ['call', 'stat', '{"path":"."}'],
    ['mcp', '--mode', 'ask'],
  ])('refuses a current folder that was deleted: %s', async (...args) => {
    await using workspace = tempWorkspace();
    const gone = join(workspace.root, 'gone');
    mkdirSync(gone);
    const script = 'rmdir "$PWD" && exec "$0" "$@"';
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, LAUNCHER, ...args], {
      cwd: gone,
      env: environmentOf(workspace),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'handrail: the current folder was deleted. Start it in one that is there.\n',
    });
  });

  it.each([['XDG_STATE_HOME'], ['XDG_CONFIG_HOME']])('refuses a file as %s', async (variable) => {
    await using workspace = tempWorkspace();
    const file = join(workspace.locations.state, '..', 'file');
    writeFileSync(file, '');
    const { exitCode, stderr } = await handrail(workspace, ['call', 'stat', '{"path":"."}'], '', {
      [variable]: file,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(`handrail: A part of "${file}/handrail`),
    });
  });
});
