/** One process asks, another answers: the questions of the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER, type Ran } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = ['call', 'write', '{"path":"a.txt","content":"new\\n"}'];
const SLOW = { timeout: 60_000, interval: 100 };

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly request: { readonly tool: string; readonly hash: string };
}

describe('handrail call --wait', () => {
  it('runs when another process answers once', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    expect(open).toMatchObject({
      id: expect.stringMatching(/^apr_/),
      hash: open!.request.hash,
      workspace: workspace.root,
      state: 'pending',
      answer: null,
      request: {
        dialect: 'handrail',
        tool: 'write',
        args: { path: 'a.txt', content: 'new\n' },
        preview: { kind: 'diff', text: expect.stringContaining('-old\n+new\n') },
      },
    });
    expect(textOf(workspace)).toBe('old\n');
    expect(await handrail(workspace, ['approvals', 'answer', open!.id, 'once'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Answered ${open!.id} with once.\n`,
    });
    expect(await asking).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('"ok":true'),
      stderr: `It waits for an answer: handrail approvals show ${open!.id}\n`,
    });
    expect(textOf(workspace)).toBe('new\n');
    expect(await listed(workspace)).toEqual([]);
  });

  it('is denied with the reason that another process gives', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    await handrail(workspace, ['approvals', 'answer', open!.id, 'deny', '--reason', 'Use b.txt.']);
    const { exitCode, stdout } = await asking;
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'E_DENIED', denied: true });
    expect(stdout).toContain('Use b.txt.');
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('runs with the arguments of the answer edit, and of no answer that is not whole', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    const answer = ['approvals', 'answer', open!.id];
    for (const [args, problem] of [
      [['edit'], 'needs --args'],
      [['edit', '--args', '{"path":'], 'not JSON'],
      [['once', '--args', '{}'], 'goes with the answer edit'],
    ] as const) {
      expect(await handrail(workspace, [...answer, ...args])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(problem),
      });
    }
    await handrail(workspace, [...answer, 'edit', '--args', '{"path":"b.txt","content":"edited"}']);
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('edited');
  });

  it('is not asked again after always, in a process of its own', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    await handrail(workspace, ['approvals', 'answer', open!.id, 'always']);
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 0 });
    expect(await handrail(workspace, ['call', 'write', '{"path":"b.txt","content":""}'])).toMatchObject({
      exitCode: 3,
    });
  });
});

describe('handrail call', () => {
  it('says where the rule of an always could not be written, and runs', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    const settings = writeSettings(workspace, '{ "mode": ');
    await handrail(workspace, ['approvals', 'answer', open!.id, 'always']);
    expect(await asking).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('The rule was not written'),
    });
    expect(readFileSync(settings, 'utf8')).toBe('{ "mode": ');
  });
});

describe('handrail approvals', () => {
  it('says so where nothing is open', async () => {
    await using workspace = tempWorkspace();
    expect(await handrail(workspace, ['approvals'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No question is open.\n',
    });
    expect(await handrail(workspace, ['approvals', 'list', '--json'])).toMatchObject({ stdout: '[]\n' });
  });

  it('lists a question in a line, with its id, tool, workspace and why', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    const { stdout } = await handrail(workspace, ['approvals', 'list']);
    await handrail(workspace, ['approvals', 'answer', open!.id, 'deny']);
    await asking;
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      new RegExp(`^${open!.id} +handrail:write +${workspace.root} +\\d+ s +fs\\.write on "a\\.txt" needs`),
    );
  });

  it('takes one answer, and tells the second that it is too late', async () => {
    await using workspace = tempWorkspace();
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    const answers = await Promise.all([
      handrail(workspace, ['approvals', 'answer', open!.id, 'deny']),
      handrail(workspace, ['approvals', 'answer', open!.id, 'deny']),
    ]);
    expect(answers.map(({ exitCode }) => String(exitCode)).sort()).toEqual(['0', '1']);
    expect(await asking).toMatchObject({ exitCode: 3 });
    for (const command of [
      ['answer', open!.id, 'once'],
      ['answer', open!.id, 'always'],
      ['show', open!.id],
    ]) {
      expect(await handrail(workspace, ['approvals', ...command])).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `handrail: ${open!.id} is not open any more (used).\n`,
      });
    }
    expect(existsSync(join(workspace.root, 'a.txt'))).toBe(false);
  });

  it('tells whoever answers after the time that the question expired', async () => {
    await using workspace = tempWorkspace();
    writeSettings(workspace, '{ "approvals": { "timeoutSeconds": 1 } }');
    const asking = startCall(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    // It dies with the question, which is then closed by nothing but the time.
    await asking.kill();
    await expect.poll(() => listed(workspace), SLOW).toEqual([]);
    expect(await handrail(workspace, ['approvals', 'answer', open!.id, 'once'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `handrail: ${open!.id} is not open any more (expired).\n`,
    });
  });

  it.each([
    ['an unknown id', ['apr_nothing', 'once'], 1, 'there is no question "apr_nothing"'],
    ['another command', ['answre', 'apr_nothing', 'once'], 2, 'answre'],
  ])('answers %s with a hint', async (_, args, exitCode, hint) => {
    await using workspace = tempWorkspace();
    const command = args[0] === 'answre' ? args : ['answer', ...args];
    const ran = await handrail(workspace, ['approvals', ...command]);
    expect(ran).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(hint) });
  });

  it('answers words that are no answer with a hint, and leaves the question open', async () => {
    await using workspace = tempWorkspace();
    const asking = startCall(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    for (const [args, hint] of [
      [['yes'], 'once, session, always, deny or edit, not "yes"'],
      [['toString'], 'not "toString"'],
      [[], 'once, session, always, deny or edit, not ""'],
      [['--decline'], '--decline and --comment are for questions of the agent'],
      [['once', '--comment', '1: x'], '--decline and --comment are for questions of the agent'],
    ] as const) {
      const ran = await handrail(workspace, ['approvals', 'answer', open!.id, ...args]);
      expect(ran).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(hint) });
    }
    expect(await listed(workspace)).toHaveLength(1);
    await asking.kill();
  });

  it('refuses always where it is not offered, and leaves the question open', async () => {
    await using workspace = tempWorkspace();
    const floor = '{ "rules": [{ "action": "ask", "permission": "fs.write", "floor": true }] }';
    const settings = writeSettings(workspace, floor);
    const asking = handrail(workspace, [...WRITE, '--wait']);
    const [open] = await whenOpen(workspace);
    expect(open!.request).not.toHaveProperty('alwaysRule');
    expect(await handrail(workspace, ['approvals', 'answer', open!.id, 'always'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"always" is not offered'),
    });
    await handrail(workspace, ['approvals', 'answer', open!.id, 'once']);
    expect(await asking).toMatchObject({ exitCode: 0 });
    expect(readFileSync(settings, 'utf8')).toBe(floor);
  });
});

describe('handrail call with nobody there', () => {
  it('is denied at once, asks nothing, and says how to be asked', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, WRITE);
    expect(ran).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('handrail approvals watch') });
    expect(await listed(workspace)).toEqual([]);
  });
});

function textOf({ root }: TempWorkspace): string {
  return readFileSync(join(root, 'a.txt'), 'utf8');
}

async function listed(workspace: TempWorkspace): Promise<Listed[]> {
  const ran: Ran = await handrail(workspace, ['approvals', 'list', '--json']);
  return JSON.parse(ran.stdout) as Listed[];
}

/** Looks, as a person would, until a question is open. */
async function whenOpen(workspace: TempWorkspace): Promise<Listed[]> {
  await expect.poll(async () => (await listed(workspace)).length, SLOW).toBe(1);
  return listed(workspace);
}

function writeSettings(workspace: TempWorkspace, text: string): string {
  const file = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function startCall(workspace: TempWorkspace, args: readonly string[]): { kill(): Promise<void> } {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    cwd: workspace.root,
    env: environmentOf(workspace),
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  return {
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
