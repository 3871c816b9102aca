/** Ignore files that are not what a search expects: links, broken lines, pipes, and those above where it starts. */
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searching } from './fixtures/searching.ts';

const NAMES = ['.gitignore', 'd/.gitignore', '.ignore', 'd/.rgignore'];
const RULE_FILES = ['.gitignore', 'd/.gitignore'];

describe('an ignore file that is a link', () => {
  it.each(NAMES)('tells nobody what is in a file outside: %s', async (name) => {
    await using search = await searching({ 'a.txt': 'hit', 'd/b.txt': 'hit' });
    const { root, outside } = search.workspace;
    writeFileSync(join(outside, 'secret'), 'user=x\npassword={hunter2\n');
    symlinkSync(join(outside, 'secret'), join(root, name));
    expect(JSON.stringify(await search.grep({ pattern: 'hit' }))).not.toContain('hunter2');
    expect(JSON.stringify(await search.glob({ pattern: '**' }))).not.toContain('hunter2');
  });

  it('tells nobody what is in a closed file, or in one that is asked about', async () => {
    await using search = await searching({ 'a.txt': 'hit', '.env': 'KEY={one', '.ssh/id': 'KEY={two' });
    symlinkSync('.env', join(search.workspace.root, '.gitignore'));
    symlinkSync('.ssh/id', join(search.workspace.root, '.ignore'));
    const said = JSON.stringify(await search.grep({ pattern: 'hit' }));
    expect([said.includes('KEY={one'), said.includes('KEY={two')]).toEqual([false, false]);
  });

  it.each(RULE_FILES)('is not obeyed: what is ignored would tell what is in there (%s)', async (name) => {
    await using search = await searching({ 'd/a.txt': 'hit', 'd/guess': 'hit', '.env': 'guess\n' });
    const { root, outside } = search.workspace;
    writeFileSync(join(outside, 'rules'), 'guess\n');
    for (const target of [join(outside, 'rules'), join(root, '.env')]) {
      symlinkSync(target, join(root, name));
      expect(await search.places({ pattern: 'hit' })).toEqual(['d/a.txt:1', 'd/guess:1']);
      expect((await search.glob({ pattern: 'd/**' })).matches).toContain('d/guess');
      rmSync(join(root, name));
    }
  });

  it.each(RULE_FILES)('that never ends stops no search (%s)', async (name) => {
    await using search = await searching({ 'a.txt': 'hit', 'd/b.txt': 'hit' });
    symlinkSync('/dev/zero', join(search.workspace.root, name));
    expect(await search.grep({ pattern: 'hit' })).toMatchObject({ count: 2 });
  });

  it('leaves the others alone', async () => {
    await using search = await searching({ '.gitignore': '*.log', 'd/a.log': 'hit', 'd/b.txt': 'hit' });
    symlinkSync('nowhere', join(search.workspace.root, 'd/.gitignore'));
    expect(await search.places({ pattern: 'hit' })).toEqual(['d/b.txt:1']);
  });
});

describe('an ignore file with a line that means nothing', () => {
  it.each(['{', 'a{b', '[z-a]', '\\'])('spoils no search: %s', async (line) => {
    for (const name of ['.gitignore', 'd/.gitignore']) {
      await using search = await searching({
        [name]: `${line}\nignored\n`,
        'a.txt': 'hit',
        'd/ignored': 'hit',
      });
      expect(await search.grep({ pattern: 'hit' })).toMatchObject({ count: 1, unreadable: 0 });
    }
  });
});

describe('an ignore file that is a pipe', () => {
  it.each(NAMES)('makes no search wait: %s', async (name) => {
    await using search = await searching({ 'a.txt': 'hit', 'd/b.txt': 'hit' });
    execFileSync('mkfifo', [join(search.workspace.root, name)]);
    expect(await search.grep({ pattern: 'hit' })).toMatchObject({ count: 2 });
    expect((await search.glob({ pattern: '**' })).matches).toEqual(['a.txt', 'd/b.txt']);
  });
});

describe('an ignore file that is too large', () => {
  it('is not obeyed', async () => {
    await using search = await searching({
      'd/.gitignore': `a.txt\n#${'x'.repeat(300_000)}`,
      'd/a.txt': 'hit',
    });
    expect(await search.grep({ pattern: 'hit' })).toMatchObject({ count: 1 });
  });
});

describe('an ignore file that is none of `.gitignore` in the workspace', () => {
  it.each([
    ['.ignore', '.ignore'],
    ['.rgignore', '.rgignore'],
    ['the excludes of the repository', '.git/info/exclude'],
    ['one above the workspace', '../.gitignore'],
    ["the user's own", '../home/.config/git/ignore'],
  ])('is not obeyed: %s', async (_, name) => {
    await using search = await searching({
      'a.txt': 'hit',
      '.git/HEAD': 'ref: refs/heads/main\n',
      [name]: 'a.txt',
    });
    expect(await search.places({ pattern: 'hit' })).toContain('a.txt:1');
    expect((await search.glob({ pattern: '*.txt' })).matches).toEqual(['a.txt']);
  });
});

describe('ignored entries', () => {
  it('are left out however many there are, and nothing else is', async () => {
    await using search = await searching({
      '.gitignore': '*.gen\n!kept.gen\n__cache__/\n/own/\nsingle-*\n',
      'd/own/a.txt': 'hit',
      'own/b.txt': 'hit',
      'kept.gen': 'hit',
      'd.gen2/c.txt': 'hit',
    });
    for (let folder = 0; folder < 1_100; folder++) {
      search.workspace.write(`p/${folder}/__cache__/x`, 'hit');
      search.workspace.write(`p/${folder}/x.gen`, 'hit');
      search.workspace.write(`p/${folder}/single-${folder}`, 'hit');
    }
    expect(await search.places({ pattern: 'hit' })).toEqual([
      'd.gen2/c.txt:1',
      'd/own/a.txt:1',
      'kept.gen:1',
    ]);
  });

  it('are left out whatever their names hold', async () => {
    const names = ['a*', 'b?', '[c]', '{d,e}', 'f\\g', '!h', ' i ', '#j', 'k\nl', 'm\t', '\u3000', '-n', 'ö'];
    await using search = await searching({
      '.gitignore': '/d/\n/f/*\n',
      'kept.txt': 'hit',
      ...Object.fromEntries(
        names.flatMap((name) => [
          [`d/${name}`, 'hit'],
          [`f/${name}`, 'hit'],
          [`f/x${name}/y`, 'hit'],
        ]),
      ),
    });
    expect(await search.places({ pattern: 'hit' })).toEqual(['kept.txt:1']);
    expect((await search.glob({ pattern: '**' })).matches).toEqual(['.gitignore', 'kept.txt']);
  });
});

describe('.gitignore of the workspace', () => {
  const FILES = {
    '.gitignore': '*.log\nnode_modules\n/d/own\n',
    'd/a.js': 'hit',
    'd/x.log': 'hit',
    'd/own/b.js': 'hit',
    'd/e/node_modules/c.js': 'hit',
  };

  it('holds for a search that starts below it', async () => {
    await using search = await searching(FILES);
    expect(await search.places({ pattern: 'hit', path: 'd' })).toEqual(['d/a.js:1']);
    expect((await search.find({ query: 'hit', path: 'd' })).results).toEqual(['d/a.js']);
    expect((await search.glob({ pattern: '**', path: 'd' })).matches).toEqual(['d/a.js']);
  });

  it.each(['d/*', 'd/**', 'd/{a,x}.*'])(
    'holds for the pattern %s, which starts with a directory',
    async (pattern) => {
      await using search = await searching(FILES);
      expect((await search.glob({ pattern })).matches).toEqual(['d/a.js']);
    },
  );

  it.each(['**/*', '**/*.log', 'd/*', '*/x.log', '**/x.*'])(
    'is not opened by the filter %s',
    async (glob) => {
      await using search = await searching(FILES);
      const places = await search.places({ pattern: 'hit', only: [glob] });
      expect(places.filter((place) => place !== 'd/a.js:1')).toEqual([]);
    },
  );

  it('is as little opened by a filter as names that are to be skipped', async () => {
    await using search = await searching({ 'skipped/a.js': 'hit', 'b.js': 'hit' });
    expect(await search.places({ pattern: 'hit', only: ['**/*'], skip: ['skipped'] })).toEqual(['b.js:1']);
  });
});
