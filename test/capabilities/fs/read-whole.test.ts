/** `fs.readWhole` as `codelab` presents it: a file to the byte, or the reason why not. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const MAX_BYTES = 1024 * 1024;

async function readFile(content: string | Uint8Array): Promise<unknown> {
  await using workspace = tempWorkspace();
  workspace.write('f.txt', content);
  return replyTo(await workspace.runtime({ dialect: 'codelab' }), 'f.txt');
}

async function replyTo(
  runtime: { execute(request: unknown): Promise<{ reply: unknown }> },
  path: string,
): Promise<unknown> {
  const { reply } = await runtime.execute({ tool_call_id: 'c1', name: 'read_file', args: { path } });
  return reply;
}

function result(content: string): unknown {
  const lines = content.split('\n').length - (content === '' || content.endsWith('\n') ? 1 : 0);
  return { type: 'tool_result', call_id: 'c1', result: { content, encoding: 'utf-8', lines_read: lines } };
}

function error(code: string, message: string, details?: unknown): unknown {
  const parts = details === undefined ? { code, message } : { code, message, details };
  return { type: 'tool_result', call_id: 'c1', error: parts };
}

describe('fs.readWhole', () => {
  it.each([
    ['an empty file', ''],
    ['a text without a final newline', 'one\ntwo'],
    ['mixed line endings', 'one\r\ntwo\nthree\r'],
    ['a BOM', '\ufeffone\n'],
    ['characters of every length', 'aé€😀\n'],
    ['control characters', '\u0001\u001b[31m\u007f\n'],
  ])('gives %s as it is', async (_, content) => {
    expect(await readFile(content)).toEqual(result(content));
  });

  it('gives a file of exactly 1 MB whole, even where JSON makes it six times as large', async () => {
    const content = '\u0001'.repeat(MAX_BYTES);
    expect(await readFile(content)).toEqual(result(content));
  });

  it('refuses a file of one byte more', async () => {
    const message = `"f.txt" has ${MAX_BYTES + 1} bytes, more than the ${MAX_BYTES} that can be read at once.`;
    expect(await readFile('x'.repeat(MAX_BYTES + 1))).toEqual(
      error('FILE_TOO_LARGE', message, { file_size: MAX_BYTES + 1, max_size: MAX_BYTES }),
    );
  });

  it.each([
    ['NUL bytes', Buffer.from('a\0b'), 'it holds NUL bytes, so it is binary or UTF-16'],
    ['invalid UTF-8', Buffer.from([0x61, 0xc3]), 'it is not valid UTF-8'],
    ['UTF-16', Buffer.from('\ufeffab', 'utf16le'), 'it holds NUL bytes, so it is binary or UTF-16'],
  ])('refuses %s', async (_, content, why) => {
    expect(await readFile(content)).toEqual(
      error('ENCODING_ERROR', `"f.txt" can not be read as text: ${why}.`),
    );
  });

  it('says what is in the way: nothing, or a directory', async () => {
    await using workspace = tempWorkspace({ 'folder/file': '' });
    const runtime = await workspace.runtime({ dialect: 'codelab' });
    expect(await replyTo(runtime, 'gone.txt')).toEqual(
      error('FILE_NOT_FOUND', 'There is no "gone.txt".', { errno: 'ENOENT' }),
    );
    expect(await replyTo(runtime, 'folder')).toEqual(
      error('INVALID_PATH', '"folder" is a directory. List it instead.'),
    );
  });
});
