/** What is not in the index: no text, not ours to read, or not in the workspace. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../../support/temp-workspace.ts';
import { indexing } from './fixtures/indexing.ts';

const FOUND = 'const ledger = 1;\n';

describe('the index of code', () => {
  it.each<[what: string, files: Readonly<Record<string, string | Uint8Array>>]>([
    ['what .gitignore names', { '.gitignore': 'built\n*.log\n', 'built/a.ts': FOUND, 'd/b.log': FOUND }],
    [
      'packages and caches',
      { 'node_modules/p/a.ts': FOUND, 'd/__pycache__/b.ts': FOUND, '.venv/c.ts': FOUND },
    ],
    ['the repository', { '.git/config': FOUND, 'd/.git/hooks/a': FOUND }],
    ['binary files', { 'a.bin': Buffer.from(`${FOUND}\0`) }],
    ['text in two bytes a character', { 'a.ts': Buffer.from(`\ufeff${FOUND}`, 'utf16le') }],
    ['huge files', { 'a.ts': FOUND.repeat(70_000) }],
    ['what no person wrote', { 'a.min.js': `var ledger=1;${'x=[1,2,3];'.repeat(5_000)}` }],
  ])('leaves out %s', async (_, files) => {
    await using workspace = tempWorkspace({ ...files, 'own.ts': FOUND });
    await using index = indexing(workspace);
    expect(await index.files('ledger')).toEqual(['own.ts']);
  });

  it('follows no link, and waits for no pipe', async () => {
    await using workspace = tempWorkspace({ 'own.ts': FOUND });
    const { root, outside } = workspace;
    writeFileSync(join(outside, 'o.ts'), FOUND);
    symlinkSync(join(outside, 'o.ts'), join(root, 'file.ts'));
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync('own.ts', join(root, 'inner.ts'));
    execFileSync('mkfifo', [join(root, 'pipe.ts')]);
    await using index = indexing(workspace);
    expect(await index.files('ledger')).toEqual(['own.ts']);
  });

  it('follows no folder that became a link since', async () => {
    await using workspace = tempWorkspace({ 'own.ts': FOUND, 'd/a.ts': FOUND });
    const { root, outside } = workspace;
    await using index = indexing(workspace);
    expect((await index.files('ledger')).sort()).toEqual(['d/a.ts', 'own.ts']);
    writeFileSync(join(outside, 'a.ts'), FOUND);
    execFileSync('mv', [join(root, 'd'), join(root, 'old')]);
    symlinkSync(outside, join(root, 'd'));
    expect((await index.files('ledger')).sort()).toEqual(['old/a.ts', 'own.ts']);
  });

  it('has not a word of what may not be read, and forgets what may no longer be', async () => {
    const secret = 'export const xylophone = "hunter2";\n';
    await using workspace = tempWorkspace({ 'own.ts': FOUND, '.env': secret, 'vault/a.ts': secret });
    await using first = indexing(workspace, { mayIndex: (path) => path !== '.env' });
    expect(await first.files('xylophone')).toEqual(['vault/a.ts']);
    await first[Symbol.asyncDispose]();
    await using second = indexing(workspace, {
      mayIndex: (path) => path !== '.env' && !path.startsWith('vault/'),
    });
    expect(await second.files('xylophone')).toEqual([]);
    await second[Symbol.asyncDispose]();
  });

  it('keeps the words of files, and not their texts', async () => {
    await using workspace = tempWorkspace({ 'own.ts': '// the ledger of all our money\n' });
    await using index = indexing(workspace);
    await index.files('ledger');
    await index[Symbol.asyncDispose]();
    const bytes = readdirSync(dirname(index.file))
      .map((name) => readFileSync(join(dirname(index.file), name), 'latin1'))
      .join('');
    expect([bytes.includes('own.ts'), bytes.includes('the ledger of')]).toEqual([true, false]);
  });

  it('reads odd encodings and names', async () => {
    const names = [
      'with space.ts',
      'quote\'".ts',
      '-dash.ts',
      '日本.ts',
      'per%cent.ts',
      'new\nline.ts',
      '[a]{b}*.ts',
    ];
    await using workspace = tempWorkspace(Object.fromEntries(names.map((name) => [`d [x]/${name}`, FOUND])));
    const { root } = workspace;
    workspace.write('latin.ts', Buffer.from('// caf\xe9 ledger\n', 'latin1'));
    workspace.write('mark.ts', `\ufeff${FOUND}`);
    workspace.write('returns.ts', 'one\r\nconst ledger = 1;\r\n');
    mkdirSync(join(root, 'empty'));
    workspace.write('empty.ts', '');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), FOUND);
    linkSync(join(root, 'mark.ts'), join(root, 'hard.ts'));
    await using index = indexing(workspace);
    const answer = await index.ask('ledger', { limit: 50 });
    const parts = answer.status === 'ready' ? answer.parts : [];
    expect(parts.map(({ path }) => path).sort()).toEqual(
      [...names.map((name) => `d [x]/${name}`), 'latin.ts', 'mark.ts', 'returns.ts', 'hard.ts'].sort(),
    );
    expect(parts.find(({ path }) => path === 'returns.ts')?.text).toBe('one\nconst ledger = 1;');
    expect(parts.find(({ path }) => path === 'mark.ts')?.text).toBe('const ledger = 1;');
    expect(parts.find(({ path }) => path === 'latin.ts')?.text).toBe('// caf\ufffd ledger');
  });
});
