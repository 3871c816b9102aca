/** What `.gitignore` files say, against git itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, record, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileIndex } from '../../../src/host/local/file-index.ts';
import { pinRoot } from '../../../src/host/local/root.ts';
import { scaled } from '../../support/scale.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { gitFiles } from './fixtures/git-files.ts';

async function filesOf({ root, locations }: TempWorkspace): Promise<string[]> {
  using pinned = pinRoot(root, locations.home);
  const scope = { path: '.', skip: [], signal: new AbortController().signal };
  return (await new FileIndex(pinned).look(scope)).files.sort();
}

const NAMES = ['a', 'b', 'ab', 'a.o', 'b.o', 'a b', 'a ', '[a]', '{a,b}', '!a', '#a', 'a\\b', '*'];
const TREE = Object.fromEntries(
  ['', 'a/', 'b/', 'a/b/', 'a/b/a/', '[a]/', 'a b/', '!a/b/'].flatMap((folder) =>
    NAMES.map((name) => [`${folder}${name}${folder === '' || name === 'a' || name === 'b' ? '.x' : ''}`, '']),
  ),
);

describe('IgnoreRules', () => {
  it.each([
    ['a name', 'ab'],
    ['a name at the root', '/ab'],
    ['a directory', 'a/'],
    ['a path', 'a/b'],
    ['a path from anywhere', '**/b/ab'],
    ['everything in a directory', 'a/**'],
    ['directories between', 'a/**/ab'],
    ['two stars within a name', 'a**'],
    ['three stars', 'a/***'],
    ['an ending', '*.o'],
    ['an ending, but for one', '*.o\n!a.o'],
    ['a later line', '!a.o\n*.o'],
    ['all but some', '/*\n!/a/\n/a/*\n!/a/b/'],
    ['a file in an ignored directory', 'a/\n!a/ab'],
    ['characters', '[ab]'],
    ['other characters', '[!a]'],
    ['other characters, as regular expressions write it', '[^a]b'],
    ['a range', '[a-c].o'],
    ['a class with a name', '[[:alpha:]].o'],
    ['a bracket in a class', '[]a].o'],
    ['a bracket behind a backslash', '\\[a]'],
    ['a bracket that is never closed', '[a'],
    ['braces, which mean nothing', '{a,b}'],
    ['a mark behind a backslash', '\\!a\n\\#a'],
    ['a remark', '#a'],
    ['a backslash', 'a\\\\b'],
    ['a backslash at the end', 'a\\'],
    ['a space at the end', 'a '],
    ['a space that counts', 'a\\ '],
    ['Windows line ends', 'ab\r\nb.o\r\n'],
    ['a mark of byte order', '\ufeffab'],
    ['slashes alone', '/\n//\n'],
    ['two slashes', 'a//b'],
    ['a slash behind a backslash', 'a\\/ab'],
    ['any character', '?.o'],
    ['a hidden name', '.*'],
    ['an exclamation mark alone', '!'],
    ['everything', '**'],
  ])('reads %s as git does', async (_, text) => {
    for (const folder of ['', 'a/', '[a]/']) {
      await using workspace = tempWorkspace({ ...TREE, [`${folder}.gitignore`]: text });
      expect(await filesOf(workspace)).toEqual(await gitFiles(workspace.root));
    }
  });

  it('reads any files in any folders as git does', async () => {
    const part = constantFrom(
      'a',
      'b',
      'ab',
      '*',
      '**',
      '?',
      '*.o',
      '[ab]',
      '[!a]',
      'a*',
      '*b',
      '\\a',
      'a b',
    );
    const line = record({
      mark: constantFrom('', '', '', '!'),
      start: constantFrom('', '', '/'),
      parts: array(part, { minLength: 1, maxLength: 4 }),
      end: constantFrom('', '', '/', ' '),
    }).map(({ mark, start, parts, end }) => mark + start + parts.join('/') + end);
    const folder = constantFrom('', '', 'a/', 'b/', 'a/b/', 'a/b/a/', '[a]/', 'a b/');
    const files = array(tuple(folder, array(line, { minLength: 1, maxLength: 5 })), {
      minLength: 1,
      maxLength: 4,
    });
    await assert(
      asyncProperty(files, async (written) => {
        await using workspace = tempWorkspace();
        for (const path of Object.keys(TREE)) {
          mkdirSync(join(workspace.root, path, '..'), { recursive: true });
          writeFileSync(join(workspace.root, path), '');
        }
        for (const [place, lines] of written) workspace.write(`${place}.gitignore`, lines.join('\n'));
        expect(await filesOf(workspace)).toEqual(await gitFiles(workspace.root));
      }),
      { numRuns: scaled(100) },
    );
  }, 60_000);
});
