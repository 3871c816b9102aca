/** Path arguments as they come from outside, told by example and for any string at all. */
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import {
  isWithin,
  type PathRules,
  relativeToRoot,
  type Roots,
  workspacePath,
} from '../../src/host/workspace-path.ts';

const ROOT = '/srv/project';
const LINK = '/home/me/link';
const roots: Roots = [ROOT, LINK];
const insideRoot: PathRules = { absolute: 'inside-root' };
const relativeOnly: PathRules = { absolute: 'refused' };

describe('workspacePath', () => {
  it.each([
    ['.', '.'],
    ['./', '.'],
    ['a', 'a'],
    ['./a//b/./c/', 'a/b/c'],
    ['a/../b', 'b'],
    ['a/b/../..', '.'],
    ['a b/ä/日本.txt', 'a b/ä/日本.txt'],
    ['.env', '.env'],
    ['..a/a..b', '..a/a..b'],
    ['a\nb', 'a\nb'],
    ['a~/b', 'a~/b'],
    ['100%', '100%'],
    ['a:b', 'a:b'],
    ['$name/b', '$name/b'],
    [ROOT, '.'],
    [`${ROOT}/`, '.'],
    [`${ROOT}/a/b`, 'a/b'],
    [`//srv//./project/a`, 'a'],
    [`${ROOT}/a/../../project/b`, 'b'],
    [`/etc/../srv/project/a`, 'a'],
    [LINK, '.'],
    [`${LINK}/a`, 'a'],
  ])('takes %j as %j', (written, expected) => {
    expect(workspacePath(written, roots, insideRoot)).toBe(expected);
  });

  it.each([
    ['..', '/srv'],
    ['a/../..', '/srv'],
    ['../project/a', '/srv/project/a'],
    ['../../../../..', '/'],
    ['../project-evil/a', '/srv/project-evil/a'],
    ['/etc/passwd', '/etc/passwd'],
    ['/', '/'],
    ['/..', '/'],
    [`${ROOT}/..`, '/srv'],
    [`${ROOT}/../project-evil`, '/srv/project-evil'],
    [`${ROOT}-evil`, '/srv/project-evil'],
    [`${ROOT}-evil/a`, '/srv/project-evil/a'],
    [`${LINK}2/a`, '/home/me/link2/a'],
    ['/srv/PROJECT/a', '/srv/PROJECT/a'],
  ])('says where %j leads, which is outside', (written, resolved) => {
    const failure = refusal(() => workspacePath(written, roots, insideRoot));
    expect(failure).toMatchObject({ code: 'E_OUTSIDE_WORKSPACE', details: { resolved } });
    expect(failure.message).toContain(JSON.stringify(resolved));
  });

  it.each([
    [''],
    ['\0'],
    ['a\0b'],
    ['\ud800'],
    ['a/\udc00b'],
    ['file:///etc/passwd'],
    ['HTTPS://example.com/a'],
    ['\\\\server\\share'],
    ['\\\\?\\C:\\a'],
    ['\\??\\C:\\a'],
    ['C:\\a'],
    ['c:/a'],
    ['~'],
    ['~/a'],
    ['~root/a'],
    ['$HOME/a'],
    ['${HOME}/a'],
    ['$HOME'],
    ['%USERPROFILE%\\a'],
    ['%2e%2e/a'],
    ['a%2Fb'],
    ['a%5cb'],
    ['a%00'],
    ['a.txt::$DATA'],
    ['a:$i30'],
    ['.git~1/config'],
    ['GIT~1'],
    ['a/...'],
    ['a./b'],
    ['a /b'],
    ['a\\b.'],
  ])('refuses %j, which can not name a file', (written) => {
    for (const rules of [insideRoot, relativeOnly]) {
      expect(refusal(() => workspacePath(written, roots, rules)).code).toBe('E_INVALID_PATH');
    }
  });

  it('refuses an absolute path where a dialect takes none, also one below the root', () => {
    for (const written of [ROOT, `${ROOT}/a`, '/etc/passwd']) {
      expect(refusal(() => workspacePath(written, roots, relativeOnly)).code).toBe('E_INVALID_PATH');
    }
  });

  it('counts a name and a path in bytes, and a dialect’s own limit in characters', () => {
    const longest = 'é'.repeat(127);
    expect(workspacePath(longest, roots, insideRoot)).toBe(longest);
    expect(workspacePath('abc', roots, { ...insideRoot, maxLength: 3 })).toBe('abc');
    const tooLong: [string, PathRules][] = [
      ['é'.repeat(128), insideRoot],
      ['a'.repeat(256), insideRoot],
      ['a/'.repeat(2049), insideRoot],
      ['éé/'.repeat(900), insideRoot],
      ['a/'.repeat(256), insideRoot],
      ['abcd', { ...insideRoot, maxLength: 3 }],
      ['a'.repeat(5000), { ...insideRoot, maxLength: 10_000 }],
    ];
    for (const [written, rules] of tooLong) {
      expect(refusal(() => workspacePath(written, roots, rules)).code).toBe('E_INVALID_PATH');
    }
  });
});

describe('workspacePath, for any string', () => {
  it('gives a relative, normalised path that stays below the root, or fails with one of two codes', () => {
    fc.assert(
      fc.property(anyPath, fc.constantFrom(insideRoot, relativeOnly), (written, rules) => {
        const path = accepted(written, rules);
        if (path === undefined || path === '.') return;
        expect(path).not.toMatch(/^\/|\0/);
        for (const part of path.split('/')) expect(['', '.', '..']).not.toContain(part);
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(4096);
        expect(path.isWellFormed()).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('means the same place as the operating system does', () => {
    fc.assert(
      fc.property(anyPath, (written) => {
        const path = accepted(written, insideRoot, [ROOT]);
        if (path === undefined) return;
        expect(posix.resolve(ROOT, path)).toBe(posix.resolve(ROOT, written));
      }),
      { numRuns: 20_000 },
    );
  });

  it('never takes a sibling whose name starts like the root', () => {
    const suffix = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/^[/]/.test(text));
    const rest = fc.constantFrom('', '/', '/a', '/a/b', '/./a', '//a');
    const spelling = fc.constantFrom(
      ROOT,
      `${ROOT}/../project`,
      `/etc/..${ROOT}`,
      '../project',
      LINK,
      `${LINK}/../link`,
    );
    fc.assert(
      fc.property(spelling, suffix, rest, (root, more, below) => {
        fc.pre(!more.includes('/'));
        expect(accepted(`${root}${more}${below}`, insideRoot)).toBeUndefined();
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('relativeToRoot', () => {
  it('knows the root, what is below any spelling of it, and nothing else', () => {
    expect([ROOT, LINK, `${ROOT}/a/b`, `${LINK}/a`].map((path) => relativeToRoot(path, roots))).toEqual([
      '.',
      '.',
      'a/b',
      'a',
    ]);
    expect(
      ['/srv', '/', `${ROOT}2`, `${ROOT}-a/b`, `${LINK}.d/a`].map((path) => relativeToRoot(path, roots)),
    ).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});

describe('isWithin', () => {
  it('holds for a tree, what is below it, and not for a sibling that starts like it', () => {
    expect(isWithin('a', 'a')).toBe(true);
    expect(isWithin('a/b/c', 'a')).toBe(true);
    expect(isWithin('a/b', '.')).toBe(true);
    expect(isWithin('.', '.')).toBe(true);
    expect(isWithin('ab', 'a')).toBe(false);
    expect(isWithin('a-b/c', 'a')).toBe(false);
    expect(isWithin('.', 'a')).toBe(false);
    expect(isWithin('A', 'a')).toBe(false);
  });
});

/** Strings of every kind: chance alone rarely writes a path, so most are put together from pieces of one. */
const pieces = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/', '..', '.', 'a', 'bc', 'project', 'srv') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ROOT,
      LINK,
      '\\',
      '\0',
      '~',
      ' ',
      '%2e',
      '$HOME',
      'C:',
      '://',
      '\ud800',
      '-evil',
      '日',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const halves = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 })
  .map((units) => String.fromCharCode(...units));
const anyPath = fc.oneof(
  { weight: 8, arbitrary: fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 4, arbitrary: fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('/')) },
  { weight: 2, arbitrary: fc.array(pieces, { maxLength: 8 }).map((parts) => `${ROOT}/${parts.join('')}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: halves },
);

/** The path, or undefined where it was refused; any other throw than the two failures comes through. */
function accepted(written: string, rules: PathRules, spellings: Roots = roots): string | undefined {
  try {
    return workspacePath(written, spellings, rules);
  } catch (error) {
    if (error instanceof Failure && ['E_INVALID_PATH', 'E_OUTSIDE_WORKSPACE'].includes(error.code))
      return undefined;
    throw error;
  }
}

function refusal(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
