/** Where `search.grep` looks: filters, what is left out, and what may not be read. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searching } from './fixtures/searching.ts';

describe('search.grep and its filters', () => {
  const FILES = {
    'a.ts': 'hit',
    'a.tsx': 'hit',
    'd/b.ts': 'hit',
    'd/c.md': 'hit',
    'd/e/b.ts': 'hit',
    '.x.ts': 'hit',
  };

  it.each<[string[], string[]]>([
    [['*.ts'], ['.x.ts:1', 'a.ts:1', 'd/b.ts:1', 'd/e/b.ts:1']],
    [['b.*'], ['d/b.ts:1', 'd/e/b.ts:1']],
    [['*.{tsx,md}'], ['a.tsx:1', 'd/c.md:1']],
    [
      ['*.tsx', '*.md'],
      ['a.tsx:1', 'd/c.md:1'],
    ],
    [['[a-c].md'], ['d/c.md:1']],
    [['?.ts'], ['a.ts:1', 'd/b.ts:1', 'd/e/b.ts:1']],
    [['d/*.ts'], ['d/b.ts:1']],
    [['d/**/*.ts'], ['d/b.ts:1', 'd/e/b.ts:1']],
    [['**/e/*'], ['d/e/b.ts:1']],
    [['{d/b,d/e/b}.ts'], ['d/b.ts:1', 'd/e/b.ts:1']],
    [['{d/c,a}.*'], ['a.ts:1', 'a.tsx:1', 'd/c.md:1']],
    [['d/{e/b.ts,c.md}'], ['d/c.md:1', 'd/e/b.ts:1']],
    [['!*.ts'], ['a.tsx:1', 'd/c.md:1']],
    [['*.rs'], []],
  ])('looks only into files like %j', async (only, places) => {
    await using search = await searching(FILES);
    expect(await search.places({ pattern: 'hit', only })).toEqual(places);
  });

  it.each([
    ['', 'E_INVALID_ARGS'],
    ['/etc/*', 'E_INVALID_PATH'],
    ['!/etc/*', 'E_INVALID_PATH'],
    ['../*', 'E_OUTSIDE_WORKSPACE'],
    ['d/../../*', 'E_OUTSIDE_WORKSPACE'],
    ['a\0b', 'E_INVALID_PATH'],
    ['{a', 'E_INVALID_ARGS'],
    ['d/[', 'E_INVALID_ARGS'],
  ])('refuses the filter %j', async (glob, code) => {
    await using search = await searching(FILES);
    expect((await search.grep({ pattern: 'hit', only: [glob] })).code).toBe(code);
  });

  it('enters nothing of a name that is to be skipped', async () => {
    await using search = await searching({ ...FILES, 'skipped/a.ts': 'hit', 'd/skipped/b.ts': 'hit' });
    const places = await search.places({ pattern: 'hit', skip: ['skipped', 'e'] });
    expect(places).toEqual(['.x.ts:1', 'a.ts:1', 'a.tsx:1', 'd/b.ts:1', 'd/c.md:1']);
  });
});

describe('search.grep and .gitignore', () => {
  it('leaves out what it names, of the root and of folders, with or without a repository', async () => {
    await using search = await searching({
      '.gitignore': 'built\n*.log\n!kept.log\n/only-here\n',
      'built/a.txt': 'hit',
      'd/built/a.txt': 'hit',
      'x.log': 'hit',
      'kept.log': 'hit',
      'only-here/a.txt': 'hit',
      'd/only-here/a.txt': 'hit',
      'd/.gitignore': 'own\n',
      'd/own': 'hit',
      own: 'hit',
    });
    const expected = ['d/only-here/a.txt:1', 'kept.log:1', 'own:1'];
    expect(await search.places({ pattern: 'hit' })).toEqual(expected);
    search.workspace.write('.git/HEAD', 'ref: refs/heads/main\nhit\n');
    expect(await search.places({ pattern: 'hit' })).toEqual(expected);
  });

  it.each([['*.log'], ['x.*'], ['{*.log,*.txt}'], ['built/*.txt'], ['built/**']])(
    'does not open what it names for the filter %s',
    async (glob) => {
      await using search = await searching({
        '.gitignore': 'built\n*.log\n',
        'built/a.txt': 'hit',
        'x.log': 'hit',
      });
      expect(await search.places({ pattern: 'hit', only: [glob] })).toEqual([]);
    },
  );

  it('looks into what it names where that is asked for by name', async () => {
    await using search = await searching({ '.gitignore': 'built\n', 'built/a.txt': 'hit' });
    expect(await search.places({ pattern: 'hit', path: 'built' })).toEqual(['built/a.txt:1']);
    expect(await search.places({ pattern: 'hit', path: 'built/a.txt' })).toEqual(['built/a.txt:1']);
  });

  it('obeys none that lies above the workspace', async () => {
    await using search = await searching({ 'a.txt': 'hit' });
    search.workspace.write('../.gitignore', '*.txt\n');
    search.workspace.write('../.ignore', '*.txt\n');
    expect(await search.places({ pattern: 'hit' })).toEqual(['a.txt:1']);
  });

  it('never enters .git on its own', async () => {
    await using search = await searching({ '.git/a': 'hit', 'd/.git/b': 'hit', 'd/.github/c': 'hit' });
    for (const only of [[], ['*'], ['.git/**'], ['**/.git/**'], ['!*.md']])
      expect(
        (await search.places({ pattern: 'hit', only })).filter((place) => /\.git\//.test(place)),
      ).toEqual([]);
    expect(await search.places({ pattern: 'hit' })).toEqual(['d/.github/c:1']);
  });
});

describe('search.grep and the policy', () => {
  it('looks into nothing that is asked about or closed, unless it is what was asked for', async () => {
    await using search = await searching({
      'a.txt': 'hit',
      '.env': 'KEY=hit',
      'd/.env.local': 'KEY=hit',
      'd/id_rsa': 'hit',
      '.ssh/config': 'hit',
      'd/.ssh/known_hosts': 'hit',
    });
    expect(await search.places({ pattern: 'hit' })).toEqual(['a.txt:1']);
    expect(await search.places({ pattern: 'hit', path: '.env' })).toEqual(['.env:1']);
    expect((await search.grep({ pattern: 'hit', path: '.ssh' })).code).toBe('E_POLICY_DENIED');
  });

  it('counts none of their lines, so that nobody learns that there are any', async () => {
    await using search = await searching({ '.env': 'hit\n'.repeat(10), 'a.txt': 'hit' });
    expect(await search.grep({ pattern: 'hit', maxMatches: 1 })).toMatchObject({ count: 1, hasMore: false });
    expect(await search.grep({ pattern: 'hit', offset: 1 })).toMatchObject({ lines: [], hasMore: false });
  });
});

describe('search.grep and links', () => {
  it('follows none that it meets, and the one it is given', async () => {
    await using search = await searching({ 'd/a.txt': 'hit' });
    const { root, outside } = search.workspace;
    symlinkSync('d', join(root, 'link'));
    symlinkSync('..', join(root, 'd/up'));
    symlinkSync('d/a.txt', join(root, 'file-link'));
    symlinkSync(outside, join(root, 'leaving'));
    expect(await search.places({ pattern: 'hit|secret' })).toEqual(['d/a.txt:1']);
    expect(await search.places({ pattern: 'hit', path: 'link' })).toEqual(['d/a.txt:1']);
    expect(await search.places({ pattern: 'hit', path: 'file-link' })).toEqual(['d/a.txt:1']);
    expect((await search.grep({ pattern: 'secret', path: 'leaving' })).code).toBe('E_OUTSIDE_WORKSPACE');
  });
});
