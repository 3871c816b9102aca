/** `handrail approvals watch`: somebody who is there, with a terminal and without one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOf, handrail, LAUNCHER } from '../support/command-line.ts';
import { openTerminal, type Terminal, whyNoTerminal } from '../support/terminal.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = ['call', 'write', '{"path":"a.txt","content":"new\\n"}'];
const OTHER = ['call', 'write', '{"path":"b.txt","content":"other\\n"}'];
const SLOW = { timeout: 60_000, interval: 100 };

describe('handrail approvals watch without a terminal', () => {
  it('makes callers wait, shows each question with its id and how to answer it, until it ends', async () => {
    await using workspace = tempWorkspace();
    await using watch = await startWatch(workspace);
    const asking = handrail(workspace, WRITE);
    await expect.poll(() => watch.shown(), SLOW).toContain('Answer it with');
    expect(watch.shown()).toContain('handrail:write asks: ');
    expect(watch.shown()).toContain('  | +new\n');
    const [, id, answers] = /^Answer it with: handrail approvals answer (apr_\w+) (\S+)$/m.exec(
      watch.shown(),
    )!;
    expect(answers).toBe('once|session|always|deny|edit');
    await handrail(workspace, ['approvals', 'answer', id!, 'once']);
    expect(await asking).toMatchObject({ exitCode: 0 });
    await watch.end('SIGTERM');
    expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
  });

  it('is not waited for once it was killed', async () => {
    await using workspace = tempWorkspace();
    await using watch = await startWatch(workspace);
    await watch.end('SIGKILL');
    expect(await handrail(workspace, WRITE)).toMatchObject({ exitCode: 3 });
  });
});

const missing = whyNoTerminal();

describe.skipIf(missing !== undefined)('handrail approvals watch in a terminal', () => {
  it('asks what agents ask by key, between approvals, and lets go of what was answered elsewhere', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    await watchIn(terminal);
    const ask = ['call', 'ask_user', '{"message":"Which?","choices":["one","two"]}'];
    const first = handrail(workspace, ask);
    await terminal.shows('Press 1 to 2, or q to give no answer:');
    terminal.press('2');
    expect((await first).stdout).toContain('"answer":"two"');
    const write = handrail(workspace, WRITE);
    await asked(terminal, 1);
    terminal.enter('y');
    expect(await write).toMatchObject({ exitCode: 0 });
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-new\n+newer\n';
    const review = handrail(workspace, ['call', 'patch_review', JSON.stringify({ patch })]);
    await terminal.shows('Chunk 1 of 1, a.txt');
    const { stdout } = await handrail(workspace, ['approvals', 'list', '--json']);
    const [{ id }] = JSON.parse(stdout) as [{ id: string }];
    await handrail(workspace, ['approvals', 'answer', id, 'all']);
    expect((await review).stdout).toContain('"chunks_selected":[1]');
    await terminal.shows(`${id} was answered elsewhere`);
    const last = handrail(workspace, ask);
    await expect.poll(() => terminal.screen().split('Press 1 to 2').length, SLOW).toBe(3);
    terminal.press('1');
    expect((await last).stdout).toContain('"answer":"one"');
    terminal.press('C-c');
    expect(await exitCode(terminal)).toBe(0);
  });

  it('shows the question of another process and answers it, one after the other', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    await watchIn(terminal);
    const first = handrail(workspace, WRITE);
    expect(await asked(terminal, 1)).toContain('  | +new');
    terminal.enter('y');
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(textOf(workspace)).toBe('new\n');
    const second = handrail(workspace, ['call', 'delete', '{"path":"a.txt"}']);
    expect(await asked(terminal, 2)).toContain('Deletes a.txt: 1 file.');
    terminal.enter('n');
    expect(await second).toMatchObject({ exitCode: 3 });
    expect(textOf(workspace)).toBe('new\n');
    terminal.press('C-c');
    expect(await exitCode(terminal)).toBe(0);
  });

  it.each(['C-c', 'C-d'])('leaves by %s without answering the question that is open', async (key) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    await watchIn(terminal);
    const asking = handrail(workspace, WRITE);
    await asked(terminal, 1);
    terminal.press(key);
    expect(await exitCode(terminal)).toBe(0);
    const [open] = await listed(workspace);
    await handrail(workspace, ['approvals', 'answer', open!.id, 'once']);
    expect(await asking).toMatchObject({ exitCode: 0 });
  });

  it('goes on to the next question when one is answered elsewhere', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    await watchIn(terminal);
    const first = handrail(workspace, WRITE);
    await asked(terminal, 1);
    const [open] = await listed(workspace);
    const second = handrail(workspace, OTHER);
    await handrail(workspace, ['approvals', 'answer', open!.id, 'deny']);
    expect(await first).toMatchObject({ exitCode: 3 });
    expect(await asked(terminal, 2)).toContain(`${open!.id} was answered elsewhere`);
    expect(terminal.screen()).toContain('  | +other');
    terminal.enter('y');
    expect(await second).toMatchObject({ exitCode: 0 });
  });
});

async function watchIn(terminal: Terminal): Promise<void> {
  terminal.enter('handrail approvals watch; echo "exit=$?"');
  await terminal.shows('Waiting for questions');
}

/** Waits until so many questions were asked, and gives the screen. */
async function asked(terminal: Terminal, times: number): Promise<string> {
  await expect.poll(() => terminal.screen().split('no, with a [r]eason? ').length - 1, SLOW).toBe(times);
  return terminal.screen();
}

async function exitCode(terminal: Terminal): Promise<number> {
  return Number(/exit=(\d+)$/m.exec(await terminal.shows(/exit=\d+$/m))![1]);
}

async function listed(workspace: TempWorkspace): Promise<{ readonly id: string }[]> {
  const { stdout } = await handrail(workspace, ['approvals', 'list', '--json']);
  return JSON.parse(stdout) as { id: string }[];
}

function textOf({ root }: TempWorkspace): string {
  return readFileSync(join(root, 'a.txt'), 'utf8');
}

interface Watch extends AsyncDisposable {
  /** What it printed so far. */
  shown(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Runs `approvals watch` without a terminal, and waits until it says that it is there. */
async function startWatch(workspace: TempWorkspace): Promise<Watch> {
  const child = spawn(process.execPath, [LAUNCHER, 'approvals', 'watch'], {
    env: environmentOf(workspace),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  expect(said.toString()).toContain('Waiting for questions');
  return { shown: () => shown, end, [Symbol.asyncDispose]: () => end('SIGKILL') };
}
