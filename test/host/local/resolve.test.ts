/** Where paths lead once links are followed, told with real links. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../../src/host/local/host.ts';
import type { Files } from '../../../src/host/ports.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';
import { allEnd, endings, filesOf, link } from './fixtures/workspace-files.ts';

const FILES = { 'a.txt': 'a', 'd/b.txt': 'b', 'd/e/c.txt': 'c' };
const follow = { followLast: true };
const stay = { followLast: false };

describe('files.resolve', () => {
  it('gives plain paths back, with what is there', async () => {
    await using workspace = tempWorkspace(FILES);
    const files = filesOf(workspace);
    expect(await resolveAll(files, ['.', 'a.txt', 'd', 'd/e/c.txt', 'new', 'd/new/deep.txt'])).toEqual({
      '.': { path: '.', kind: 'directory' },
      'a.txt': { path: 'a.txt', kind: 'file' },
      d: { path: 'd', kind: 'directory' },
      'd/e/c.txt': { path: 'd/e/c.txt', kind: 'file' },
      new: { path: 'new', kind: 'missing' },
      'd/new/deep.txt': { path: 'd/new/deep.txt', kind: 'missing' },
    });
  });

  it('follows relative links, links to links, and links through `..` that stay inside', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, {
      'to-file': 'a.txt',
      'to-directory': 'd',
      'd/up': '../a.txt',
      'd/e/up-and-down': '../../d/e/../b.txt',
      chain: './to-directory/e/up-and-down',
      'to-root': 'd/..',
      slashes: './/d//e/',
    });
    expect(
      await resolveAll(filesOf(workspace), [
        'to-file',
        'to-directory',
        'to-directory/e/c.txt',
        'd/up',
        'd/e/up-and-down',
        'chain',
        'to-root',
        'to-root/to-root/a.txt',
        'slashes/c.txt',
        'to-directory/new.txt',
      ]),
    ).toEqual({
      'to-file': { path: 'a.txt', kind: 'file' },
      'to-directory': { path: 'd', kind: 'directory' },
      'to-directory/e/c.txt': { path: 'd/e/c.txt', kind: 'file' },
      'd/up': { path: 'a.txt', kind: 'file' },
      'd/e/up-and-down': { path: 'd/b.txt', kind: 'file' },
      chain: { path: 'd/b.txt', kind: 'file' },
      'to-root': { path: '.', kind: 'directory' },
      'to-root/to-root/a.txt': { path: 'a.txt', kind: 'file' },
      'slashes/c.txt': { path: 'd/e/c.txt', kind: 'file' },
      'to-directory/new.txt': { path: 'd/new.txt', kind: 'missing' },
    });
  });

  it('follows absolute links below the root, from wherever they stand', async () => {
    await using workspace = tempWorkspace(FILES);
    const { root } = workspace;
    link(workspace, { 'd/e/absolute': `${root}/d/b.txt`, 'd/up': root, 'd/up-slash': `${root}/` });
    expect(
      await resolveAll(filesOf(workspace), ['d/e/absolute', 'd/up', 'd/up/d/e', 'd/up-slash/a.txt']),
    ).toEqual({
      'd/e/absolute': { path: 'd/b.txt', kind: 'file' },
      'd/up': { path: '.', kind: 'directory' },
      'd/up/d/e': { path: 'd/e', kind: 'directory' },
      'd/up-slash/a.txt': { path: 'a.txt', kind: 'file' },
    });
  });

  it('takes a workspace that is opened through a link, and absolute links in either spelling', async () => {
    await using workspace = tempWorkspace(FILES);
    const spelled = join(workspace.locations.home, 'link-to-workspace');
    symlinkSync(workspace.root, spelled);
    link(workspace, { real: `${workspace.root}/a.txt`, spelled: `${spelled}/d/b.txt` });
    const { host, roots } = localHost(spelled, workspace.locations.home);
    expect(roots).toEqual([workspace.root, spelled]);
    expect(await resolveAll(host.files, ['real', 'spelled'])).toEqual({
      real: { path: 'a.txt', kind: 'file' },
      spelled: { path: 'd/b.txt', kind: 'file' },
    });
  });

  it('leaves a link at the end alone where the link itself is meant', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, { 'to-directory': 'd', 'd/out': workspace.outside, dangling: 'nowhere', loop: 'loop' });
    const files = filesOf(workspace);
    expect(await files.resolve('to-directory', stay)).toEqual({ path: 'to-directory', kind: 'link' });
    expect(await files.resolve('to-directory/out', stay)).toEqual({ path: 'd/out', kind: 'link' });
    expect(await files.resolve('dangling', stay)).toEqual({ path: 'dangling', kind: 'link' });
    expect(await files.resolve('loop', stay)).toEqual({ path: 'loop', kind: 'link' });
    expect(await files.resolve('a.txt', stay)).toEqual({ path: 'a.txt', kind: 'file' });
  });

  it('names the missing place a dangling link leads to', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, {
      dangling: 'd/nowhere.txt',
      deep: 'no/such/folder',
      'climbs-from-nowhere': 'no/../a.txt',
    });
    const files = filesOf(workspace);
    expect(await resolveAll(files, ['dangling', 'deep', 'deep/below.txt'])).toEqual({
      dangling: { path: 'd/nowhere.txt', kind: 'missing' },
      deep: { path: 'no/such/folder', kind: 'missing' },
      'deep/below.txt': { path: 'no/such/folder/below.txt', kind: 'missing' },
    });
    await expect(files.resolve('climbs-from-nowhere', follow)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('ends loops and chains that are too long with a failure', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, { self: 'self', ping: 'pong', pong: 'ping', growing: 'growing/a', 'chain-0': 'a.txt' });
    for (let index = 1; index <= 41; index++) link(workspace, { [`chain-${index}`]: `chain-${index - 1}` });
    const files = filesOf(workspace);
    const endless = ['self', 'self/a', 'ping', 'growing', 'chain-41'];
    expect(await endings(endless, (path) => files.resolve(path, follow))).toEqual(
      allEnd(endless, 'E_INVALID_PATH'),
    );
    expect(await files.resolve('chain-39', follow)).toEqual({ path: 'a.txt', kind: 'file' });
  });

  it('refuses every link that leaves the root, at the end or on the way', async () => {
    await using workspace = tempWorkspace(FILES);
    const { root, outside } = workspace;
    mkdirSync(`${root}-evil`);
    const links = {
      absolute: join(outside, 's.txt'),
      relative: '../out/s.txt',
      'd/relative': '../../out/s.txt',
      'absolute-climbing': `${root}/../out/s.txt`,
      sibling: `${root}-evil`,
      parent: '..',
      'file-system': '/',
      proc: '/proc/self/root',
      'new-outside': join(outside, 'new.txt'),
      'out-and-back': '../ws/a.txt',
      twice: 'd/relative',
      directory: outside,
    };
    link(workspace, links);
    const files = filesOf(workspace);
    const atTheEnd = Object.keys(links);
    expect(await endings(atTheEnd, (path) => files.resolve(path, follow))).toEqual(
      allEnd(atTheEnd, 'E_OUTSIDE_WORKSPACE'),
    );
    const onTheWay = ['directory/s.txt', 'parent/out', 'parent/out/s.txt', 'proc/etc'];
    for (const options of [follow, stay]) {
      expect(await endings(onTheWay, (path) => files.resolve(path, options))).toEqual(
        allEnd(onTheWay, 'E_OUTSIDE_WORKSPACE'),
      );
    }
  });

  it('says that a file on the way is no directory', async () => {
    await using workspace = tempWorkspace(FILES);
    link(workspace, { 'to-file': 'a.txt' });
    const files = filesOf(workspace);
    const paths = ['a.txt/b', 'to-file/b', 'd/b.txt/c/d'];
    expect(await endings(paths, (path) => files.resolve(path, follow))).toEqual(allEnd(paths, 'E_NOT_DIR'));
  });

  it('says that a name is too long', async () => {
    await using workspace = tempWorkspace();
    await expect(filesOf(workspace).resolve('a'.repeat(256), follow)).rejects.toMatchObject({
      code: 'E_INVALID_PATH',
    });
  });
});

async function resolveAll(files: Files, paths: readonly string[]): Promise<Record<string, unknown>> {
  const resolved: Record<string, unknown> = {};
  for (const path of paths) resolved[path] = await files.resolve(path, follow);
  return resolved;
}
