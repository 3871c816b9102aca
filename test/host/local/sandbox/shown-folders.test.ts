import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { OUTSIDE_SECRET, tempWorkspace } from '../../../support/temp-workspace.ts';

describe('Confinement.shown', () => {
  it('shows a folder of the machine that would not be seen, and lets nobody write there', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const file = join(workspace.outside, 's.txt');
    const line = `cat ${file}; echo x > ${file} || echo kept`;
    expect(told(await shell(commands, line)).stdout).toBe('kept\n');
    const shown = await shell(commands, line, { confinement: { shown: [workspace.outside] } });
    expect(told(shown).stdout).toBe(`${OUTSIDE_SECRET}kept\n`);
  });

  it('shows none that holds the home, the workspace or our own folders', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    using commands = commandsIn(workspace);
    const { home, state } = workspace.locations;
    writeFileSync(join(home, 'key'), 'secret\n');
    await shell(commands, 'true');
    for (const folder of ['/', '/tmp', dirname(workspace.root), home, state]) {
      const line = `echo b > a.txt && cat ${home}/key ${state}/sandbox/gitconfig; ls ${workspace.outside}`;
      const { stdout, exitCode } = told(await shell(commands, line, { confinement: { shown: [folder] } }));
      expect([folder, stdout, exitCode > 0]).toEqual([folder, '', true]);
    }
  });
});
