/** Pages of lines straight from files: exact text, borders of chunks, long lines. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Page, type PageRequest, readPage } from '../../../src/capabilities/fs/lines.ts';
import { localHost } from '../../../src/host/local/host.ts';
import { type TempWorkspace, tempWorkspace } from '../../support/temp-workspace.ts';

const CHUNK_BYTES = 256 * 1024;
const NEVER = new AbortController().signal;
const ALL = {
  from: { line: 1 },
  maxLines: 1_000_000,
  maxBytes: 1e9,
  maxLineCharacters: 1e7,
} satisfies PageRequest;

async function pageOf(
  workspace: TempWorkspace,
  content: string | Uint8Array,
  request: Partial<PageRequest> = {},
): Promise<Page> {
  workspace.write('f.txt', content);
  const { host } = localHost(workspace.root, workspace.locations.home);
  await using file = await host.files.open('f.txt');
  return await readPage(file, 'f.txt', { ...ALL, ...request }, NEVER);
}

/** What the lines of a text are, said differently than the code says it. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '\n', '\n', '\r\n', '\r', 'é', '€', '😀', '\ufeff', ' '),
  maxLength: 60,
});

describe('readPage over any text', () => {
  it('gives every line once when the pages are read one after the other', async () => {
    await using workspace = tempWorkspace();
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (content, maxLines) => {
        const read: string[] = [];
        for (let line = 1, hasLater = true; hasLater; line += maxLines) {
          const page = await pageOf(workspace, content, { from: { line }, maxLines });
          hasLater = page.hasLater;
          read.push(...page.lines);
        }
        expect(read).toEqual(linesOf(content));
      }),
    );
  });

  it('gives the last lines with their numbers', async () => {
    await using workspace = tempWorkspace();
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (content, maxLines) => {
        const all = linesOf(content);
        const lines = all.slice(-maxLines);
        expect(await pageOf(workspace, content, { from: { last: true }, maxLines })).toEqual({
          lines,
          startLine: lines.length === 0 ? 0 : all.length - lines.length + 1,
          endLine: all.length,
          hasEarlier: all.length > lines.length,
          hasLater: false,
          cutLines: 0,
        });
      }),
    );
  });

  it('ends a page before the line that goes beyond the bytes, but always gives one', async () => {
    await using workspace = tempWorkspace();
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (content, maxBytes) => {
        const all = linesOf(content);
        const ends = all.map((_, index) => Buffer.byteLength(all.slice(0, index + 1).join('\n')) + 1);
        const fitting = ends.filter((end) => end <= maxBytes).length;
        const { lines, hasLater } = await pageOf(workspace, content, { maxBytes });
        expect(lines).toEqual(all.slice(0, Math.max(1, fitting)));
        expect(hasLater).toBe(lines.length < all.length);
      }),
    );
  });
});

describe('readPage at the borders of chunks', () => {
  it.each(['é', '€', '😀'])(
    'keeps a %s whole that lies across a border, wherever it is cut',
    async (character) => {
      await using workspace = tempWorkspace();
      for (let before = 1; before < Buffer.byteLength(character); before++) {
        const first = 'x'.repeat(CHUNK_BYTES - before) + character.repeat(3);
        const page = await pageOf(workspace, `${first}\nsecond ${character}\n`);
        expect(page.lines).toEqual([first, `second ${character}`]);
      }
    },
  );

  it.each([-2, -1, 0, 1, 2])(
    'counts lines right where a line starts %d bytes from a border',
    async (shift) => {
      await using workspace = tempWorkspace();
      const first = 'x'.repeat(CHUNK_BYTES + shift - 1);
      const content = `${first}\nsecond\nthird\n`;
      expect((await pageOf(workspace, content)).lines).toEqual([first, 'second', 'third']);
      expect((await pageOf(workspace, content, { from: { line: 2 }, maxLines: 1 })).lines).toEqual([
        'second',
      ]);
      expect(await pageOf(workspace, content, { from: { last: true }, maxLines: 2 })).toMatchObject({
        lines: ['second', 'third'],
        startLine: 2,
      });
    },
  );

  it('starts no line behind a newline that is the last byte of a chunk and of the file', async () => {
    await using workspace = tempWorkspace();
    const page = await pageOf(workspace, `${'x'.repeat(CHUNK_BYTES - 1)}\n`);
    expect(page).toMatchObject({ startLine: 1, endLine: 1, hasLater: false });
  });

  it('reads pages that begin in a later chunk', async () => {
    await using workspace = tempWorkspace();
    const all = Array.from({ length: 60_000 }, (_, index) => `${index + 1} € 😀`);
    const page = await pageOf(workspace, all.join('\n'), { from: { line: 40_001 }, maxLines: 15_000 });
    expect(page).toEqual({
      lines: all.slice(40_000, 55_000),
      startLine: 40_001,
      endLine: 55_000,
      hasEarlier: true,
      hasLater: true,
      cutLines: 0,
    });
  });
});

describe('readPage of long lines', () => {
  const LONG = { maxLineCharacters: 2_000 };

  it('cuts one line of 5 MB, says so, and goes on with the next', async () => {
    await using workspace = tempWorkspace();
    const page = await pageOf(workspace, `${'x'.repeat(5 * 1024 * 1024)}\nnext\n`, LONG);
    expect(page).toEqual({
      lines: [`${'x'.repeat(2_000)} [line cut here]`, 'next'],
      startLine: 1,
      endLine: 2,
      hasEarlier: false,
      hasLater: false,
      cutLines: 1,
    });
  });

  it('leaves a line of exactly the limit whole', async () => {
    await using workspace = tempWorkspace();
    const line = '€'.repeat(2_000);
    const page = await pageOf(workspace, `${line}\r\n${line}x\n`, LONG);
    expect(page).toMatchObject({ lines: [line, `${line} [line cut here]`], cutLines: 1 });
  });

  it.each(['é', '€', '😀'])('never takes half a %s for another encoding when it cuts', async (character) => {
    await using workspace = tempWorkspace();
    for (const lead of ['', 'x', 'xx', 'xxx']) {
      const page = await pageOf(workspace, lead + character.repeat(5_000), LONG);
      expect(page.cutLines).toBe(1);
    }
  });
});

describe('readPage of line endings and BOM', () => {
  it('leaves CRLF out of the lines and a CR inside a line in', async () => {
    await using workspace = tempWorkspace();
    expect((await pageOf(workspace, 'one\r\ntw\ro\r\n\r\n')).lines).toEqual(['one', 'tw\ro', '']);
  });

  it('shows a BOM, since it is there', async () => {
    await using workspace = tempWorkspace();
    expect((await pageOf(workspace, '\ufeffone\n')).lines).toEqual(['\ufeffone']);
  });

  it('stops where the signal says so', async () => {
    await using workspace = tempWorkspace({ 'f.txt': 'one\n' });
    const { host } = localHost(workspace.root, workspace.locations.home);
    await using file = await host.files.open('f.txt');
    const reason = new Error('enough');
    await expect(readPage(file, 'f.txt', ALL, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
