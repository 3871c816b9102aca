/** The chat as a person sees it: in tmux, key by key, with a scripted model behind a real endpoint. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChat } from '../../support/chat.ts';
import { environmentOf } from '../../support/command-line.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { openTerminal, whyNoTerminal } from '../../support/terminal.ts';

const missing = whyNoTerminal();

const OFFER = '[y]es once, for this [s]ession, [a]lways, [e]dit, [n]o, no, with a [r]eason?';

function edit(from: string, to: string): { tool: string; args: object } {
  return { tool: 'edit', args: { path: 'notes.txt', old_string: from, new_string: to } };
}

/** The lines of a screen without what tmux pads them with. */
function trimmed(screen: string): string {
  return screen.replace(/ +$/gm, '');
}

function notes(workspace: TempWorkspace): string {
  return readFileSync(join(workspace.root, 'notes.txt'), 'utf8');
}

describe.skipIf(missing !== undefined)('TerminalChat', () => {
  it('completes a file, shows a turn as it comes, asks with the diff, shows what changed and takes it back', async () => {
    await using workspace = tempWorkspace({ 'notes.txt': 'one\ntwo\n', 'other.txt': 'x\n' });
    await using model = await scriptedModel([
      {
        thought: 'What is there?',
        text: '## Plan\n\nI **look** \u001b[2Jfirst.',
        calls: [{ tool: 'grep', args: { pattern: 'two' } }],
      },
      { text: 'Now the change.', calls: [edit('two', 'zwei')] },
      { text: 'Done:\n\n| file | lines |\n|---|---|\n| notes.txt | 1 |\n' },
    ]);
    using terminal = await openChat(workspace, model);
    terminal.type('translate @n');
    terminal.press('Tab');
    await terminal.shows('› translate @notes.txt');
    terminal.press('Enter');
    const asking = trimmed(await terminal.shows(OFFER));
    for (const expected of [
      '› translate @notes.txt',
      /✓ read notes\.txt {2}\d+ms/,
      'What is there?',
      'Plan\n',
      String.raw`I look \u001b[2Jfirst.`,
      /✓ grep two {2}\d+ms/,
      '  | -two\n  | +zwei',
      '"always" would write the rule {"action":"allow"',
    ])
      expect(asking).toMatch(expected);
    expect(terminal.received()).not.toContain('\u001b[2Jfirst');
    expect(notes(workspace)).toBe('one\ntwo\n');
    expect(model.requests[0]?.messages.at(-1)?.content).toContain('The file notes.txt:\n```\none\ntwo\n```');
    terminal.press('y');
    const changed = trimmed(await terminal.shows('changed notes.txt +1 −1'));
    expect(changed).toContain('→ yes, once\n\n✓ edit notes.txt  updated');
    expect(changed).toContain('file      │ lines\n──────────┼──────\nnotes.txt │ 1');
    expect(notes(workspace)).toBe('one\nzwei\n');
    terminal.enter('/undo');
    await terminal.shows('Took back 1 turn.');
    expect(notes(workspace)).toBe('one\ntwo\n');
    terminal.enter('/quit');
    await terminal.shows('exit=0');
    const history = join(environmentOf(workspace)['XDG_STATE_HOME']!, 'handrail', 'chat-history');
    expect(statSync(history).mode & 0o777).toBe(0o600);
    expect(readFileSync(history, 'utf8')).toBe('"translate @notes.txt "\n"/undo"\n"/quit"\n');
  });

  it('tells the model why not, and survives a terminal that shrinks', async () => {
    await using workspace = tempWorkspace({ 'notes.txt': 'one\ntwo\n' });
    await using model = await scriptedModel([
      { text: 'Both.', calls: [edit('one', 'eins'), edit('two', 'zwei')] },
      { text: 'As you like.' },
    ]);
    using terminal = await openChat(workspace, model);
    terminal.enter('go');
    await terminal.shows(OFFER);
    terminal.resize(36, 20);
    terminal.press('r');
    await terminal.shows('Why not?');
    terminal.enter('one is a name');
    await terminal.shows(/eins[^]*→ no *\n[^]*zwei[^]*the turn\)/);
    terminal.press('n');
    await terminal.shows('As you like.');
    terminal.resize(100, 30);
    const screen = await terminal.shows(/openai\/scripted · build · ask · \S+ of 128k tokens/);
    expect(screen.match(/openai\/scripted/g)).toHaveLength(1);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('one is a name');
    expect(notes(workspace)).toBe('one\ntwo\n');
  });

  it('cancels a turn by Esc and keeps what was said, runs a command under the rules, and goes on another time', async () => {
    await using workspace = tempWorkspace({ 'notes.txt': 'one\n' });
    await using model = await scriptedModel([
      { text: 'I was about to\n\nsay', hangs: true },
      { text: 'Here I am again.' },
      { text: 'And once\n\nmore', hangs: true },
    ]);
    using terminal = await openChat(workspace, model);
    terminal.enter('first');
    await terminal.shows('I was about to');
    terminal.enter('/modle');
    await terminal.shows('1 more to say');
    terminal.press('Escape');
    const cancelled = trimmed(await terminal.shows('Cancelled; what was said and done so far stays.'));
    expect(cancelled).toMatch(/I was about to\n\nsay\n/);
    await terminal.shows(/› \/modle *\n/);
    terminal.press('Enter');
    await terminal.shows('There is no /modle. Did you mean /mode or /model?');
    terminal.enter('!echo out; echo err >&2; touch made; exit 3');
    await terminal.shows(OFFER);
    terminal.press('y');
    await terminal.shows(/out *\nerr *\nexit=3 duration=\d+ms/);
    terminal.press('C-c');
    await terminal.shows('Ctrl-C again leaves.');
    terminal.press('C-c');
    await terminal.shows('exit=0');
    using again = await openChat(workspace, model, '--continue');
    await again.shows(/› first[^]*I was about to[^]*openai/);
    again.press('Up', 'Up', 'Up');
    await again.shows(/› first *\n {2}openai/);
    again.press('Enter');
    await again.shows('Here I am again.');
    again.enter('go on');
    await again.shows('And once');
    again.press('C-c', 'C-c');
    expect(trimmed(await again.shows('exit=0'))).toMatch(/Cancelled;[^\n]*\n+exit=0/);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('I was about to');
  });

  it('goes through a patch chunk by chunk, asks what the agent wants to know, and is watched from another terminal', async () => {
    await using workspace = tempWorkspace({
      'notes.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
    });
    const patch = [
      '--- a/notes.txt\n+++ b/notes.txt',
      '@@ -1,2 +1,2 @@\n-one\n+eins\n two',
      '@@ -8,2 +8,2 @@\n eight\n-nine\n+neun\n',
    ].join('\n');
    await using model = await scriptedModel([
      { calls: [{ tool: 'display', args: { content: 'Two \u001b[2Jchanges.', title: 'Plan' } }] },
      { calls: [{ tool: 'patch_review', args: { patch, message: 'Like this?' } }] },
      { calls: [{ tool: 'ask_user', args: { message: 'Which one?', choices: ['red', 'blue'] } }] },
      { text: 'Thank you.' },
    ]);
    using watching = openTerminal(workspace);
    watching.enter('handrail chat --live');
    await watching.shows('Watching ');
    using terminal = await openChat(workspace, model);
    terminal.enter('go');
    const first = trimmed(await terminal.shows('Chunk 1 of 2, notes.txt: take it'));
    expect(first).toContain(
      String.raw`The agent says (info): Plan` + '\n' + String.raw`  | Two \u001b[2Jchanges.`,
    );
    expect(first).toContain('  | Like this?');
    expect(first).toContain('  | -one\n  | +eins');
    expect(first).not.toContain('+neun');
    terminal.press('c');
    await terminal.shows('Your comment:');
    terminal.enter('keep the English');
    await terminal.shows('Your comment: keep the English');
    terminal.press('n');
    await terminal.shows('Chunk 2 of 2');
    terminal.press('y');
    await terminal.shows(/1 {2}red *\n {2}2 {2}blue/);
    terminal.press('2');
    await terminal.shows('Thank you.');
    const heard = JSON.stringify(model.requests.at(-1)?.messages);
    for (const told of ['keep the English', '+neun', 'blue']) expect(heard).toContain(told);
    const watched = await watching.shows(/ask_user Which one\? ok/);
    expect(watched).toContain(String.raw`  | Two \u001b[2Jchanges.`);
    watching.press('C-c');
    await watching.shows(/\^C# *$/m);
  });

  it('shows the replay to somebody who answers its question by a key', async () => {
    await using workspace = tempWorkspace();
    using terminal = openTerminal(workspace);
    terminal.enter('handrail chat --demo; echo "exit=$?"');
    await terminal.shows(OFFER);
    terminal.press('y');
    const screen = trimmed(await terminal.shows('exit=0'));
    expect(screen).toMatch(/^This is a replay\./m);
    expect(screen).toMatch(/✓ edit greet\.sh {2}updated[^]*✓ bash sh test\.sh[^]*restored {3}greet\.sh/);
    expect(screen).toMatch(/\n› \/quit\n+That was the replay[^\n]*\n`handrail chat`[^\n]*\nexit=0\n/);
  });
});
