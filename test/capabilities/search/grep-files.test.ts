/** Files that are not what a search expects: binary, broken, growing, unreadable, oddly named. */
import { appendFileSync, chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../../src/host/local/host.ts';
import type { GrepRequest } from '../../../src/host/ports.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { specialFiles } from '../../host/local/fixtures/special-files.ts';
import { whyNotAsNobody } from '../../host/local/fixtures/use-files-in-a-child.ts';
import { searchAsNobody } from './fixtures/search-in-a-child.ts';
import { searching } from './fixtures/searching.ts';

describe('search.grep in files', () => {
  it('skips binary ones, also by name', async () => {
    await using search = await searching({
      'a.bin': 'hit\n\0',
      'utf16.txt': Buffer.from('\ufeffhit\n', 'utf16le'),
      'b.txt': 'hit',
    });
    expect(await search.places({ pattern: 'hit' })).toEqual(['b.txt:1']);
    expect(await search.places({ pattern: 'hit', path: 'a.bin' })).toEqual([]);
    expect((await search.grep({ pattern: '\\x00' })).lines ?? []).toEqual([]);
  });

  it('shows lines that are not valid UTF-8 with a mark for each wrong byte', async () => {
    const broken = Buffer.concat([Buffer.from('hit '), Buffer.from([0xff, 0xc3]), Buffer.from('\nhit 2\n')]);
    await using search = await searching({ 'a.txt': broken });
    const { lines } = await search.grep({ pattern: 'hit' });
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [1, 'hit \ufffd\ufffd'],
      [2, 'hit 2'],
    ]);
  });

  it('shows lines that end in CRLF without the CR, and leaves any other CR', async () => {
    await using search = await searching({ 'a.txt': 'hit one\r\nno\r\nhit\rtwo\r\n' });
    const { lines } = await search.grep({ pattern: 'hit' });
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [1, 'hit one'],
      [3, 'hit\rtwo'],
    ]);
  });

  it('finds in a file without a newline at its end, in an empty one nothing', async () => {
    await using search = await searching({ 'a.txt': 'no\nhit', 'empty.txt': '' });
    expect(await search.places({ pattern: 'hit' })).toEqual(['a.txt:2']);
    expect(await search.places({ pattern: '^', path: 'empty.txt' })).toEqual([]);
  });

  it('does not wait for pipes, sockets and devices', async () => {
    await using search = await searching({ 'a.txt': 'hit' });
    await using special = await specialFiles(search.workspace);
    expect(await search.places({ pattern: 'hit|^' })).toEqual(['a.txt:1']);
    for (const path of special.paths)
      expect([path, (await search.grep({ pattern: 'hit', path })).code]).toEqual([path, 'E_NOT_FILE']);
  });

  it.each([
    'a b.txt',
    '-e',
    'quo\'te".txt',
    'c:1:2:hit',
    'star*.txt',
    '{a,b}',
    '[x]',
    'é😀.txt',
    '#1',
    '!a',
    '$(x)',
    '\\b',
    '\t',
  ])('finds in a file called %j', async (name) => {
    await using search = await searching({ [name]: 'hit', [`d/${name}`]: 'hit' });
    expect(await search.places({ pattern: 'hit' })).toEqual([`${name}:1`, `d/${name}:1`].sort());
  });

  it('shows no name that is not UTF-8, since no tool could take it', async () => {
    await using search = await searching({ 'a.txt': 'hit' });
    const folder = Buffer.from(`${search.workspace.root}/`);
    const name = Buffer.concat([folder, Buffer.from([0x62, 0xff])]);
    writeFileSync(name, 'hit');
    mkdirSync(Buffer.concat([folder, Buffer.from([0x63, 0xff])]));
    writeFileSync(Buffer.concat([folder, Buffer.from([0x63, 0xff]), Buffer.from('/d.txt')]), 'hit');
    expect(await search.places({ pattern: 'hit' })).toEqual(['a.txt:1']);
    expect((await search.glob({ pattern: '**' })).matches).toEqual(['a.txt']);
    expect((await search.find({ query: 'hit' })).results).toEqual(['a.txt']);
  });
});

const REQUEST: Omit<GrepRequest, 'signal'> = {
  path: '.',
  pattern: 'hit',
  isLiteral: false,
  ignoreCase: false,
  isMultiline: false,
  names: [],
  skip: [],
  context: 0,
  maxLineCharacters: 500,
  inOrder: true,
  mayRead: () => true,
};

/** What is shown of a large file and its neighbour where something happens at the first line that is shown. */
async function whileSearched(
  happens: (file: string) => void,
): Promise<{ texts: Set<string>; neighbour: boolean }> {
  await using workspace = tempWorkspace({ 'a.txt': 'hit old\n'.repeat(200_000), 'b.txt': 'hit b\n' });
  using host = localHost(workspace.root, workspace.locations.home).host;
  const texts = new Set<string>();
  let isFirst = true;
  let neighbour = false;
  await host.search.grep({ ...REQUEST, signal: new AbortController().signal }, ({ path, text }) => {
    if (isFirst) happens(join(workspace.root, 'a.txt'));
    isFirst = false;
    if (path === 'a.txt') texts.add(text);
    else neighbour = true;
    return true;
  });
  return { texts, neighbour };
}

describe('search.grep in files that change meanwhile', () => {
  it('goes on where one grows', async () => {
    const { texts, neighbour } = await whileSearched((file) =>
      appendFileSync(file, 'hit new\n'.repeat(10_000)),
    );
    expect([texts.has('hit old'), neighbour]).toEqual([true, true]);
  });

  it('shows nothing that is no longer there where one shrinks', async () => {
    const { texts, neighbour } = await whileSearched((file) => truncateSync(file, 4));
    expect([...texts]).toEqual(['hit old']);
    expect(neighbour).toBe(true);
  });

  it('shows only what is there where one is overwritten or deleted', async () => {
    const other = await whileSearched((file) => writeFileSync(file, 'hit new\n'.repeat(200_000)));
    expect([...other.texts].filter((text) => !['hit old', 'hit new'].includes(text))).toEqual([]);
    const gone = await whileSearched((file) => rmSync(file));
    expect([[...gone.texts], gone.neighbour]).toEqual([['hit old'], true]);
  });
});

describe('search.grep of a user without permission', () => {
  const whyNot = whyNotAsNobody();

  it('counts the places that can not be read, and finds what can be', async ({ skip }) => {
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({
      'a.txt': 'hit',
      'closed/b.txt': 'hit',
      'closed.txt': 'hit',
      'entry/c.txt': 'hit',
    });
    for (const folder of [dirname(workspace.root), workspace.root]) chmodSync(folder, 0o755);
    chmodSync(join(workspace.root, 'closed'), 0o700);
    chmodSync(join(workspace.root, 'closed.txt'), 0o600);
    chmodSync(join(workspace.root, 'entry'), 0o744);
    expect(await searchAsNobody(workspace, 'hit')).toEqual({
      places: ['a.txt:1'],
      unreadable: 3,
      files: ['a.txt', 'closed.txt', 'entry/c.txt'],
    });
  });
});
