/** What a confined command sees of the machine. */
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, shell, told } from '../../../support/commands.ts';
import { tempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { runCommands, type User, whyNotAs } from './fixtures/commands-in-a-child.ts';

const USERS: readonly User[] = ['root', 'nobody'];

describe('a confined command', () => {
  it.for(USERS)('of %s sees toolchains of the home, read-only, and nothing else', async (user, { skip }) => {
    const whyNot = whyNotAs(user);
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace();
    inHome(workspace, '.cargo/bin/tool', '.cargo/credentials.toml', '.ssh/id', '.bashrc', 'other/notes.txt');
    const lines = [
      'cd ~; find . -type f',
      'echo x > ~/.cargo/bin/tool || echo refused',
      'echo x > ~/new && cat ~/new',
    ];
    const answers = await runCommands(
      workspace,
      user,
      lines.map((line) => [line]),
    );
    expect(answers.map(({ stdout }) => stdout)).toEqual(['./.cargo/bin/tool\n', 'refused\n', 'x\n']);
  });

  it.for(USERS)(
    'of %s finds the homes of others, what runs and what is mounted empty',
    async (user, { skip }) => {
      const whyNot = whyNotAs(user);
      skip(whyNot !== undefined, whyNot);
      await using workspace = tempWorkspace();
      const folders = '/home /root /mnt /media /var/tmp';
      const [answer] = await runCommands(workspace, user, [
        [`ls -A ${folders} 2>/dev/null | grep -v ':$' | grep .; ls /run`],
      ]);
      expect(answer!.stdout).toBe('handrail\n');
    },
  );

  it('gets no descriptor that Handrail was started with', async () => {
    await using workspace = tempWorkspace();
    const folder = openSync(workspace.outside, 'r');
    // Node itself sees to the first few.
    const inherited = [...Array.from({ length: 60 }, () => 'ignore' as const), folder];
    const [confined] = await runCommands(workspace, 'root', [['ls /proc/self/fd/63/']], inherited);
    closeSync(folder);
    expect(confined).toMatchObject({ tier: 'A', stdout: expect.not.stringContaining('s.txt') as string });
  });

  it('sees nothing of Handrail itself, wherever it keeps its state', async () => {
    await using workspace = tempWorkspace();
    const state = join(workspace.root, 'inner/state');
    using commands = commandsIn(workspace, { state });
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'store.db'), 'private');
    const result = await shell(commands, 'ls -A inner/state; mv inner away; echo x > inner/state/planted');
    expect(told(result)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('keeps its caches for the workspace, and its home for nobody', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await shell(
      commands,
      'mkdir -p $XDG_CACHE_HOME $npm_config_cache; echo c > $npm_config_cache/c; echo h > ~/h',
    );
    const again = await shell(commands, 'cat $npm_config_cache/c; cat ~/h', {
      confinement: { session: 'ses_other' },
    });
    expect(told(again)).toMatchObject({ exitCode: 1, stdout: 'c\n' });
    await using other = tempWorkspace();
    using elsewhere = commandsIn(other, { state: workspace.locations.state });
    expect(told(await shell(elsewhere, 'ls -A $XDG_CACHE_HOME')).stdout).toBe('');
  });

  it('can not lead later mounts astray by links in its own /tmp', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const above = join(workspace.root, '..');
    const first = await shell(commands, `cd /tmp; rm -rf ${above}; mv ${above} /tmp/moved; ln -s / ${above}`);
    expect(told(first).exitCode).not.toBe(0);
    expect(told(await shell(commands, 'pwd; touch works')).stdout).toBe(`${workspace.root}\n`);
  });

  it('works in a workspace whose names are odd', async () => {
    await using workspace = tempWorkspace({ 'a b/"c"/$d\n.txt': 'odd' });
    using commands = commandsIn(workspace);
    const request = { directory: 'a b/"c"', confinement: { frozen: ['a b/"c"/$d\n.txt'] } };
    const result = await shell(commands, 'cat *; echo x > "$(ls)" || echo refused', request);
    expect(told(result).stdout).toBe('oddrefused\n');
  });

  it('changes nothing where the workspace is read-only, hidden parts included', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n', 'h.txt': 'hidden' });
    using commands = commandsIn(workspace);
    const line =
      'cat a.txt h.txt; echo x > b.txt || echo refused; rm -f h.txt || echo kept; echo t > /tmp/t && cat /tmp/t';
    const result = await shell(commands, line, { confinement: { isReadOnly: true, hidden: ['h.txt'] } });
    expect(told(result).stdout).toBe('a\nrefused\nkept\nt\n');
  });

  it('is not run where a held place is behind a link, or there are too many', async () => {
    await using workspace = tempWorkspace({ 'real.txt': '' });
    symlinkSync('real.txt', join(workspace.root, 'link.txt'));
    using commands = commandsIn(workspace);
    const behind = shell(commands, 'true', { confinement: { frozen: ['link.txt'] } });
    await expect(behind).rejects.toMatchObject({ code: 'E_CONFLICT' });
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`);
    for (const name of names) workspace.write(name, '');
    const many = shell(commands, 'true', { confinement: { frozen: names } });
    await expect(many).rejects.toMatchObject({
      code: 'E_TOO_LARGE',
      message: expect.stringContaining('61') as string,
    });
  });

  it('is not run in a folder that took the place of the workspace', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await shell(commands, 'true');
    rmSync(workspace.root, { recursive: true });
    mkdirSync(workspace.root);
    await expect(shell(commands, 'true')).rejects.toMatchObject({ code: 'E_IO' });
  });
});

function inHome(workspace: TempWorkspace, ...paths: readonly string[]): void {
  for (const path of paths) {
    const file = join(workspace.locations.home, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'in the home');
  }
}
