/** `fs.write`: what becomes of the file, and what is said about it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

interface Written {
  readonly reply: Record<string, unknown>;
  readonly changed: readonly string[] | undefined;
  /** The file afterwards; undefined where there is none. */
  readonly file: string | undefined;
}

/** Writes `f.txt` over what was there before; an absolute path in the reply is given from the root on. */
async function write(before: string | undefined, content: string, dialect = 'coder'): Promise<Written> {
  await using workspace = tempWorkspace(before === undefined ? {} : { 'f.txt': before });
  const runtime = await workspace.runtime({ dialect, approve: approver('once') });
  const tool = dialect === 'codelab' ? 'write_file' : 'write';
  const { reply, result } = await runtime.call(tool, { path: 'f.txt', content });
  const file = join(workspace.root, 'f.txt');
  return {
    reply: JSON.parse(JSON.stringify(reply).replace(workspace.root, '')) as Written['reply'],
    changed: result.artifacts?.files_changed,
    file: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
  };
}

describe('fs.write', () => {
  it('creates a file', async () => {
    expect(await write(undefined, 'one\ntwo\n')).toEqual({
      reply: {
        ok: true,
        path: '/f.txt',
        operation: 'created',
        size: 8,
        additions: 2,
        deletions: 0,
        diff: '--- /dev/null\n+++ b/f.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
      },
      changed: ['f.txt'],
      file: 'one\ntwo\n',
    });
  });

  it('replaces a file and says what changed', async () => {
    expect(await write('one\ntwo\nthree\n', 'one\n2\nthree\n€')).toEqual({
      reply: {
        ok: true,
        path: '/f.txt',
        operation: 'updated',
        size: 15,
        additions: 2,
        deletions: 1,
        diff: [
          '--- a/f.txt',
          '+++ b/f.txt',
          '@@ -1,3 +1,4 @@',
          ' one',
          '-two',
          '+2',
          ' three',
          '+€',
          '\\ No newline at end of file',
          '',
        ].join('\n'),
      },
      changed: ['f.txt'],
      file: 'one\n2\nthree\n€',
    });
  });

  it('leaves a file alone that holds the content already', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\n' });
    const file = join(workspace.root, 'f.txt');
    const inode = statSync(file).ino;
    const runtime = await workspace.runtime({ dialect: 'coder', approve: approver('once') });
    const { reply, result } = await runtime.call('write', { path: 'f.txt', content: 'one\n' });
    expect(reply).toEqual({
      ok: true,
      path: file,
      operation: 'unchanged',
      size: 4,
      additions: 0,
      deletions: 0,
      diff: '',
    });
    expect(result.artifacts).toBeUndefined();
    expect(statSync(file).ino).toBe(inode);
  });

  it('makes missing directories', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'coder', approve: approver('once') });
    const { outcome } = await runtime.call('write', { path: 'a/b/c.txt', content: 'deep\n' });
    expect(outcome).toBe('ok');
    expect(readFileSync(join(workspace.root, 'a/b/c.txt'), 'utf8')).toBe('deep\n');
  });

  it('empties a file', async () => {
    expect(await write('one\n', '')).toMatchObject({
      reply: { operation: 'updated', size: 0, additions: 0, deletions: 1 },
      file: '',
    });
  });

  it('replaces a file that is no text', async () => {
    await using workspace = tempWorkspace();
    workspace.write('f.bin', new Uint8Array([0, 1, 2, 255]));
    const runtime = await workspace.runtime({ dialect: 'coder', approve: approver('once') });
    const { reply } = await runtime.call('write', { path: 'f.bin', content: 'text\n' });
    expect(reply).toMatchObject({ ok: true, operation: 'updated', size: 5 });
    expect(readFileSync(join(workspace.root, 'f.bin'), 'utf8')).toBe('text\n');
  });
});

describe('fs.write over a file with a style', () => {
  it('keeps CRLF', async () => {
    const { reply, file } = await write('one\r\ntwo\r\n', 'one\n2\n');
    expect(file).toBe('one\r\n2\r\n');
    expect(reply).toMatchObject({ operation: 'updated', size: 8, additions: 1, deletions: 1 });
    expect(reply['diff']).toBe('--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n');
  });

  it('finds nothing changed where only the line endings of the call differ', async () => {
    expect(await write('one\r\ntwo\r\n', 'one\ntwo\n')).toMatchObject({
      reply: { operation: 'unchanged', size: 10 },
      changed: undefined,
      file: 'one\r\ntwo\r\n',
    });
  });

  it('adds no second CR to content that has CRLF itself', async () => {
    expect((await write('one\r\n', 'two\r\nthree\r\n')).file).toBe('two\r\nthree\r\n');
  });

  it('does not take a file with mixed endings for one with CRLF', async () => {
    expect((await write('one\r\ntwo\n', '1\n2\n')).file).toBe('1\n2\n');
  });

  it('keeps a BOM, once', async () => {
    expect((await write('\ufeffone\n', 'two\n')).file).toBe('\ufefftwo\n');
    expect((await write('\ufeffone\n', '\ufefftwo\n')).file).toBe('\ufefftwo\n');
    expect((await write('\ufeffone\r\n', 'one\n')).reply).toMatchObject({ operation: 'unchanged' });
  });

  it('invents neither for a file that is not there or empty', async () => {
    expect((await write(undefined, 'one\r\ntwo\n')).file).toBe('one\r\ntwo\n');
    expect((await write('', 'one\r\ntwo\n')).file).toBe('one\r\ntwo\n');
  });
});

describe('fs.write refuses', () => {
  it('half a Unicode character, and leaves the file', async () => {
    expect(await write('one\n', 'two \ud83d\n')).toEqual({
      reply: {
        ok: false,
        error: 'The content holds half a Unicode character, which UTF-8 can not carry.',
        code: 'E_ENCODING',
      },
      changed: undefined,
      file: 'one\n',
    });
  });

  it('content over the limit, counted in bytes and with the style it would get', async () => {
    const limit = 1024 * 1024;
    const exact = `${'€'.repeat(Math.floor(limit / 3))}x`;
    expect((await write(undefined, exact, 'codelab')).reply).toMatchObject({
      result: { success: true, bytes_written: limit },
    });
    expect((await write(undefined, `${exact}x`, 'codelab')).reply).toMatchObject({
      error: { code: 'FILE_TOO_LARGE', details: { file_size: limit + 1, max_size: limit } },
    });
    const lines = 'x\n'.repeat(limit / 2);
    expect(await write('crlf\r\n', lines, 'codelab')).toMatchObject({
      reply: { error: { code: 'FILE_TOO_LARGE' } },
      file: 'crlf\r\n',
    });
  });

  it('a directory, and a path below a file', async () => {
    await using workspace = tempWorkspace({ 'folder/file': 'x' });
    const runtime = await workspace.runtime({ dialect: 'coder', approve: approver('once') });
    const { reply } = await runtime.call('write', { path: 'folder', content: '' });
    expect(reply).toMatchObject({ ok: false, code: 'E_NOT_FILE' });
    const below = await runtime.call('write', { path: 'folder/file/more', content: '' });
    expect(below.reply).toMatchObject({ ok: false, code: 'E_NOT_DIR' });
  });
});

describe('fs.write and the human', () => {
  it('shows the diff that is then made', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\r\n' });
    const approve = approver('once');
    const runtime = await workspace.runtime({ dialect: 'coder', approve });
    const { reply } = await runtime.call('write', { path: 'f.txt', content: 'two\n' });
    const text = '--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-one\r\n+two\r\n';
    expect(approve.asked.map(({ preview }) => preview)).toEqual([{ kind: 'diff', text }]);
    expect(reply).toMatchObject({ diff: text });
  });

  it.each([
    ['80 lines', Array.from({ length: 500 }, (_, index) => `${index}\n`).join('')],
    ['8,000 bytes', `${'€'.repeat(50)}\n`.repeat(70)],
  ])('shows at most %s of a diff and says that it is cut', async (_, content) => {
    const { reply } = await write(undefined, content);
    const [mark, ...shown] = (reply['diff'] as string).split('\n').reverse();
    expect({ ...reply, diff: mark }).toEqual({
      ok: true,
      path: '/f.txt',
      operation: 'created',
      size: Buffer.byteLength(content),
      additions: content.split('\n').length - 1,
      deletions: 0,
      diff: '... (diff truncated)',
      diff_truncated: true,
    });
    const kept = shown.reverse();
    expect(kept.length).toBeLessThanOrEqual(80);
    expect(Buffer.byteLength(kept.join('\n'))).toBeLessThanOrEqual(8_000);
    const [, , , ...added] = kept;
    expect(content.startsWith(added.map((line) => line.slice(1)).join('\n'))).toBe(true);
    expect(added.length).toBeGreaterThan(40);
  });
});
