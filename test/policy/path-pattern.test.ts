/** Which paths a pattern of a rule fits. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { compileExactPath, compilePathPatterns } from '../../src/policy/path-pattern.ts';

interface Row {
  readonly pattern: string;
  readonly fits: readonly string[];
  readonly misses: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    pattern: 'src',
    fits: ['src', 'src/a', 'src/a/b', 'deep/src', 'deep/src/a'],
    misses: ['srcs', 'src.ts', 'a/srcs/b', '.'],
  },
  { pattern: 'src/', fits: ['src', 'src/a', 'deep/src/a'], misses: ['srcs'] },
  { pattern: '/src', fits: ['src', 'src/a'], misses: ['deep/src', 'deep/src/a'] },
  { pattern: 'a/b', fits: ['a/b', 'a/b/c'], misses: ['x/a/b', 'a', 'a/bc'] },
  { pattern: '/a/b', fits: ['a/b', 'a/b/c'], misses: ['x/a/b'] },
  { pattern: 'a//b', fits: ['a/b'], misses: ['a'] },
  { pattern: 'src/**', fits: ['src', 'src/a', 'src/a/b', 'src/.hidden'], misses: ['srcs/a', 'deep/src/a'] },
  { pattern: '**', fits: ['.', 'a', 'a/b', '.hidden/x'], misses: [] },
  { pattern: '/', fits: ['.', 'a', 'a/b'], misses: [] },
  { pattern: '.', fits: ['.', 'a', 'a/b'], misses: [] },
  { pattern: '**/b', fits: ['b', 'a/b', 'a/x/b', 'b/c'], misses: ['ab', 'a/bc'] },
  { pattern: 'a/**/b', fits: ['a/b', 'a/x/b', 'a/x/y/b', 'a/x/b/c'], misses: ['b', 'a/c'] },
  { pattern: '*.md', fits: ['a.md', 'x/a.md', '.md', 'a.md/inside'], misses: ['a.mdx', 'md'] },
  { pattern: 'docs/*', fits: ['docs/a', 'docs/a/b', 'docs/.a'], misses: ['docs', 'x/docs/a'] },
  { pattern: 'a?c', fits: ['abc', 'x/abc'], misses: ['ac', 'a/c', 'abbc'] },
  { pattern: '[ab].ts', fits: ['a.ts', 'x/b.ts'], misses: ['c.ts'] },
  { pattern: '*.{js,ts}', fits: ['a.js', 'a.ts'], misses: ['a.jsx'] },
  { pattern: '!keep', fits: ['!keep'], misses: ['keep', 'other'] },
  { pattern: '/!keep', fits: ['!keep'], misses: ['keep', 'other'] },
  { pattern: '.hidden', fits: ['.hidden', 'a/.hidden/b'], misses: ['hidden'] },
];

describe.each([{ folded: true }, { folded: false }])('compilePathPatterns with %j', (options) => {
  it.each(ROWS)('reads $pattern the way .gitignore does', ({ pattern, fits, misses }) => {
    const matches = compilePathPatterns([pattern], options);
    expect({ fits: fits.filter(matches), misses: misses.filter(matches) }).toEqual({ fits, misses: [] });
  });

  it('covers everything below what it fits', () => {
    const name = fc.stringMatching(/^[a-z.][a-z0-9]{0,5}$/).filter((name) => name !== '.');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { maxLength: 4 }),
        (names, below) => {
          const matches = compilePathPatterns([`/${names.join('/')}`], options);
          expect(matches([...names, ...below].join('/'))).toBe(true);
          expect(matches(['not-one', ...names, ...below].join('/'))).toBe(false);
        },
      ),
    );
  });

  it.each(['..', '../a', 'a/..', 'a/../b', '/..'])('refuses %s, which climbs', (pattern) => {
    expect(() => compilePathPatterns([pattern], options)).toThrow(Failure);
  });

  it('refuses a pattern of more than 1,000 characters', () => {
    expect(() => compilePathPatterns(['a'.repeat(1_001)], options)).toThrow('it is too long');
    expect(compilePathPatterns(['a'.repeat(1_000)], options)('a')).toBe(false);
  });
});

describe('compilePathPatterns', () => {
  const spellings = [
    'secret.txt',
    'SECRET.TXT',
    'Secret.txt',
    'se\u200bcret.txt',
    'ｓｅｃｒｅｔ.txt',
    'secret.txt.',
    'secret.txt ',
  ];

  it('fits other spellings of a name where it is folded', () => {
    const matches = compilePathPatterns(['Secret.txt'], { folded: true });
    expect(spellings.filter(matches)).toEqual(spellings);
  });

  it.each(['❤️.txt', '👩\u200d🚀', 'so\u00adft', 'dot.', 'ＦＵＬＬ'])('fits %j by that very name', (name) => {
    for (const folded of [true, false]) {
      const matches = compilePathPatterns([name], { folded });
      expect([name, `deep/${name}`, `${name}/below`].filter((path) => !matches(path))).toEqual([]);
    }
  });

  it.each(['\n', '\r', '\u2028', '\u2029'])('does not end at %j in a name', (lineBreak) => {
    const name = `a${lineBreak}b`;
    for (const folded of [true, false]) {
      const fits = (pattern: string, path: string): boolean =>
        compilePathPatterns([pattern], { folded })(path);
      expect([
        fits('src', `src/${name}`),
        fits('.env*', `${name}/.env`),
        fits('src/**', `src/${name}/x`),
        fits('*.key', `${name}.key`),
        fits(name, name),
        fits('other', `src/${name}`),
      ]).toEqual([true, true, true, true, true, false]);
    }
  });

  it('fits the name alone where it is not', () => {
    const matches = compilePathPatterns(['secret.txt'], { folded: false });
    expect(spellings.filter(matches)).toEqual(['secret.txt']);
  });

  it('fits both compositions of an accent where it is folded', () => {
    const matches = compilePathPatterns(['caf\u00e9'], { folded: true });
    expect([matches('caf\u00e9'), matches('cafe\u0301'), matches('CAFE\u0301/x'), matches('cafe')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('compileExactPath', () => {
  it.each(['a.txt', '[id].ts', '*', 'a/**', '!(x)', 'x\\\\a', 'a\nb', '"q"', 'd'.repeat(4_000)])(
    'fits %j and nothing else',
    (path) => {
      const others = [
        'a.txt2',
        'i.ts',
        'x',
        'a/b',
        'y',
        'x\\a',
        'ab',
        'q',
        'd',
        `${path}/below`,
        `deep/${path}`,
      ];
      for (const folded of [true, false]) {
        for (const written of [path, `/${path}`, `./${path}`]) {
          const matches = compileExactPath(written, { folded });
          expect([path, ...others].filter(matches)).toEqual([path]);
        }
      }
    },
  );

  it('fits the root alone where it is the root, and other spellings where it is folded', () => {
    for (const root of ['.', '/', './'])
      expect(['.', 'a'].filter(compileExactPath(root, { folded: false }))).toEqual(['.']);
    expect(['A.TXT', 'a.txt ', 'b.txt'].filter(compileExactPath('/a.txt', { folded: true }))).toEqual([
      'A.TXT',
      'a.txt ',
    ]);
    expect(['A.TXT', 'a.txt '].filter(compileExactPath('/a.txt', { folded: false }))).toEqual([]);
  });

  it('does not climb out of the workspace', () => {
    expect(() => compileExactPath('../a', { folded: true })).toThrow(Failure);
  });
});
