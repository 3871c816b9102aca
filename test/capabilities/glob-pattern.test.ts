/** File patterns: compared with another matcher over thousands of patterns and paths, and fast for each. */
import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileGlob, compileNameGlob, literalBase } from '../../src/capabilities/glob-pattern.ts';

const CHARACTERS = ['a', 'b', 'c', 'd', 'x', 'y', '.', '-', '_'];

const isNoName = (name: string): boolean => name === '.' || name === '..';
const word = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 5 })
  .map((characters) => characters.join(''))
  // A name that ends in a dot can't be asked for, and the other matcher is not of one mind about it.
  .filter((name) => !name.endsWith('.'));
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...CHARACTERS) },
  { weight: 3, arbitrary: fc.constant('*') },
  { weight: 2, arbitrary: fc.constant('?') },
  { weight: 2, arbitrary: fc.constantFrom('[a-c]', '[xy]', '[.]') },
  { weight: 2, arbitrary: fc.constantFrom('{x,y}', '{a,bc}', '{a,b,c.d}') },
);
/** Two stars in a name mean the same as one, and not everybody knows. */
const name = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((segment) => !segment.includes('**') && !isNoName(segment));
const pattern = fc
  .array(fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: fc.constant('**') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('/'))
  // Whether `a/**` fits `a` itself is not agreed on; it is told below.
  .filter((glob) => !glob.endsWith('/**'))
  .filter((glob) => glob.split('{').length <= 5);

describe('compileGlob', () => {
  it('agrees with picomatch', () => {
    let fitting = 0;
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 10, maxLength: 10 }), (glob, paths) => {
        const ours = compileGlob(glob);
        const theirs = picomatch(glob, { dot: true });
        fitting += paths.filter(ours).length;
        expect(paths.map((one) => [one, ours(one)])).toEqual(paths.map((one) => [one, theirs(one)]));
      }),
      { numRuns: 5_000 },
    );
    // Else the comparison would say nothing.
    expect(fitting).toBeGreaterThan(1_000);
  });

  it('fits a path made from its own pattern', () => {
    const made = fc.array(fc.tuple(word, fc.constantFrom('as it is', '*', '?', '**')), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(made, (names) => {
        const glob = names.map(([one, how]) => {
          if (how === '*') return `${one[0]}*`;
          if (how === '?') return one.replace(/./g, '?');
          return how === '**' ? '**' : one;
        });
        expect(compileGlob(glob.join('/'))(names.map(([one]) => one).join('/'))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, string, boolean]>([
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'ab', false],
    ['**/a/**/b/**/c', 'x/a/y/b/b/z/c', true],
    ['**/a/**/b/**/c', 'x/a/y/c', false],
    ['**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['*/**', 'a', false],
    ['a/**', 'a/b/c', true],
    ['**/**', 'a', true],
    ['a/**/**', 'a/b', true],
    ['*', 'a/b', false],
    ['?', '', false],
    ['a?c', 'a/c', false],
    ['[!a-c]', 'd', true],
    ['[!a-c]', 'b', false],
    ['[^a-c]', 'b', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    ['[', '[', true],
    ['a[', 'a[', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['\\{a,b\\}', '{a,b}', true],
    ['{a,{b,c}d}', 'cd', true],
    ['{a,{b,c}d}', 'c', false],
    ['{a}', '{a}', true],
    ['{a,}x', 'x', true],
    ['a.b', 'axb', false],
    ['(a|b)', '(a|b)', true],
    ['a+', 'aa', false],
    ['*\n*', 'a\nb', true],
    ['*', 'a\nb', true],
    ['./a', 'a', true],
    ['a//b', 'a/b', true],
    ['é', 'é', true],
    ['A', 'a', false],
  ])('%j and %j: %s', (glob, one, fits) => {
    expect(compileGlob(glob)(one)).toBe(fits);
  });

  it.each([
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(255)],
    [`${'*a'.repeat(100)}*b`, 'a'.repeat(255)],
    [`${'**/'.repeat(100)}b`, `${'a/'.repeat(250)}a`],
    [`${'**/*a*/'.repeat(50)}b`, `${'a/'.repeat(250)}a`],
    [`${'?*'.repeat(100)}b`, 'a'.repeat(255)],
    ['{a,b,c,d,e}{a,b,c,d,e}*b', 'a'.repeat(255)],
  ])('is done at once with %s', (glob, one) => {
    const fits = compileGlob(glob);
    for (let turn = 0; turn < 20; turn++) expect(fits(one)).toBe(false);
  });

  it.each(['{a,b}'.repeat(10), '{'.repeat(4_001), `{${'a,'.repeat(1_001)}a}`])('refuses %s', (glob) => {
    expect(() => compileGlob(glob)).toThrow(/The file pattern can not be used/);
  });

  it.each(['{'.repeat(500), '{,'.repeat(250), '['.repeat(500), '\\'.repeat(500), '{a,'.repeat(160)])(
    'is done with what is never closed',
    (glob) => {
      expect(compileGlob(glob)('a')).toBe(false);
    },
  );
});

describe('compileNameGlob', () => {
  it.each<[string, string, boolean]>([
    ['*.ts', 'a/b/c.ts', true],
    ['*.ts', 'c.ts', true],
    ['b', 'a/b', true],
    ['b', 'b/a', false],
    ['a/*.ts', 'a/c.ts', true],
    ['a/*.ts', 'x/a/c.ts', false],
    ['/a', 'a', true],
    ['/a', 'x/a', false],
  ])('%j and %j: %s', (glob, one, fits) => {
    expect(compileNameGlob(glob)(one)).toBe(fits);
  });
});

describe('literalBase', () => {
  it.each([
    ['*.ts', '.'],
    ['a.ts', '.'],
    ['src/*.ts', 'src'],
    ['src/deep/**', 'src/deep'],
    ['src/{a,b}/*.ts', 'src'],
    ['src/[a]/x', 'src'],
    ['src/a?/x', 'src'],
    ['src/\\*/x', 'src'],
    ['**/src/x', '.'],
  ])('of %s is %s', (glob, base) => {
    expect(literalBase(glob)).toBe(base);
  });
});
