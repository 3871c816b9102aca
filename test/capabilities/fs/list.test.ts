/** `fs.list`: one level of a directory. */
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';

describe('fs.list', () => {
  it('lists one level, sorted by name, with paths relative to the workspace', async () => {
    await using workspace = tempWorkspace({
      'd/b.txt': 'four',
      'd/a.txt': '',
      'd/B.txt': '€',
      'd/sub/deep.txt': '',
      'd/.hidden': 'x',
    });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.call('list', { path: 'd' })).reply).toEqual({
      ok: true,
      path: join(workspace.root, 'd'),
      items: [
        { name: '.hidden', path: 'd/.hidden', is_dir: false, size_bytes: 1 },
        { name: 'B.txt', path: 'd/B.txt', is_dir: false, size_bytes: 3 },
        { name: 'a.txt', path: 'd/a.txt', is_dir: false, size_bytes: 0 },
        { name: 'b.txt', path: 'd/b.txt', is_dir: false, size_bytes: 4 },
        {
          name: 'sub',
          path: 'd/sub',
          is_dir: true,
          size_bytes: statSync(join(workspace.root, 'd/sub')).size,
        },
      ],
    });
  });

  it.each([{}, { path: '' }, { path: '.' }, { path: './' }])('lists the root for %j', async (args) => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.call('list', args)).reply).toEqual({
      ok: true,
      path: workspace.root,
      items: [{ name: 'a.txt', path: 'a.txt', is_dir: false, size_bytes: 1 }],
    });
  });

  it('lists an empty directory', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(join(workspace.root, 'empty'));
    const runtime = await workspace.runtime({ dialect: 'coder' });
    const { reply } = await runtime.call('list', { path: 'empty' });
    expect(reply).toEqual({ ok: true, path: join(workspace.root, 'empty'), items: [] });
  });

  it('follows a link to a directory inside the workspace only', async () => {
    await using workspace = tempWorkspace({ 'real/file': '' });
    symlinkSync('real', join(workspace.root, 'inside'));
    symlinkSync(workspace.outside, join(workspace.root, 'outside'));
    symlinkSync('nowhere', join(workspace.root, 'dangling'));
    symlinkSync('loop', join(workspace.root, 'loop'));
    const runtime = await workspace.runtime({ dialect: 'coder' });
    const { reply } = await runtime.call('list', {});
    const { items } = reply as { items: { name: string; is_dir: boolean }[] };
    expect(items.map(({ name, is_dir }) => [name, is_dir])).toEqual([
      ['dangling', false],
      ['inside', true],
      ['loop', false],
      ['outside', false],
      ['real', true],
    ]);
    expect((await runtime.call('list', { path: 'inside' })).result.payload).toEqual({
      path: 'inside',
      entries: [
        {
          name: 'file',
          path: 'inside/file',
          kind: 'file',
          isDirectory: false,
          bytes: 0,
          modifiedMs: statSync(join(workspace.root, 'real/file')).mtimeMs,
        },
      ],
      hasMore: false,
      unreadable: 0,
    });
    expect((await runtime.call('list', { path: 'outside' })).reply).toMatchObject({
      ok: false,
      code: 'E_OUTSIDE_WORKSPACE',
    });
  });

  it('tells a file and nothing from a directory', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'x' });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.call('list', { path: 'a.txt' })).reply).toMatchObject({
      ok: false,
      code: 'E_NOT_DIR',
    });
    expect((await runtime.call('list', { path: 'gone' })).reply).toEqual({
      ok: false,
      error: 'There is no "gone".',
      code: 'E_NOT_FOUND',
    });
  });
});
