/** The file tools of `coder`: pages, whole writes, one level of a directory. */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbered, speak } from '../fixtures/speak.ts';

const LINES = numbered(300).split('\n');

interface Paging {
  readonly why: string;
  readonly args: object;
  readonly lines: readonly [number, number];
  readonly hasMore: boolean;
}

const PAGES: readonly Paging[] = [
  { why: 'starts at line 1 and gives 50 lines', args: {}, lines: [1, 50], hasMore: true },
  { why: 'takes offset 0 for line 1', args: { offset: 0 }, lines: [1, 50], hasMore: true },
  { why: 'takes limit 0 for 50 lines', args: { limit: 0 }, lines: [1, 50], hasMore: true },
  { why: 'takes a negative limit for 50 lines', args: { limit: -7 }, lines: [1, 50], hasMore: true },
  { why: 'gives 200 lines at most', args: { limit: 1_000 }, lines: [1, 200], hasMore: true },
  { why: 'counts offsets from 1', args: { offset: 299, limit: 1 }, lines: [299, 299], hasMore: true },
  {
    why: 'says that nothing follows the last line',
    args: { offset: 300 },
    lines: [300, 300],
    hasMore: false,
  },
  { why: 'gives the last -offset lines', args: { offset: -3 }, lines: [298, 300], hasMore: true },
  { why: 'gives 200 of the last lines at most', args: { offset: -250 }, lines: [101, 300], hasMore: true },
  { why: 'gives the last limit lines', args: { offset: -1, limit: 5 }, lines: [296, 300], hasMore: true },
  {
    why: 'caps the limit at the end too',
    args: { offset: -1, limit: 900 },
    lines: [101, 300],
    hasMore: true,
  },
  {
    why: 'ignores a limit of 0 at the end',
    args: { offset: -2, limit: 0 },
    lines: [299, 300],
    hasMore: true,
  },
];

describe('coder read', () => {
  it.each(PAGES)('$why', async ({ args, lines: [first, last], hasMore }) => {
    await using coder = await speak('coder', { 'a.txt': LINES.join('\n') });
    expect(await coder.reply('read', { path: 'a.txt', ...args })).toEqual({
      ok: true,
      path: join(coder.workspace.root, 'a.txt'),
      content: LINES.slice(first - 1, last).join('\n'),
      start_line: first,
      end_line: last,
      has_more: hasMore,
    });
  });

  it('says in tail mode that no earlier lines exist where all were given', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\ntwo\n' });
    expect(await coder.reply('read', { path: 'a.txt', offset: -2 })).toMatchObject({
      content: 'one\ntwo',
      start_line: 1,
      has_more: false,
    });
  });

  it.each([
    ['behind the end', 'one\n', { offset: 5 }],
    ['of an empty file', '', {}],
    ['of the end of an empty file', '', { offset: -5 }],
  ])('gives an empty page %s, and that is no failure', async (_, content, args) => {
    await using coder = await speak('coder', { 'a.txt': content });
    expect(await coder.reply('read', { path: 'a.txt', ...args })).toEqual({
      ok: true,
      path: join(coder.workspace.root, 'a.txt'),
      content: '',
      start_line: 0,
      end_line: 0,
      has_more: false,
    });
  });

  it('joins lines by newlines, whatever ended them in the file', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\r\ntwo\r\n' });
    expect(await coder.reply('read', { path: 'a.txt' })).toMatchObject({ content: 'one\ntwo', end_line: 2 });
  });

  it('reads a line of any length, cuts it in the answer and says so', async () => {
    await using coder = await speak('coder', { 'a.txt': `${'x'.repeat(300_000)}\nshort` });
    expect(await coder.reply('read', { path: 'a.txt' })).toEqual({
      ok: true,
      path: join(coder.workspace.root, 'a.txt'),
      content: `${'x'.repeat(2_000)} [line cut here]\nshort`,
      start_line: 1,
      end_line: 2,
      has_more: false,
      cut_lines: 1,
    });
  });

  it('takes an absolute path inside the workspace', async () => {
    await using coder = await speak('coder', { 'd/a.txt': 'one' });
    const path = join(coder.workspace.root, 'd/a.txt');
    expect(await coder.reply('read', { path })).toMatchObject({ ok: true, path, content: 'one' });
  });

  it.each(['../out/s.txt', '/etc/passwd', 'd/../../out/s.txt', 'leaving'])(
    'answers %s, which leads out, with a permission error',
    async (path) => {
      await using coder = await speak('coder', { 'd/a.txt': 'one' });
      symlinkSync(join(coder.workspace.outside, 's.txt'), join(coder.workspace.root, 'leaving'));
      expect(await coder.reply('read', { path })).toEqual({
        ok: false,
        error: expect.stringMatching(/^permission: The path .* leads outside the workspace/) as string,
        code: 'E_OUTSIDE_WORKSPACE',
      });
    },
  );
});

describe('coder write', () => {
  it('creates missing directories, gives the size in bytes and an absolute path', async () => {
    await using coder = await speak('coder');
    expect(await coder.reply('write', { path: 'd/e/a.txt', content: '€\n' })).toEqual({
      ok: true,
      path: join(coder.workspace.root, 'd/e/a.txt'),
      operation: 'created',
      size: 4,
      additions: 1,
      deletions: 0,
      diff: '--- /dev/null\n+++ b/d/e/a.txt\n@@ -0,0 +1 @@\n+€\n',
    });
  });

  it('calls a file unchanged where only line endings would differ', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\r\ntwo\r\n' });
    expect(await coder.reply('write', { path: 'a.txt', content: 'one\ntwo\n' })).toMatchObject({
      operation: 'unchanged',
      additions: 0,
      deletions: 0,
      diff: '',
    });
  });

  it('cuts a diff behind 80 lines and says so', async () => {
    await using coder = await speak('coder');
    const reply = (await coder.reply('write', { path: 'a.txt', content: numbered(100) })) as { diff: string };
    expect(reply).toMatchObject({ additions: 100, diff_truncated: true });
    expect(reply.diff.split('\n')).toHaveLength(81);
    expect(reply.diff.endsWith('\n+line 77\n... (diff truncated)')).toBe(true);
  });

  it('is asked about with its diff in mode ask, and refused by a person as a result', async () => {
    await using coder = await speak('coder', { 'a.txt': 'one\n' });
    await coder.reply('write', { path: 'a.txt', content: 'two\n' });
    expect(coder.asked.map(({ tool, preview, scope }) => ({ tool, preview, scope }))).toEqual([
      {
        tool: 'write',
        preview: { kind: 'diff', text: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n' },
        scope: 'workspace',
      },
    ]);
    await using denied = await speak(
      'coder',
      {},
      { approve: async () => ({ answer: 'deny', reason: 'No.' }) },
    );
    expect(await denied.reply('write', { path: 'a.txt', content: '' })).toMatchObject({
      ok: false,
      denied: true,
      code: 'E_DENIED',
      reason: expect.stringContaining('No.') as string,
    });
  });

  it.each([
    { mode: 'auto' as const },
    { rules: [{ action: 'allow' as const, permission: 'fs.write' as const }] },
  ])('has no floor: nobody is asked with %j', async (options) => {
    await using coder = await speak('coder', {}, options);
    expect(await coder.reply('write', { path: 'a.txt', content: 'one\n' })).toMatchObject({ ok: true });
    expect(coder.asked).toEqual([]);
    expect(readFileSync(join(coder.workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
  });
});

describe('coder list', () => {
  it.each([{}, { path: '' }, { path: '.' }])(
    'lists the root for %j, sorted, hidden names too',
    async (args) => {
      await using coder = await speak('coder', { 'b.txt': '€', 'a.txt': '', '.hidden': 'x' });
      expect(await coder.reply('list', args)).toEqual({
        ok: true,
        path: coder.workspace.root,
        items: [
          { name: '.hidden', path: '.hidden', is_dir: false, size_bytes: 1 },
          { name: 'a.txt', path: 'a.txt', is_dir: false, size_bytes: 0 },
          { name: 'b.txt', path: 'b.txt', is_dir: false, size_bytes: 3 },
        ],
      });
      expect(coder.asked).toEqual([]);
    },
  );
});

describe('coder', () => {
  it('says "unknown tool", and names the nearest one', async () => {
    await using coder = await speak('coder');
    expect(await coder.reply('raed', { path: 'a' })).toEqual({
      ok: false,
      error: 'unknown tool: There is no tool "raed" in the dialect coder. Did you mean read?',
      code: 'E_NO_TOOL',
    });
  });

  it.each([
    ['path', {}],
    ['offset', { path: 'a', offset: 'one' }],
    ['lines', { path: 'a', lines: 3 }],
  ])('names the argument %s that does not fit', async (name, args) => {
    await using coder = await speak('coder');
    expect(await coder.reply('read', args)).toEqual({
      ok: false,
      error: expect.stringMatching(new RegExp(`^args: .*"${name}"`)) as string,
      code: 'E_INVALID_ARGS',
    });
  });

  it('lists its tools, says what would be asked, and runs nothing for that', async () => {
    await using coder = await speak('coder');
    const names = coder.runtime.definitions().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['read', 'write', 'list', 'glob', 'grep']));
    expect(names).not.toContain('mcp_proxy');
    const rehearsed = await coder.runtime.approvalRequest('write', { path: 'a.txt', content: 'one\n' });
    expect(rehearsed.request).toMatchObject({ tool: 'write', args: { path: 'a.txt' } });
    expect((await coder.runtime.approvalRequest('read', { path: 'a.txt' })).decision.action).toBe('allow');
    expect(await coder.reply('list', {})).toMatchObject({ items: [] });
  });
});
