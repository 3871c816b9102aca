/**
 * Every operation through every dialect: one table an operation, one case a dialect, the whole reply compared.
 * A dialect that is forgotten in a table does not compile; an operation or a tool without a case fails.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/capabilities/index.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const DIALECTS = ['handrail', 'coder', 'codelab'] as const;
type DialectName = (typeof DIALECTS)[number];

const NOT_PRESENTED = 'not presented';

interface Case {
  readonly tool: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args: object | ((runtime: Runtime) => Promise<object>);
  /** The whole reply; `root` is the workspace's. The call's id is `c1`. */
  readonly reply: (root: string) => unknown;
  /** Files afterwards; null where nothing is. */
  readonly after?: Readonly<Record<string, string | null>>;
}

type Table = Readonly<Record<DialectName, Case | typeof NOT_PRESENTED>>;

const codelabResult = (result: unknown): unknown => ({ type: 'tool_result', call_id: 'c1', result });

const deleteFiles = { 'd/a.txt': 'x', 'd/e/b.txt': 'y', 'kept.txt': 'z' };
const deleteAfter = { d: null, 'kept.txt': 'z' };

const fsDelete: Table = {
  handrail: {
    tool: 'delete',
    files: deleteFiles,
    args: { path: 'd' },
    reply: (root) => ({ ok: true, path: `${root}/d`, files: 2 }),
    after: deleteAfter,
  },
  coder: NOT_PRESENTED,
  codelab: {
    tool: 'delete_file',
    files: deleteFiles,
    args: { path: 'd' },
    reply: () => codelabResult({ success: true, files_deleted: 2 }),
    after: deleteAfter,
  },
};

const list: Case = {
  tool: 'list',
  files: { 'd/b.txt': 'four', 'd/a.txt': '', 'd/sub/c.txt': '' },
  args: { path: 'd' },
  reply: (root) => ({
    ok: true,
    path: `${root}/d`,
    items: [
      { name: 'a.txt', path: 'd/a.txt', is_dir: false, size_bytes: 0 },
      { name: 'b.txt', path: 'd/b.txt', is_dir: false, size_bytes: 4 },
      { name: 'sub', path: 'd/sub', is_dir: true, size_bytes: statSync(join(root, 'd/sub')).size },
    ],
  }),
};

const fsList: Table = { handrail: list, coder: list, codelab: NOT_PRESENTED };

const fsMove: Table = {
  handrail: {
    tool: 'move',
    files: { 'd/a.txt': 'x', 'd/e/b.txt': 'y' },
    args: { from: 'd', to: 'moved/here' },
    reply: (root) => ({ ok: true, from: `${root}/d`, to: `${root}/moved/here`, files: 2 }),
    after: { d: null, 'moved/here/a.txt': 'x', 'moved/here/e/b.txt': 'y' },
  },
  coder: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const FIFTY_ONE = Array.from({ length: 51 }, (_, index) => `line ${index + 1}`);

const fsRead: Table = {
  handrail: {
    tool: 'read',
    files: { 'a.txt': FIFTY_ONE.join('\n') },
    args: { path: 'a.txt' },
    reply: (root) => ({
      ok: true,
      path: `${root}/a.txt`,
      content: FIFTY_ONE.join('\n'),
      start_line: 1,
      end_line: 51,
      has_more: false,
    }),
  },
  coder: {
    tool: 'read',
    files: { 'a.txt': FIFTY_ONE.join('\n') },
    args: { path: 'a.txt' },
    reply: (root) => ({
      ok: true,
      path: `${root}/a.txt`,
      content: FIFTY_ONE.slice(0, 50).join('\n'),
      start_line: 1,
      end_line: 50,
      has_more: true,
    }),
  },
  codelab: NOT_PRESENTED,
};

const fsReadWhole: Table = {
  handrail: NOT_PRESENTED,
  coder: NOT_PRESENTED,
  codelab: {
    tool: 'read_file',
    files: { 'a.txt': 'one\r\ntwo' },
    args: { path: 'a.txt' },
    reply: () => codelabResult({ content: 'one\r\ntwo', encoding: 'utf-8' }),
  },
};

const write: Case = {
  tool: 'write',
  files: { 'd/a.txt': 'one\r\n' },
  args: { path: 'd/a.txt', content: 'two\n' },
  reply: (root) => ({
    ok: true,
    path: `${root}/d/a.txt`,
    operation: 'updated',
    size: 5,
    additions: 1,
    deletions: 1,
    diff: '--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1 +1 @@\n-one\r\n+two\r\n',
  }),
  after: { 'd/a.txt': 'two\r\n' },
};

const fsWrite: Table = {
  handrail: write,
  coder: write,
  codelab: {
    tool: 'write_file',
    args: { path: 'd/a.txt', content: 'two\n' },
    reply: () => codelabResult({ success: true, bytes_written: 4 }),
    after: { 'd/a.txt': 'two\n' },
  },
};

const MANY = Array.from({ length: 800 }, (_, index) => `${String(index).padStart(3, '0')}${'x'.repeat(200)}`);

const outputPage: Table = {
  handrail: {
    tool: 'read_output',
    files: Object.fromEntries(MANY.map((name) => [name, ''])),
    args: async (runtime) => {
      const { reply } = await runtime.call('list', {});
      return { output_id: (reply as { output_id: string }).output_id, offset: 798, limit: 1 };
    },
    reply: () => ({
      ok: true,
      part: [expect.objectContaining({ name: MANY[798], path: MANY[798] })],
      offset: 798,
      total: 800,
      has_more: true,
    }),
  },
  coder: NOT_PRESENTED,
  codelab: NOT_PRESENTED,
};

const TABLES: Readonly<Record<string, Table>> = {
  'fs.delete': fsDelete,
  'fs.list': fsList,
  'fs.move': fsMove,
  'fs.read': fsRead,
  'fs.readWhole': fsReadWhole,
  'fs.write': fsWrite,
  'output.page': outputPage,
};

const ROWS = Object.entries(TABLES).flatMap(([operation, table]) =>
  DIALECTS.map((dialect) => ({ operation, dialect, presented: table[dialect] })),
);
const CASES = ROWS.flatMap(({ presented, ...row }) =>
  presented === NOT_PRESENTED ? [] : [{ ...row, presented }],
);

describe.each(CASES)('$operation in $dialect', ({ operation, dialect, presented }) => {
  it(`replies through ${presented.tool}`, async () => {
    await using workspace = tempWorkspace(presented.files);
    const runtime = await workspace.runtime({ dialect, approve: approver('once') });
    const args = typeof presented.args === 'function' ? await presented.args(runtime) : presented.args;
    const expected = presented.reply(workspace.root);
    const { reply } = await runtime.execute({ tool_call_id: 'c1', name: presented.tool, args });
    expect(reply).toEqual(expected);
    for (const [path, content] of Object.entries(presented.after ?? {})) {
      const file = join(workspace.root, path);
      expect([path, existsSync(file) ? readFileSync(file, 'utf8') : null]).toEqual([path, content]);
    }
    expect(runtime.definitions().find(({ name }) => name === presented.tool)?.operation).toBe(operation);
  });
});

/** What every dialect says when a call fails, and when it is denied. */
const FAILED: Readonly<Record<DialectName, { readonly tool: string; readonly reply: unknown }>> = {
  handrail: { tool: 'read', reply: { ok: false, error: 'There is no "gone".', code: 'E_NOT_FOUND' } },
  coder: { tool: 'read', reply: { ok: false, error: 'There is no "gone".', code: 'E_NOT_FOUND' } },
  codelab: {
    tool: 'read_file',
    reply: {
      type: 'tool_result',
      call_id: 'c1',
      error: { code: 'FILE_NOT_FOUND', message: 'There is no "gone".', details: { errno: 'ENOENT' } },
    },
  },
};

const RULE = { action: 'deny', permission: 'fs.write', reason: 'Frozen.' } as const;
const DENIED: typeof FAILED = {
  handrail: { tool: 'write', reply: { ok: false, denied: true, reason: 'Frozen.', code: 'E_POLICY_DENIED' } },
  coder: { tool: 'write', reply: { ok: false, denied: true, reason: 'Frozen.', code: 'E_POLICY_DENIED' } },
  codelab: {
    tool: 'write_file',
    reply: {
      type: 'tool_result',
      call_id: 'c1',
      error: { code: 'PERMISSION_DENIED', message: 'Frozen.', details: { rule: 'user#1' } },
    },
  },
};

describe.each(DIALECTS)('the dialect %s', (dialect) => {
  it('says that a call failed, and that one was denied', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect, rules: [RULE] });
    const replyTo = async (name: string, args: object): Promise<unknown> =>
      (await runtime.execute({ tool_call_id: 'c1', name, args })).reply;
    expect(await replyTo(FAILED[dialect].tool, { path: 'gone' })).toEqual(FAILED[dialect].reply);
    expect(await replyTo(DENIED[dialect].tool, { path: 'a', content: '' })).toEqual(DENIED[dialect].reply);
  });
});

describe('the tables', () => {
  it('know every dialect', () => {
    const declared = new Set(dialects.map(({ name }) => name.split('@')[0]));
    expect(declared).toEqual(new Set(DIALECTS));
  });

  it('know every operation', () => {
    expect(Object.keys(TABLES).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('have a case for every tool of every dialect, its versions included', () => {
    const covered = new Set(CASES.map(({ dialect, presented }) => `${dialect} ${presented.tool}`));
    const tools = dialects.flatMap(({ name, tools }) =>
      [...tools.keys()].map((tool) => `${name.split('@')[0]} ${tool}`),
    );
    expect([...new Set(tools)].filter((tool) => !covered.has(tool))).toEqual([]);
  });

  it.each(ROWS.filter(({ presented }) => presented === NOT_PRESENTED))(
    'are right that $dialect does not present $operation',
    ({ operation, dialect }) => {
      const faces = dialects
        .filter(({ name }) => name.split('@')[0] === dialect)
        .flatMap(({ tools }) => [...tools.values()]);
      expect(faces.filter((tool) => tool.operation.name === operation).map(({ name }) => name)).toEqual([]);
    },
  );
});
