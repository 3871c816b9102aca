import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isHarmlessScript } from '../../../src/policy/command/readers/sed.ts';
import { Random } from './fuzz/random.ts';

const PIECES = [
  's',
  'y',
  '/',
  '/',
  '/',
  '|',
  ',',
  'a',
  'x',
  'w',
  'w',
  'e',
  'e',
  'r',
  'W',
  'R',
  'p',
  'd',
  'q',
  'g',
  'I',
  'M',
  '1',
  '$',
  '!',
  ';',
  '\n',
  ' ',
  '{',
  '}',
  '[',
  ']',
  '[^]',
  '[a]',
  '[[:alpha:]]',
  '\\',
  '\\/',
  '\\n',
  's/a/b/',
  's/[',
  '1,2',
  '/a/',
  ':a',
  'ba',
  'N',
  'out',
  '\\,',
  '#',
  's,a,b,',
  '~',
  '+',
  '&',
];

/** Scripts that were taken for harmless. */
function harmlessScripts(count: number): string[] {
  const random = new Random(7);
  const found = new Set<string>();
  while (found.size < count) {
    const script = Array.from({ length: 1 + random.below(9) }, () => random.pick(PIECES)).join('');
    if (script.trim() !== '' && isHarmlessScript(script)) found.add(script);
  }
  return [...found];
}

/** Whether sed itself, in the mode where it refuses to, finds a command that runs or writes. */
function isRefused(script: string): boolean {
  const { stderr } = spawnSync('sed', ['--sandbox', '-n', '-e', script], { input: '', encoding: 'utf8' });
  return stderr.includes('sandbox');
}

describe('isHarmlessScript', () => {
  it('never takes a script for harmless that sed itself would not', () => {
    expect(harmlessScripts(400).filter(isRefused)).toEqual([]);
  });

  it('is compared with a sed that does refuse', () => {
    expect(['w out', 's/a/b/w out', '1e', 's/a/b/e', 'r out'].filter((script) => !isRefused(script))).toEqual(
      [],
    );
  });

  it('ends with long scripts', () => {
    const pieces = ['[a]', '\\a', 'p;', '/', 's/a/', '[', '{', '1,', ' '];
    expect(pieces.filter((piece) => isHarmlessScript(`s/${piece.repeat(5_000)}`))).toEqual([]);
  });
});
