/** Ignore files that are not what a search expects: links, broken lines, pipes, and those above where it starts. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searching } from './fixtures/searching.ts';

const NAMES = ['.gitignore', 'd/.gitignore', '.ignore', 'd/.rgignore'];

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

  it('is not obeyed where it leads out', async () => {
    await using search = await searching({ 'a.txt': 'hit', 'b.txt': 'hit' });
    const { root, outside } = search.workspace;
    writeFileSync(join(outside, 'rules'), 'b.txt\n');
    symlinkSync(join(outside, 'rules'), join(root, '.gitignore'));
    expect(await search.places({ pattern: 'hit' })).toEqual(['a.txt:1', 'b.txt:1']);
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
  it('makes no search wait', async () => {
    await using search = await searching({ 'a.txt': 'hit', 'd/b.txt': 'hit' });
    execFileSync('mkfifo', [join(search.workspace.root, '.gitignore')]);
    expect(await search.grep({ pattern: 'hit' })).toMatchObject({ count: 2 });
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
