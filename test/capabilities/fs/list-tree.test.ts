/** `fs.list` of whole trees: what it walks, what it leaves out, and where it ends. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fsList } from '../../../src/capabilities/fs/list.ts';
import { approver } from '../../support/approver.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';
import { whyNotAsNobody } from '../../host/local/fixtures/use-files-in-a-child.ts';
import { operationDialect } from './fixtures/operation-dialect.ts';
import { listAsNobody } from './fixtures/list-in-a-child.ts';

interface Listed {
  readonly entries: readonly { readonly path: string; readonly kind: string }[];
  readonly hasMore: boolean;
  readonly unreadable: number;
  readonly code?: string;
}

const TREE = { path: '.', isRecursive: true, ignore: [], includeHidden: true, maxEntries: 1_000 };

async function list(workspace: TempWorkspace, input: object, options: object = {}): Promise<Listed> {
  const dialects = [operationDialect(fsList)];
  const runtime = await workspace.runtime({
    dialect: 'operation',
    dialects,
    approve: approver('once'),
    ...options,
  });
  return (await runtime.call('operation', { ...TREE, ...input })).reply as Listed;
}

const pathsOf = ({ entries }: Listed): string[] => entries.map(({ path }) => path);

describe('fs.list of a tree', () => {
  it('goes level by level, each sorted', async () => {
    await using workspace = tempWorkspace({ 'b/a': '', 'b/c/d': '', 'a/z': '', 'a/b/c/d': '', z: '' });
    expect(pathsOf(await list(workspace, {}))).toEqual([
      'a',
      'b',
      'z',
      'a/b',
      'a/z',
      'b/a',
      'b/c',
      'a/b/c',
      'b/c/d',
      'a/b/c/d',
    ]);
    expect(pathsOf(await list(workspace, { isRecursive: false }))).toEqual(['a', 'b', 'z']);
    expect(pathsOf(await list(workspace, { path: 'b' }))).toEqual(['b/a', 'b/c', 'b/c/d']);
  });

  it('leaves out what is ignored with all it holds, and shows of the rest what fits', async () => {
    const files = {
      'a.ts': '',
      'a.md': '',
      'd/b.ts': '',
      'd/x/c.ts': '',
      'x/e.ts': '',
      '.h/f.ts': '',
      '.g.ts': '',
    };
    await using workspace = tempWorkspace(files);
    const paths = async (input: object): Promise<string[]> => pathsOf(await list(workspace, input));
    expect(await paths({ pattern: '*.ts', ignore: ['x'] })).toEqual(['.g.ts', 'a.ts', '.h/f.ts', 'd/b.ts']);
    expect(await paths({ pattern: '*.ts', ignore: ['d/x', '.*'] })).toEqual(['a.ts', 'd/b.ts', 'x/e.ts']);
    expect(await paths({ pattern: '*.ts', includeHidden: false, ignore: ['x'] })).toEqual(['a.ts', 'd/b.ts']);
    expect(await paths({ pattern: 'x' })).toEqual(['x', 'd/x']);
    expect(await paths({ pattern: 'd/*' })).toEqual(['d/b.ts', 'd/x']);
    expect(await paths({ path: 'd', pattern: 'x/*', ignore: ['d'] })).toEqual(['d/x/c.ts']);
    expect(await paths({ ignore: ['*'] })).toEqual([]);
  });

  it('ends after so many entries and says so', async () => {
    await using workspace = tempWorkspace({ a: '', b: '', 'd/c': '' });
    const upTo = async (maxEntries: number): Promise<unknown> => {
      const { hasMore, ...listed } = await list(workspace, { maxEntries });
      return [pathsOf({ hasMore, ...listed }).length, hasMore];
    };
    expect(await upTo(3)).toEqual([3, true]);
    expect(await upTo(4)).toEqual([4, false]);
    expect(await upTo(1)).toEqual([1, true]);
  });

  it('shows links as links and does not walk through them', async () => {
    await using workspace = tempWorkspace({ 'd/a': '' });
    symlinkSync('.', join(workspace.root, 'd/loop'));
    symlinkSync(workspace.outside, join(workspace.root, 'leaving'));
    const listed = await list(workspace, {});
    expect(listed.entries.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'd directory',
      'leaving link',
      'd/a file',
      'd/loop link',
    ]);
  });

  it('names no closed place, nor what is in it', async () => {
    await using workspace = tempWorkspace({ '.ssh/id': '', 'd/.ssh/id': '', 'd/denied/x': '', 'd/e': '' });
    const rules = [{ action: 'deny' as const, permission: 'fs.read' as const, path: 'd/denied' }];
    expect(pathsOf(await list(workspace, {}, { rules }))).toEqual(['d', 'd/e']);
  });

  it('fails where the first directory can not be listed', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    expect((await list(workspace, { path: 'gone' })).code).toBe('E_NOT_FOUND');
    expect((await list(workspace, { path: 'a.txt' })).code).toBe('E_NOT_DIR');
    expect((await list(workspace, { ignore: ['{a,b}'.repeat(10)] })).code).toBe('E_INVALID_ARGS');
  });

  it('counts directories below it that can not be read, and goes on', async ({ skip }) => {
    const whyNot = whyNotAsNobody();
    skip(whyNot !== undefined, whyNot);
    await using workspace = tempWorkspace({ 'a/x': '', 'closed/y': '', 'z/w': '' });
    for (const folder of [dirname(workspace.root), workspace.root]) chmodSync(folder, 0o755);
    mkdirSync(join(dirname(workspace.root), 'nobody'));
    chmodSync(join(dirname(workspace.root), 'nobody'), 0o777);
    chmodSync(join(workspace.root, 'closed'), 0o700);
    expect(await listAsNobody(workspace)).toEqual({
      paths: ['a', 'closed', 'z', 'a/x', 'z/w'],
      unreadable: 1,
    });
  });
});
