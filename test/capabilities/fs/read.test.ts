/** `fs.read` as the tools present it: which lines a page has, and what it says about the others. */
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../../support/temp-workspace.ts';

interface ReadArguments {
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Lines `line <first>` to `line <last>`. */
function numbered(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`);
}

/** Reads `f.txt`; an absolute path in the reply is given from the root on. */
async function read(
  content: string | Uint8Array,
  args: ReadArguments = {},
  dialect = 'coder',
): Promise<unknown> {
  await using workspace = tempWorkspace();
  workspace.write('f.txt', content);
  const runtime = await workspace.runtime({ dialect });
  const { reply } = await runtime.call('read', { path: 'f.txt', ...args });
  return JSON.parse(JSON.stringify(reply).replace(workspace.root, ''));
}

const NOTHING = { ok: true, path: '/f.txt', content: '', start_line: 0, end_line: 0, has_more: false };

function page(first: number, last: number, hasMore: boolean): unknown {
  return {
    ok: true,
    path: '/f.txt',
    content: numbered(first, last).join('\n'),
    start_line: first,
    end_line: last,
    has_more: hasMore,
  };
}

const THREE_HUNDRED = `${numbered(1, 300).join('\n')}\n`;

describe('fs.read from the start', () => {
  it.each([
    ['no arguments', {}],
    ['offset 0', { offset: 0 }],
    ['limit 0', { limit: 0 }],
    ['a negative limit', { limit: -5 }],
  ])('gives 50 lines from line 1 with %s', async (_, args) => {
    expect(await read(THREE_HUNDRED, args)).toEqual(page(1, 50, true));
  });

  it('starts at the offset, counted from 1', async () => {
    expect(await read(THREE_HUNDRED, { offset: 101, limit: 3 })).toEqual(page(101, 103, true));
  });

  it('gives at most 200 lines a call', async () => {
    expect(await read(THREE_HUNDRED, { limit: 100_000 })).toEqual(page(1, 200, true));
  });

  it('has no more behind the last line', async () => {
    expect(await read(THREE_HUNDRED, { offset: 251, limit: 50 })).toEqual(page(251, 300, false));
    expect(await read(THREE_HUNDRED, { offset: 251, limit: 49 })).toEqual(page(251, 299, true));
  });

  it.each([301, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'gives nothing, without a failure, at offset %d beyond the end',
    async (offset) => {
      expect(await read(THREE_HUNDRED, { offset })).toEqual(NOTHING);
    },
  );

  it('gives nothing of an empty file', async () => {
    expect(await read('')).toEqual(NOTHING);
  });

  it('reads a last line without a newline like any other', async () => {
    expect(await read('line 1\nline 2')).toEqual(page(1, 2, false));
  });

  it('counts an empty line, but none behind the last newline', async () => {
    expect(await read('\n\n')).toEqual({
      ok: true,
      path: '/f.txt',
      content: '\n',
      start_line: 1,
      end_line: 2,
      has_more: false,
    });
  });
});

describe('fs.read from the end', () => {
  it('gives the last -offset lines without a limit', async () => {
    expect(await read(THREE_HUNDRED, { offset: -3 })).toEqual(page(298, 300, true));
  });

  it('gives the last limit lines with one, whatever the offset', async () => {
    expect(await read(THREE_HUNDRED, { offset: -1, limit: 10 })).toEqual(page(291, 300, true));
    expect(await read(THREE_HUNDRED, { offset: -100, limit: 2 })).toEqual(page(299, 300, true));
  });

  it('gives at most 200 lines', async () => {
    expect(await read(THREE_HUNDRED, { offset: -300 })).toEqual(page(101, 300, true));
    expect(await read(THREE_HUNDRED, { offset: -1, limit: 5_000 })).toEqual(page(101, 300, true));
  });

  it('has more only where earlier lines exist', async () => {
    expect(await read('line 1\nline 2\n', { offset: -2 })).toEqual(page(1, 2, false));
    expect(await read('line 1\nline 2\n', { offset: -200 })).toEqual(page(1, 2, false));
    expect(await read('line 1\nline 2', { offset: -1 })).toEqual(page(2, 2, true));
  });

  it('gives nothing of an empty file', async () => {
    expect(await read('', { offset: -5 })).toEqual(NOTHING);
  });
});

describe('fs.read in larger pages', () => {
  it('gives 2,000 lines in the dialect handrail', async () => {
    const text = numbered(1, 2_001).join('\n');
    expect(await read(text, {}, 'handrail')).toEqual(page(1, 2_000, true));
    expect(await read(text, { offset: -9_000 }, 'handrail')).toEqual(page(2, 2_001, true));
  });

  it('ends a page before the line that would go beyond 50 KB there', async () => {
    const line = 'x'.repeat(1_023);
    const text = `${line}\n`.repeat(60);
    expect(await read(text, {}, 'handrail')).toEqual({
      ok: true,
      path: '/f.txt',
      content: Array.from({ length: 50 }, () => line).join('\n'),
      start_line: 1,
      end_line: 50,
      has_more: true,
    });
  });
});

describe('fs.read of what is no text file', () => {
  it('says that nothing is there', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect: 'coder' });
    const { reply, outcome } = await runtime.call('read', { path: 'gone.txt' });
    expect({ reply, outcome }).toEqual({
      reply: { ok: false, error: 'There is no "gone.txt".', code: 'E_NOT_FOUND' },
      outcome: 'failed',
    });
  });

  it('says that a directory is one', async () => {
    await using workspace = tempWorkspace({ 'folder/file': '' });
    const runtime = await workspace.runtime({ dialect: 'coder' });
    expect((await runtime.call('read', { path: 'folder' })).reply).toEqual({
      ok: false,
      error: '"folder" is a directory. List it instead.',
      code: 'E_NOT_FILE',
    });
  });

  it.each([
    ['a NUL byte', Buffer.from('text\0more\n')],
    ['a byte that UTF-8 never has', Buffer.from([0x61, 0xff, 0x0a])],
    ['a continuation byte alone', Buffer.from([0x61, 0x80, 0x0a])],
    ['half a character at the end', Buffer.from([0x61, 0xe2, 0x82])],
    ['an overlong encoding', Buffer.from([0xc0, 0xaf, 0x0a])],
    ['an encoded surrogate', Buffer.from([0xed, 0xa0, 0x80, 0x0a])],
    ['UTF-16 little-endian with a BOM', Buffer.from('\ufefftext\n', 'utf16le')],
    ['UTF-16 little-endian without one', Buffer.from('text\n', 'utf16le')],
    ['UTF-16 big-endian with a BOM', Buffer.from('\ufefftext\n', 'utf16le').swap16()],
  ])('refuses %s with E_ENCODING', async (_, content) => {
    expect(await read(content)).toMatchObject({ ok: false, code: 'E_ENCODING' });
  });
});
