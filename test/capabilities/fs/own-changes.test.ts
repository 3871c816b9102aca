/** What a session did itself is no change behind its back; what others did is one, however they did it. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';

describe('the stale guard', () => {
  it.each([
    ['deleted', [['delete', { path: 'd/a.txt' }]]],
    ['deleted with its directory', [['delete', { path: 'd' }]]],
    ['moved away', [['move', { from: 'd/a.txt', to: 'b.txt' }]]],
    ['moved away with its directory', [['move', { from: 'd', to: 'e' }]]],
    [
      'deleted and put another file there',
      [
        ['delete', { path: 'd/a.txt' }],
        ['move', { from: 'c.txt', to: 'd/a.txt' }],
      ],
    ],
  ] as const)('lets a session write a file again that it read and %s', async (_, steps) => {
    await using workspace = tempWorkspace({ 'd/a.txt': 'one\n', 'c.txt': 'other\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await runtime.call('read', { path: 'd/a.txt' });
    for (const [tool, args] of steps) expect((await runtime.call(tool, args)).outcome).toBe('ok');
    expect((await runtime.call('write', { path: 'd/a.txt', content: 'mine\n' })).reply).toMatchObject({
      ok: true,
    });
  });

  it('lets a session write a file that it missed and then moved there itself', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const runtime = await workspace.runtime({ mode: 'auto' });
    await runtime.call('read', { path: 'b.txt' });
    await runtime.call('move', { from: 'a.txt', to: 'b.txt' });
    expect((await runtime.call('write', { path: 'b.txt', content: 'mine\n' })).reply).toMatchObject({
      ok: true,
    });
  });

  it('notices another content of the same size with the old time put back', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'one\n' });
    const file = join(workspace.root, 'a.txt');
    utimesSync(file, 1_000, 1_000);
    const runtime = await workspace.runtime({ mode: 'auto' });
    await runtime.call('read', { path: 'a.txt' });
    writeFileSync(file, 'two\n');
    utimesSync(file, 1_000, 1_000);
    expect((await runtime.call('write', { path: 'a.txt', content: 'mine\n' })).reply).toMatchObject({
      ok: false,
      code: 'E_CONFLICT',
    });
  });
});
