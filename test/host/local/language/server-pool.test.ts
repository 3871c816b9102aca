import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languagesIn, oddServer, type TestLanguages } from '../../../support/languages.ts';
import { tempWorkspace } from '../../../support/temp-workspace.ts';

/** The numbers of the odd servers of a workspace, found by what they were started with. */
function running(root: string): string[] {
  const argumentsOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && argumentsOf(name).split('\0')[1] === `${root}/server.cjs`,
  );
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 20_000 }).toBe(true);
}

async function statusOf(languages: TestLanguages): Promise<string> {
  return (await languages.diagnostics(languages.about('a.odd'))).status;
}

describe('ServerPool', () => {
  it('starts nothing before somebody asks, and one server for all who do', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '', 'b.odd': '', 'c.odd': '' });
    await using languages = languagesIn(workspace, { settings: oddServer(workspace) });
    expect(running(workspace.root)).toEqual([]);
    const files = ['a.odd', 'b.odd', 'c.odd', 'a.odd'];
    const answers = await Promise.all(files.map((path) => languages.diagnostics(languages.about(path))));
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 'active'));
    expect(running(workspace.root)).toHaveLength(1);
  });

  it('ends every server with itself', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '' });
    const languages = languagesIn(workspace, { settings: oddServer(workspace) });
    expect(await statusOf(languages)).toBe('active');
    await languages[Symbol.asyncDispose]();
    expect(running(workspace.root)).toEqual([]);
    expect(await statusOf(languages)).toBe('unavailable');
  });

  it('starts a server that crashed again at once, and after more crashes not for a while', async () => {
    await using workspace = tempWorkspace({ 'a.odd': 'crash' });
    await using languages = languagesIn(workspace, {
      settings: oddServer(workspace, 'crashes-on-request'),
      limits: { firstPauseMs: 60_000 },
    });
    expect(await statusOf(languages)).toBe('error');
    workspace.write('a.odd', 'fine');
    expect(await statusOf(languages)).toBe('active');
    workspace.write('a.odd', 'crash');
    expect(await statusOf(languages)).toBe('error');
    expect(await languages.diagnostics(languages.about('a.odd'))).toMatchObject({
      status: 'unavailable',
      says: 'It stopped working, because it ended. It is started again in 60 s at the earliest.',
    });
    expect(running(workspace.root)).toEqual([]);
  });

  it('stops a server that nobody asks any more, and starts it again for who does', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '' });
    await using languages = languagesIn(workspace, {
      settings: oddServer(workspace),
      limits: { idleMs: 1, lookMs: 20 },
    });
    expect(await statusOf(languages)).toBe('active');
    await until(() => running(workspace.root).length === 0);
    expect(await statusOf(languages)).toBe('active');
  });

  it('stops a server that takes more memory than all may, and says so', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '' });
    await using languages = languagesIn(workspace, {
      settings: oddServer(workspace, 'takes-memory'),
      limits: { memoryBytes: 150 * 1024 * 1024, lookMs: 20, firstPauseMs: 60_000 },
    });
    // Once may be chance; it is started again.
    for (const _ of [1, 2]) {
      expect(await statusOf(languages)).toBe('active');
      await until(() => running(workspace.root).length === 0);
    }
    expect(await languages.diagnostics(languages.about('a.odd'))).toMatchObject({
      status: 'unavailable',
      says: expect.stringMatching(
        /^It took \d+ MiB of memory, more than the 150 MiB for all servers/,
      ) as string,
    });
  });

  it('tells what the servers take', async () => {
    await using workspace = tempWorkspace({ 'a.odd': '' });
    await using languages = languagesIn(workspace, { settings: oddServer(workspace) });
    expect(languages.memory()).toBe(0);
    await statusOf(languages);
    expect(languages.memory()).toBeGreaterThan(10 * 1024 * 1024);
  });
});
