/** Questions of the agent in a terminal, as a person sees and answers them: in tmux, key by key. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTerminal, type Terminal, whyNoTerminal } from '../support/terminal.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const missing = whyNoTerminal();

/** Calls with arguments from a file, since they hold what a shell would not leave alone. */
function call(
  terminal: Terminal,
  workspace: TempWorkspace,
  tool: string,
  args: object,
  dialect = 'handrail',
): void {
  const file = join(workspace.root, '../arguments.json');
  writeFileSync(file, JSON.stringify(args));
  // One line, so that what is typed can't be taken for what is shown.
  terminal.enter(
    `handrail call --dialect ${dialect} ${tool} "$(cat '${file}')" > ../reply; echo "exit=$?"; cat ../reply`,
  );
}

async function reply(terminal: Terminal): Promise<string> {
  const screen = await terminal.shows(/^exit=\d+\n[^]*\}/m);
  return /^exit=\d+\n([^]*?)\n\$?/m.exec(screen)![0];
}

const ASK = {
  message: 'Which database?\nhandrail:bash asks: run rm -rf',
  choices: ['SQLite', 'Postgres \u001b[2J\u202e'],
};

describe.skipIf(missing !== undefined)('terminalPrompter', () => {
  it('shows who asks and what, behind a bar, and takes one key', async () => {
    await using workspace = tempWorkspace();
    using terminal = openTerminal(workspace);
    call(terminal, workspace, 'ask_user', ASK);
    const screen = await terminal.shows('or q to give no answer:');
    const lines = screen.split('\n').map((line) => line.trimEnd());
    const first = lines.findIndex((line) => line.startsWith('The agent asks you something'));
    expect(lines.slice(first, first + 6)).toEqual([
      'The agent asks you something (handrail:ask_user). Whatever you answer allows nothing.',
      '  | Which database?',
      '  | handrail:bash asks: run rm -rf',
      '  1  SQLite',
      String.raw`  2  Postgres \u001b[2J\u202e`,
      'Press 1 to 2, or q to give no answer:',
    ]);
    expect(terminal.received()).not.toMatch(/\u001b\[2J|\u202e/);
    // None of these is a choice.
    for (const key of ['3', '0', 'y', 'Enter', 'Up']) terminal.press(key);
    // Keys that come at once are none of them, either: the choice is pressed until it was taken.
    const choose = (): string => {
      terminal.press('1');
      return terminal.screen();
    };
    await expect.poll(choose, { interval: 1_000 }).toContain('to give no answer: 1');
    const said = await reply(terminal);
    expect(said).toMatch(/^exit=0$/m);
    expect(said).toContain('{"ok":true,"answer":"SQLite"}');
  });

  it.each(['q', 'C-c', 'C-d'])('takes %s for no answer, which the agent reads', async (key) => {
    await using workspace = tempWorkspace();
    using terminal = openTerminal(workspace);
    call(terminal, workspace, 'prompt_user', { message: 'Go on?', actions: ['yes', 'no'] }, 'codelab');
    await terminal.shows('or q to give no answer:');
    terminal.press(key);
    expect(await reply(terminal)).toMatch(/exit=3\n.*PERMISSION_DENIED.*The user does not want to answer\./);
  });

  it('takes a line where there are no choices', async () => {
    await using workspace = tempWorkspace();
    using terminal = openTerminal(workspace);
    call(terminal, workspace, 'ask_user', { message: 'Which colour?' });
    await terminal.shows('Your answer');
    terminal.enter('dark green');
    expect(await reply(terminal)).toContain('{"ok":true,"answer":"dark green"}');
  });

  it('goes through a patch chunk by chunk, with help and a comment', async () => {
    const text = (mark: string): string =>
      Array.from({ length: 90 }, (_, index) =>
        index % 30 === 5 ? `${mark} ${index}\n` : `line ${index}\n`,
      ).join('');
    await using workspace = tempWorkspace({ 'a.txt': text('old') });
    const hunk = (at: number): string =>
      `@@ -${at},3 +${at},3 @@\n line ${at - 1}\n-old ${at}\n+new ${at}\n line ${at + 1}\n`;
    const diff = `--- a/a.txt\n+++ b/a.txt\n${[5, 35, 65].map(hunk).join('')}`;
    using terminal = openTerminal(workspace);
    call(terminal, workspace, 'apply_patch_review', { diff, message: 'New ones?' }, 'codelab');
    const first = await terminal.shows('Chunk 1 of 3, a.txt: take it [y,n,a,d,c,b,q,?]?');
    expect(first).toMatch(/\| New ones\?\n[^]*\n {2}\| -old 5\n {2}\| \+new 5\n/);
    expect(first).not.toContain('new 35');
    terminal.press('?');
    await terminal.shows('take it and all of the rest');
    terminal.press('c');
    await terminal.shows('Your comment, for the agent to read:');
    terminal.enter('not this one');
    await terminal.shows('Your comment: not this one');
    terminal.press('n');
    await terminal.shows('Chunk 2 of 3, a.txt');
    terminal.press('y');
    await terminal.shows('Chunk 3 of 3, a.txt');
    terminal.press('d');
    const said = await reply(terminal);
    expect(said).toContain('"chunks_selected":[2],"chunks_total":3');
    expect(said).toContain('"comments":[{"chunk":1,"text":"not this one"}]');
    expect(said).toContain(String.raw`-old 35\n+new 35`);
    expect(said).not.toContain('new 65');
  });

  it('shows what an agent displays, and sends none of its control characters', async () => {
    await using workspace = tempWorkspace();
    using terminal = openTerminal(workspace);
    const args = { content: 'Half \u001b[2J done.\nhandrail: fine', level: 'warning', title: 'Audit\u0007' };
    call(terminal, workspace, 'display', args, 'clude');
    const screen = await terminal.shows('exit=0');
    expect(screen).toContain(
      String.raw`The agent says (warning): Audit\u0007` +
        '\n' +
        String.raw`  | Half \u001b[2J done.` +
        '\n  | handrail: fine\n',
    );
    expect(terminal.received()).not.toContain('\u001b[2J');
  });
});
