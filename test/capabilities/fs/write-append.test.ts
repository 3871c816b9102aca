/** `fs.write` that adds to a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../../support/approver.ts';
import { tempWorkspace } from '../../support/temp-workspace.ts';

const FOUR_MEGABYTES = 4 * 1024 * 1024;

interface Appended {
  readonly payload: unknown;
  readonly code: string | undefined;
  readonly file: string;
}

async function append(before: string | Uint8Array | undefined, content: string): Promise<Appended> {
  await using workspace = tempWorkspace();
  if (before !== undefined) workspace.write('f.txt', before);
  const runtime = await workspace.runtime({ dialect: 'tenas', approve: approver('once') });
  const { result } = await runtime.call('file-write', { path: 'f.txt', content, mode: 'append' });
  const file = readFileSync(join(workspace.root, 'f.txt'), 'latin1');
  return { payload: result.payload, code: result.error?.code, file: Buffer.from(file, 'latin1').toString() };
}

describe('fs.write in mode append', () => {
  it('adds to what is there and says what was added', async () => {
    expect(await append('one\n', 'two\n')).toEqual({
      payload: {
        path: 'f.txt',
        operation: 'updated',
        mode: 'append',
        bytes: 8,
        additions: 1,
        deletions: 0,
        diff: '--- a/f.txt\n+++ b/f.txt\n@@ -1 +1,2 @@\n one\n+two\n',
      },
      code: undefined,
      file: 'one\ntwo\n',
    });
  });

  it.each([
    ['makes a file', undefined, 'one\r\n', 'one\r\n'],
    ['fills an empty one', '', 'one\n', 'one\n'],
    ['puts no newline in between', 'one', 'two', 'onetwo'],
    ['keeps the line endings of the file', 'one\r\n', 'two\nthree\n', 'one\r\ntwo\r\nthree\r\n'],
    ['keeps LF too', 'one\n', 'two\r\n', 'one\ntwo\n'],
    ['adds no second BOM', '\ufeffone\n', 'two\n', '\ufeffone\ntwo\n'],
    ['changes nothing for an empty text', 'one\n', '', 'one\n'],
  ])('%s', async (_, before, content, after) => {
    const { file, code } = await append(before, content);
    expect([file, code]).toEqual([after, undefined]);
  });

  it.each([
    ['binary data', Buffer.from('a\0b'), 'E_UNSUPPORTED'],
    ['what is no UTF-8', Buffer.from([0x61, 0xff]), 'E_UNSUPPORTED'],
    ['over 4 MiB', 'x'.repeat(FOUR_MEGABYTES + 1), 'E_UNSUPPORTED'],
  ])('adds nothing to %s', async (_, before, code) => {
    const appended = await append(before, 'more');
    expect(appended.code).toBe(code);
    expect(appended.file).toBe(Buffer.from(before).toString());
  });

  it('counts the whole file against the limit', async () => {
    const before = 'x'.repeat(FOUR_MEGABYTES);
    const { code } = await append(before, 'y'.repeat(FOUR_MEGABYTES + 1));
    expect(code).toBe('E_TOO_LARGE');
    expect((await append(before, 'y'.repeat(FOUR_MEGABYTES))).code).toBeUndefined();
  });

  it('can be undone', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\n' });
    const runtime = await workspace.runtime({ dialect: 'tenas', approve: approver('once') });
    await runtime.call('file-write', { path: 'f.txt', content: 'two\n', mode: 'append' });
    await runtime.undo();
    expect(readFileSync(join(workspace.root, 'f.txt'), 'utf8')).toBe('one\n');
  });
});
