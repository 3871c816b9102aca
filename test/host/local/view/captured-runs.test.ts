/** Runs in a view that are cut off, have a terminal, a network or input, or are many at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, told } from '../../../support/commands.ts';
import { type TempWorkspace, tempWorkspace } from '../../../support/temp-workspace.ts';
import { captured, takenOver } from './fixtures/captured.ts';

function viewsOf({ locations }: TempWorkspace): string[] {
  return readdirSync(join(locations.state, 'views'));
}

function textOf({ root }: TempWorkspace, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

describe('a run in a view', () => {
  it('has what was changed before the time-out', async () => {
    await using workspace = tempWorkspace({ a: 'a\n' });
    using commands = commandsIn(workspace);
    const result = await takenOver(commands, 'echo b >> a; echo begun; sleep 300', { timeoutMs: 500 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(textOf(workspace, 'a')).toBe('a\nb\n');
  });

  it('leaves nothing where it is cancelled', async () => {
    await using workspace = tempWorkspace({ a: 'a\n' });
    using commands = commandsIn(workspace);
    const cancelling = new AbortController();
    const onOutput = (): void => cancelling.abort();
    const running = captured(commands, 'echo b >> a; echo begun; sleep 300', {
      signal: cancelling.signal,
      onOutput,
    });
    await expect(running).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect(textOf(workspace, 'a')).toBe('a\n');
    expect(viewsOf(workspace)).toEqual([]);
  });

  it('leaves nothing where the command can not be started', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await expect(captured(commands, 'true', { directory: 'gone' })).rejects.toMatchObject({ code: 'E_EXEC' });
    expect(viewsOf(workspace)).toEqual([]);
  });

  it('is looked at once all of its processes have ended', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const line = '(setsid sh -c "while :; do date +%N > busy; done" &) ; echo done > done';
    const result = await captured(commands, line);
    await using changes = result.changes;
    await changes.takeOver();
    expect(textOf(workspace, 'done')).toBe('done\n');
  });

  it('takes input, and gives a terminal', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    await takenOver(commands, 'cat > in', { stdin: 'grüße' });
    const result = await takenOver(commands, 'stty size | tee size', {
      terminal: { columns: 101, rows: 31 },
    });
    expect(told(result).stdout).toContain('31 101');
    expect([textOf(workspace, 'in'), textOf(workspace, 'size')]).toEqual(['grüße', '31 101\n']);
  });

  it('can have hosts', async () => {
    await using workspace = tempWorkspace();
    using commands = commandsIn(workspace);
    const result = await takenOver(
      commands,
      'curl -s http://no.example/ -o /dev/null; echo $http_proxy > proxy',
      {
        confinement: { hosts: ['yes.example'] },
      },
    );
    expect(result.hostsDenied).toEqual(['no.example']);
    expect(textOf(workspace, 'proxy')).toMatch(/^http:/);
  });

  it('has no changes where the workspace can not be changed', async () => {
    await using workspace = tempWorkspace({ a: 'a\n' });
    using commands = commandsIn(workspace);
    const { changes } = await captured(commands, 'cat a; echo b >> a', { confinement: { isReadOnly: true } });
    expect(changes.entries).toEqual([]);
  });

  it('does not show where its changes are kept', async () => {
    await using workspace = tempWorkspace({ a: 'a\n' });
    using commands = commandsIn(workspace);
    const line = `echo b >> a; grep -o 'upperdir=[^,]*' /proc/self/mountinfo | cut -d= -f2 | head -1; ls ${workspace.locations.state}`;
    const result = await captured(commands, line);
    await using changes = result.changes;
    const [upper = '', ...listed] = told(result).stdout.split('\n').filter(Boolean);
    expect(listed).toEqual([]);
    expect(existsSync(join(upper, 'a'))).toBe(true);
    const again = await captured(commands, `cat ${upper}/a || ls -a ${join(upper, '../..')}`);
    expect(told(again).stdout).toBe('');
    expect(changes.entries).toHaveLength(1);
  });

  it('is one of 64 at once, each of its own', { timeout: 60_000 }, async () => {
    await using workspace = tempWorkspace({ shared: 'shared\n' });
    using commands = commandsIn(workspace);
    const numbers = Array.from({ length: 64 }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) =>
        captured(commands, `cat shared; echo ${number} > shared; echo ${number} > own${number}`),
      ),
    );
    expect(new Set(results.map((result) => told(result).stdout))).toEqual(new Set(['shared\n']));
    for (const [number, { changes }] of results.entries()) {
      expect(await changes.conflicts()).toEqual(number === 0 ? [] : ['shared']);
      if (number === 0) await changes.takeOver();
      await changes[Symbol.asyncDispose]();
    }
    expect(readdirSync(workspace.root).toSorted()).toEqual(['own0', 'shared']);
    expect(viewsOf(workspace)).toEqual([]);
  });
});
