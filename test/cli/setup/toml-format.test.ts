import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/cli/setup/change.ts';
import { tomlFormat } from '../../../src/cli/setup/toml-format.ts';

const SERVER: Change = { at: ['servers', 'handrail'], value: { command: 'a "b"\\', args: ['x', 'y z'] } };
const OFF: Change = { at: ['features', 'shell'], value: false };
const changes = [SERVER, OFF];

const TABLE = '[servers.handrail]\ncommand = "a \\"b\\"\\\\"\nargs = ["x", "y z"]\n';

describe('tomlFormat.apply', () => {
  it.each<[name: string, before: string | undefined, after: string]>([
    ['makes a file', undefined, `${TABLE}\n[features]\nshell = false\n`],
    ['appends tables', 'a = 1', `a = 1\n\n${TABLE}\n[features]\nshell = false\n`],
    [
      'replaces a value only',
      '[features]\n  shell=true# on\nother = 1\n',
      `[features]\n  shell=false# on\nother = 1\n\n${TABLE}`,
    ],
    [
      'puts a key into a table that is there',
      '[features] # mine\na = """\n[features]\n"""\n# end\n\n[z]\n',
      `[features] # mine\na = """\n[features]\n"""\nshell = false\n# end\n\n[z]\n\n${TABLE}`,
    ],
    [
      'puts a key beside dotted ones',
      'features.a = 1\nb = 2\n',
      `features.a = 1\nfeatures.shell = false\nb = 2\n\n${TABLE}`,
    ],
    [
      'puts a key into an empty table without a line end',
      `${TABLE}\n[features]`,
      `${TABLE}\n[features]\nshell = false\n`,
    ],
    [
      'replaces its own table only',
      '[servers.handrail]\ncommand = "old"\n\n# next\n[servers.handrail.env]\nA = "1"\n[servers.other]\nx = {a = [1, 2], "b.c" = 1979-05-27 07:32:00}\n',
      `${TABLE}\n# next\n[servers.handrail.env]\nA = "1"\n[servers.other]\nx = {a = [1, 2], "b.c" = 1979-05-27 07:32:00}\n\n[features]\nshell = false\n`,
    ],
    [
      'keeps line ends of Windows',
      'a = 1\r\n',
      `a = 1\r\n\r\n${TABLE}\n[features]\nshell = false\n`.replaceAll(/\r?\n/g, '\r\n'),
    ],
  ])('%s', (_, before, after) => {
    expect(tomlFormat.apply(before, changes)).toBe(after);
    expect(tomlFormat.apply(after, changes)).toBe(after);
  });

  it.each([
    ['a', 'line 1 is no TOML'],
    ['a = 1\nb =', 'line 2 is no TOML'],
    ['a = "x', 'line 1 is no TOML'],
    ['a = [1, 2', 'line 1 is no TOML'],
    ['[a', 'line 1 is no TOML'],
    ['a = 1 b = 2', 'line 1 is no TOML'],
    ['<<<<<<< ours', 'line 1 is no TOML'],
    ['servers = {}', '"servers.handrail" is not written as a table'],
    ['servers.handrail.command = "x"', '"servers.handrail" is not written as a table'],
    ['[servers]\nhandrail = { command = "x" }', '"servers.handrail" is not written as a table'],
    ['features = { shell = true }', '"features" is not written as a table'],
  ])('refuses %j', (text, why) => {
    expect(() => tomlFormat.apply(text, changes)).toThrow(why);
  });
});

describe('tomlFormat.withdraw', () => {
  it.each<[name: string, before: string | undefined]>([
    ['no file', undefined],
    ['an empty file', ''],
    ['other tables', '# a\na = 1\n\n[features]\nx = 1 # x\n\n[[b]]\n'],
    ['an empty table', '[features]\n\n[z]\na = 1\n'],
    ['another value', '[features]\nshell   = true # on\n'],
    [
      'a table of that name',
      '[servers.handrail]\n# mine\ncommand = "mine"\n\n[servers.handrail.env]\nA = "1"\n',
    ],
    ['line ends of Windows', 'a = 1\r\n\r\n[features]\r\nb = 2\r\n'],
  ])('gives back %s, from what it was', (_, before) => {
    expect(tomlFormat.withdraw(tomlFormat.apply(before, changes), changes, before)).toBe(before);
  });

  it('keeps a file that has nothing to take out', () => {
    expect(tomlFormat.withdraw('\n', changes, undefined)).toBe('\n');
  });

  it('keeps what somebody wrote since', () => {
    const before = 'a = 1\n';
    const since = tomlFormat
      .apply(before, changes)
      .replace('args', 'startup = 5\nargs')
      .replace('shell = false', 'shell = true # wanted');
    expect(
      tomlFormat.withdraw(`${since}\n[servers.handrail.env]\nA = "1"\n\n[z]\nb = 2\n`, changes, before),
    ).toBe('a = 1\n\n[features]\nshell = true # wanted\n\n[z]\nb = 2\n');
  });
});
