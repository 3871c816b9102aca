/** `search.glob`: files by their paths. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searching } from './fixtures/searching.ts';

const FILES = {
  'a.ts': '',
  'b.tsx': '',
  '.hidden.ts': '',
  'src/a.ts': '',
  'src/b.md': '',
  'src/deep/c.ts': '',
  'src/deep/er/d.ts': '',
  '.config/e.ts': '',
  '[slug]/f.ts': '',
};

describe('search.glob', () => {
  it.each<[string, string[]]>([
    ['*.ts', ['.hidden.ts', 'a.ts']],
    ['*', ['.hidden.ts', 'a.ts', 'b.tsx']],
    ['?.ts', ['a.ts']],
    ['*.ts*', ['.hidden.ts', 'a.ts', 'b.tsx']],
    ['src/*', ['src/a.ts', 'src/b.md']],
    ['src/**', ['src/a.ts', 'src/b.md', 'src/deep/c.ts', 'src/deep/er/d.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/deep/c.ts', 'src/deep/er/d.ts']],
    ['src/**/d.ts', ['src/deep/er/d.ts']],
    ['**/deep/**', ['src/deep/c.ts', 'src/deep/er/d.ts']],
    ['**/er/d.ts', ['src/deep/er/d.ts']],
    ['*/*/c.ts', ['src/deep/c.ts']],
    ['**/a.ts', ['a.ts', 'src/a.ts']],
    ['{a.ts,src/a.ts}', ['a.ts', 'src/a.ts']],
    ['**/*.{md,tsx}', ['b.tsx', 'src/b.md']],
    ['{a,b}.{ts,tsx}', ['a.ts', 'b.tsx']],
    ['src/{deep,deep/er}/*.ts', ['src/deep/c.ts', 'src/deep/er/d.ts']],
    ['[ab].ts*', ['a.ts', 'b.tsx']],
    ['[!b].ts*', ['a.ts']],
    ['[^b].ts*', ['a.ts']],
    ['src/[a-c].*', ['src/a.ts', 'src/b.md']],
    ['.*/*.ts', ['.config/e.ts']],
    ['[[]slug]/*', ['[slug]/f.ts']],
    ['./src/a.ts', ['src/a.ts']],
    ['src//a.ts', ['src/a.ts']],
    ['src', []],
    ['src/', []],
    ['A.ts', []],
    ['nowhere/**', []],
    ['a.ts/*', []],
  ])('finds for %s', async (pattern, matches) => {
    await using search = await searching(FILES);
    expect(await search.glob({ pattern })).toEqual({ pattern, matches, total: matches.length });
  });

  it('takes patterns as relative to a directory, and gives paths of the workspace', async () => {
    await using search = await searching(FILES);
    expect((await search.glob({ path: 'src', pattern: '*' })).matches).toEqual(['src/a.ts', 'src/b.md']);
    expect((await search.glob({ path: 'src/deep', pattern: 'er/*' })).matches).toEqual(['src/deep/er/d.ts']);
  });

  it('leaves out what .gitignore names, what is to be skipped, and .git', async () => {
    await using search = await searching({
      ...FILES,
      '.gitignore': 'built\n*.md\n',
      'built/x.ts': '',
      'skipped/x.ts': '',
      'src/skipped/x.ts': '',
      '.git/x.ts': '',
      'src/.git/x.ts': '',
    });
    expect((await search.glob({ pattern: '**/x.ts', skip: ['skipped'] })).matches).toEqual([]);
    expect((await search.glob({ pattern: '**/*.md' })).matches).toEqual([]);
  });

  it('gives the first files of all in order, and counts all', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`d/${String(index).padStart(3, '0')}`, '']),
    );
    await using search = await searching(files);
    const { matches, total } = await search.glob({ pattern: '**', limit: 3 });
    expect({ matches, total }).toEqual({ matches: ['d/000', 'd/001', 'd/002'], total: 300 });
    expect((await search.glob({ pattern: '**', limit: 300 })).matches).toHaveLength(300);
  });

  it.each([
    ['/etc/*', 'E_INVALID_PATH'],
    ['//x', 'E_INVALID_PATH'],
    ['C:/x', 'E_INVALID_PATH'],
    ['c:\\x', 'E_INVALID_PATH'],
    ['\\\\server\\share', 'E_INVALID_PATH'],
    ['..', 'E_OUTSIDE_WORKSPACE'],
    ['../*', 'E_OUTSIDE_WORKSPACE'],
    ['src/../a.ts', 'E_OUTSIDE_WORKSPACE'],
    ['src/deep/../../../*', 'E_OUTSIDE_WORKSPACE'],
    ['a\0', 'E_INVALID_PATH'],
    ['', 'E_INVALID_ARGS'],
    ['   ', 'E_INVALID_ARGS'],
    ['{a,b}'.repeat(10), 'E_INVALID_ARGS'],
    ['x'.repeat(4_001), 'E_INVALID_ARGS'],
  ])('refuses %j', async (pattern, code) => {
    await using search = await searching(FILES);
    expect((await search.glob({ pattern })).code).toBe(code);
  });

  it.each(['{..,src}/*', 'src/{..,deep}/*', '{/etc,src}/*', '[.][.]/*', '.{.,x}/out/*', '?./out/*'])(
    'finds nothing outside by %s',
    async (pattern) => {
      await using search = await searching(FILES);
      const { matches } = await search.glob({ pattern });
      expect(matches.filter((path) => !Object.hasOwn(FILES, path))).toEqual([]);
    },
  );

  it('shows files only, and follows no link that it meets', async () => {
    await using search = await searching({ 'd/a.ts': '' });
    const { root, outside } = search.workspace;
    mkdirSync(join(root, 'empty.ts'));
    symlinkSync('d', join(root, 'link'));
    symlinkSync('d/a.ts', join(root, 'b.ts'));
    symlinkSync('.', join(root, 'd/loop'));
    symlinkSync(outside, join(root, 'leaving'));
    expect((await search.glob({ pattern: '**' })).matches).toEqual(['d/a.ts']);
    expect((await search.glob({ pattern: 'link/*' })).matches).toEqual(['d/a.ts']);
    expect((await search.glob({ pattern: 'leaving/*' })).code).toBe('E_OUTSIDE_WORKSPACE');
    expect((await search.glob({ pattern: '*', path: 'leaving' })).code).toBe('E_OUTSIDE_WORKSPACE');
  });

  it('shows names with newlines as they are', async () => {
    await using search = await searching({ 'a\nb.ts': '', 'a\tb.ts': '' });
    expect((await search.glob({ pattern: '*.ts' })).matches).toEqual(['a\tb.ts', 'a\nb.ts']);
  });

  it('shows no file of a closed place, and those of places that are asked about', async () => {
    await using search = await searching({ '.ssh/id': '', 'd/.ssh/id': '', '.env': '', 'd/id_rsa': '' });
    expect((await search.glob({ pattern: '**' })).matches).toEqual(['.env', 'd/id_rsa']);
    expect((await search.glob({ pattern: '.ssh/*' })).code).toBe('E_POLICY_DENIED');
  });
});

describe('search.glob in a large tree that is known from before', () => {
  /** So many that the list is kept. */
  const COUNT = 2_100;
  const MANY = Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [`d${index % 30}/${index}.ts`, '']),
  );

  it('notices files and directories that come and go, and changed ignore files', async () => {
    await using search = await searching({ ...MANY, '.gitignore': 'built\n' });
    const { root } = search.workspace;
    const count = async (): Promise<number> =>
      (await search.glob({ pattern: '**/*.ts', limit: 5_000 })).total;
    const known = async (expected: number): Promise<void> => {
      expect(await count()).toBe(expected);
      // The list is made while nobody waits: soon these are answers from memory.
      for (let turn = 0; turn < 20; turn++) expect(await count()).toBe(expected);
    };
    await known(COUNT);
    search.workspace.write('d3/new.ts', '');
    await known(COUNT + 1);
    search.workspace.write('fresh/er/new.ts', '');
    await known(COUNT + 2);
    search.workspace.write('fresh/er/second.ts', '');
    await known(COUNT + 3);
    search.workspace.write('built/new.ts', '');
    await known(COUNT + 3);
    rmSync(join(root, 'd3/new.ts'));
    await known(COUNT + 2);
    search.workspace.write('.gitignore', 'built\nfresh\n');
    await known(COUNT);
    search.workspace.write('d4/.gitignore', '*.ts\n');
    await known(COUNT - COUNT / 30);
    rmSync(join(root, 'd5'), { recursive: true });
    await known(COUNT - (2 * COUNT) / 30);
  });
});
