/** The shell tools of `tenas`: single plain commands, without a shell. */
import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { speak } from '../fixtures/speak.ts';

const refusal = (message: string) => ({
  ok: false,
  error: { code: 'E_INVALID_ARGS', message: expect.stringContaining(message) as string },
});

describe('tenas shell-readonly', () => {
  it('answers date, pwd and ls, and asks nobody', async () => {
    await using tenas = await speak('tenas', { 'b.txt': '', 'a/c.txt': '', 'with blank/d': '' });
    expect(await tenas.reply('shell-readonly', { command: 'pwd' })).toEqual({
      ok: true,
      data: { cmd: 'pwd', output: tenas.workspace.root },
    });
    expect(await tenas.reply('shell-readonly', { command: 'ls' })).toEqual({
      ok: true,
      data: { cmd: 'ls .', output: 'a/\nb.txt\nwith blank/' },
    });
    expect(await tenas.reply('shell-readonly', { command: ' ls  "with blank" ' })).toEqual({
      ok: true,
      data: { cmd: 'ls with blank', output: 'd' },
    });
    expect(await tenas.reply('shell-readonly', { command: 'date' })).toEqual({
      ok: true,
      data: { cmd: 'date', output: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
    });
    expect(tenas.asked).toEqual([]);
  });

  it.each([
    ['cat a', 'Unsupported readonly command.'],
    ['ls -l', 'ls flags are not supported.'],
    ['ls a b', 'ls supports a single path.'],
    ['pwd x', 'pwd takes no arguments.'],
    ['ls | cat', 'Unsupported shell syntax: a pipe.'],
    ['ls > x', 'Unsupported shell syntax: a redirection.'],
    ['ls $(pwd)', 'Unsupported shell syntax: a substitution.'],
    ['ls `pwd`', 'Unsupported shell syntax: a substitution.'],
    ['ls; pwd', 'Unsupported shell syntax: several commands.'],
    ['ls\npwd', 'Unsupported shell syntax: several lines.'],
    ['ls *', 'Unsupported shell syntax: a pattern.'],
    ["ls a'b'", 'Unsupported shell syntax: a quote inside a word.'],
    ['', 'The command is empty.'],
  ])('refuses %j', async (command, message) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('shell-readonly', { command })).toEqual(refusal(message));
  });

  it.each(['ls /', 'ls ..', 'ls a/../../out'])('does not leave the project: %s', async (command) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply('shell-readonly', { command })).toMatchObject({
      ok: false,
      error: { code: 'E_OUTSIDE_WORKSPACE' },
    });
  });
});

describe('tenas shell-write and shell-destructive', () => {
  it('make a directory and remove a file, each after a question', async () => {
    await using tenas = await speak('tenas', { 'old.txt': '' });
    expect(await tenas.reply('shell-write', { command: 'mkdir a/b' })).toEqual({
      ok: true,
      data: { cmd: 'mkdir a/b', path: 'a/b' },
    });
    expect(await tenas.reply('shell-destructive', { command: 'rm old.txt' })).toEqual({
      ok: true,
      data: { cmd: 'rm old.txt', path: 'old.txt' },
    });
    expect(tenas.asked).toHaveLength(2);
    expect(existsSync(join(tenas.workspace.root, 'a/b'))).toBe(true);
    expect(existsSync(join(tenas.workspace.root, 'old.txt'))).toBe(false);
  });

  it.each([
    ['shell-write', 'touch a', 'Only mkdir is supported.'],
    ['shell-write', 'mkdir', 'mkdir requires a single path.'],
    ['shell-write', 'mkdir a b', 'mkdir requires a single path.'],
    ['shell-write', 'mkdir -p a', 'mkdir flags are not supported.'],
    ['shell-destructive', 'mkdir a', 'Only rm is supported.'],
    ['shell-destructive', 'rm -rf a', 'rm flags are not supported.'],
    ['shell-destructive', 'rm', 'rm requires a single file path.'],
  ])('%s refuses %j', async (tool, command, message) => {
    await using tenas = await speak('tenas');
    expect(await tenas.reply(tool, { command })).toEqual(refusal(message));
    expect(tenas.asked).toEqual([]);
  });

  it('shell-destructive leaves directories alone', async () => {
    await using tenas = await speak('tenas', { 'd/a': '' });
    expect(await tenas.reply('shell-destructive', { command: 'rm d' })).toMatchObject({
      ok: false,
      error: { code: 'E_NOT_FILE' },
    });
  });
});
