/** The question in a terminal, as a person sees it and answers it: in tmux, key by key. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { environmentOf, handrail } from '../support/command-line.ts';
import { openTerminal, type Terminal, whyNoTerminal } from '../support/terminal.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = `handrail call write '{"path":"a.txt","content":"new\\n"}'`;
const PROMPT = '[y]es once, for this [s]ession, [a]lways, [e]dit, [n]o, no, with a [r]eason?';

const missing = whyNoTerminal();

describe.skipIf(missing !== undefined)('terminalApprover', () => {
  it('shows the tool, why it asks, what it touches, the diff and the rule before it takes an answer', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    symlinkSync('a.txt', join(workspace.root, 'link'));
    using terminal = openTerminal(workspace);
    terminal.enter(`handrail call write '{"path":"link","content":"new\\n"}'`);
    const screen = await asked(terminal);
    const lines = screen.split('\n').slice(2);
    expect(lines.slice(0, 8)).toEqual([
      'handrail:write asks: fs.write on "a.txt" needs an approval. (dialect:handrail#2)',
      '  fs.read  link -> a.txt',
      '  fs.write  link -> a.txt',
      '  | --- a/link',
      '  | +++ b/link',
      '  | @@ -1 +1 @@',
      '  | -old',
      '  | +new',
    ]);
    expect(lines[8]).toMatch(/^"always" would write the rule \{.*"path":\["\/link","\/a\.txt"\].*\}$/);
    expect(lines[9]?.trimEnd()).toBe(PROMPT);
    expect(textOf(workspace)).toBe('old\n');
  });

  it('shows control and direction characters as escapes, and sends none of them', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    // Clears the screen, moves up, renames the window, a C1 introducer, overwrites by a carriage return, reverses, hides.
    const content = String.raw`\u001b[2J\u001b[1A\u001b]0;t\u0007\u009b31m\rsafe\b\u202eevil\u2066\u200b\u2060\ufeff`;
    terminal.enter(`handrail call write '{"path":"a.txt","content":"${content}\\n"}'`);
    const screen = await asked(terminal);
    expect(screen.split('\n')[0]).toContain('handrail call write');
    expect(screen).toContain(
      `\n  | +${content.replace(String.raw`\r`, String.raw`\u000d`).replace(String.raw`\b`, String.raw`\u0008`)}\n`,
    );
    const sent = terminal.received();
    for (const harm of ['\u001b[2J', '\u001b[1A', '\u001b]', '\u0007', '\u009b', '\rsafe', '\b'])
      expect({ harm, isSent: sent.includes(harm) }).toEqual({ harm, isSent: false });
    expect(sent).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
  });

  it.each(['y', 'yes', 'Y', ' y '])('takes %j for a yes to this call', async (key) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    expect(await answered(terminal, key)).toBe(0);
    expect(textOf(workspace)).toBe('new\n');
    expect(existsSync(configFile(workspace))).toBe(false);
    terminal.enter(WRITE);
    await asked(terminal);
    expect(timesAsked(terminal)).toBe(2);
  });

  it.each(['n', 'no', ''])('takes %j for a no', async (key) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    expect(await answered(terminal, key)).toBe(3);
    expect(terminal.screen()).toContain('"denied": true');
    expect(textOf(workspace)).toBe('old\n');
  });

  it.each(['C-c', 'C-d'])('takes the end of input by %s for a no', async (key) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    await asked(terminal);
    terminal.press(key);
    expect(await exitCode(terminal)).toBe(3);
    expect(textOf(workspace)).toBe('old\n');
  });

  it('asks again on keys that are not offered', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    await asked(terminal);
    for (const [index, key] of ['x', 'yy', 'always', '1', 'ok'].entries()) {
      terminal.enter(key);
      await expect.poll(() => timesAsked(terminal), { timeout: 30_000 }).toBe(index + 2);
    }
    expect(textOf(workspace)).toBe('old\n');
    terminal.enter('y');
    expect(await exitCode(terminal)).toBe(0);
    expect(textOf(workspace)).toBe('new\n');
  });

  it('takes s for the session, and writes no rule', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    expect(await answered(terminal, 's')).toBe(0);
    expect(textOf(workspace)).toBe('new\n');
    expect(existsSync(configFile(workspace))).toBe(false);
  });

  it('takes a for always, writes the rule that it showed, and does not ask again', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    expect(await answered(terminal, 'a')).toBe(0);
    const [, shown] = /would write the rule (.*)/.exec(terminal.screen())!;
    expect(parseConfig(readFileSync(configFile(workspace), 'utf8'), 'it')).toEqual({
      rules: [JSON.parse(shown!)],
    });
    terminal.enter(`${WRITE}; echo "second=$?"`);
    expect(await terminal.shows(/^second=\d+$/m)).toContain('second=0');
    expect(timesAsked(terminal)).toBe(1);
  });

  it('does not offer always for a floor, and does not take it', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const floor = '{ "rules": [{ "action": "ask", "permission": "fs.write", "floor": true }] }';
    mkdirSync(join(configFile(workspace), '..'), { recursive: true });
    writeFileSync(configFile(workspace), floor);
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    expect(await asked(terminal)).not.toMatch(/always/);
    terminal.enter('a');
    await expect.poll(() => timesAsked(terminal), { timeout: 30_000 }).toBe(2);
    terminal.enter('n');
    expect(await exitCode(terminal)).toBe(3);
    expect(readFileSync(configFile(workspace), 'utf8')).toBe(floor);
  });

  it('takes e for other arguments, and asks again for what is not JSON', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    await asked(terminal);
    terminal.enter('e');
    await terminal.shows('The arguments as JSON: ');
    terminal.enter('{"path":');
    await terminal.shows('That is not JSON.');
    terminal.enter('{"path":"b.txt","content":"edited"}');
    expect(await exitCode(terminal)).toBe(0);
    expect(textOf(workspace)).toBe('old\n');
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('edited');
  });

  it('takes r for a no with a reason that the agent reads', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    await asked(terminal);
    terminal.enter('r');
    await terminal.shows('Reason: ');
    terminal.enter('Write b.txt instead.');
    expect(await exitCode(terminal)).toBe(3);
    expect(terminal.screen()).toContain('"reason": "Write b.txt instead.');
    expect(textOf(workspace)).toBe('old\n');
  });

  it.each([
    ['a line', ['y', 'Enter']],
    ['the start of one', ['y']],
    ['two lines and a half', ['y', 'Enter', 'a', 'Enter', 's']],
  ])('does not take %s that was typed before the question for an answer to it', async (_, keys) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    // The keys wait in the terminal until handrail reads from it.
    terminal.enter(`echo typing; read _ <&1; ${WRITE}; echo "exit=$?"`);
    await terminal.shows(/^typing$/m);
    terminal.press('Enter', ...keys);
    await asked(terminal);
    terminal.enter('');
    expect(await exitCode(terminal)).toBe(3);
    expect(textOf(workspace)).toBe('old\n');
  });

  it('says of a very long question where it can be read whole', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    const lines = Array.from({ length: 2_001 }, (_, index) => `line ${index + 1}`);
    workspace.write('arguments.json', JSON.stringify({ path: 'a.txt', content: lines.join('\n') }));
    terminal.enter('handrail call write "$(cat arguments.json)"; echo "exit=$?"');
    const [, id] = /`handrail approvals show (apr_\w+) \| less`/.exec(await asked(terminal))!;
    const { exitCode: code, stdout } = await handrail(workspace, ['approvals', 'show', id!]);
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}\| \+line \d+$/gm)).toEqual(lines.map((line) => `  | +${line}`));
    expect(stdout).toContain(`handrail approvals answer ${id} once|session|always|deny|edit`);
  });

  it('lets go of the question when it is answered elsewhere', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    using terminal = openTerminal(workspace);
    terminal.enter(`${WRITE}; echo "exit=$?"`);
    await asked(terminal);
    const { stdout } = await handrail(workspace, ['approvals', 'list', '--json']);
    const [{ id }] = JSON.parse(stdout) as [{ id: string }];
    await handrail(workspace, ['approvals', 'answer', id, 'once']);
    expect(await exitCode(terminal)).toBe(0);
    expect(textOf(workspace)).toBe('new\n');
  });
});

/** Waits for the question and gives the screen. */
function asked(terminal: Terminal): Promise<string> {
  return terminal.shows(/\[n\]o, no, with a \[r\]eason\? ?$/m);
}

/** Asks, answers with a line, and gives the exit code. */
async function answered(terminal: Terminal, line: string): Promise<number> {
  terminal.enter(`${WRITE}; echo "exit=$?"`);
  await asked(terminal);
  terminal.enter(line);
  return exitCode(terminal);
}

async function exitCode(terminal: Terminal): Promise<number> {
  return Number(/exit=(\d+)$/m.exec(await terminal.shows(/exit=\d+$/m))![1]);
}

function timesAsked(terminal: Terminal): number {
  return terminal.screen().split('no, with a [r]eason? ').length - 1;
}

function textOf({ root }: TempWorkspace): string {
  return readFileSync(join(root, 'a.txt'), 'utf8');
}

function configFile(workspace: TempWorkspace): string {
  return join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
}
