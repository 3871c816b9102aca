/**
 * Every operation through every dialect: one table an operation, one case a dialect, the whole reply compared.
 * A dialect that is forgotten in a table does not compile; an operation or a tool without a case fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/capabilities/index.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { Rule } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { docsTables } from './docs.ts';
import { execTables } from './exec.ts';
import { fsChangingTables } from './fs-changing.ts';
import { fsReadingTables } from './fs-reading.ts';
import { gitTables } from './git.ts';
import { interactTables } from './interact.ts';
import { lspTables } from './lsp.ts';
import { memoryTables } from './memory.ts';
import { outputTables } from './output.ts';
import { patchTables } from './patch.ts';
import { processTables } from './process.ts';
import { cludeError, codelabError } from './replies.ts';
import { searchTables } from './search.ts';
import { taskTables } from './task.ts';
import { skillTables } from './skills.ts';
import { todoTables } from './todo.ts';
import { webTables } from './web.ts';
import { type DialectName, DIALECTS, NOT_PRESENTED, type Table } from './table.ts';

const TABLES: Readonly<Record<string, Table>> = {
  ...docsTables,
  ...execTables,
  ...fsChangingTables,
  ...fsReadingTables,
  ...gitTables,
  ...interactTables,
  ...lspTables,
  ...memoryTables,
  ...outputTables,
  ...patchTables,
  ...processTables,
  ...searchTables,
  ...taskTables,
  ...skillTables,
  ...todoTables,
  ...webTables,
};

const ROWS = Object.entries(TABLES).flatMap(([operation, table]) =>
  DIALECTS.flatMap((dialect) =>
    [table[dialect]].flat().map((presented) => ({ operation, dialect, presented })),
  ),
);
const CASES = ROWS.flatMap(({ presented, ...row }) =>
  presented === NOT_PRESENTED ? [] : [{ ...row, presented }],
);

describe.each(CASES)('$operation in $dialect', ({ operation, dialect, presented }) => {
  it(`replies through ${presented.tool}`, async () => {
    await using workspace = tempWorkspace(presented.files);
    const settings = await presented.settings?.(workspace);
    const runtime = await workspace.runtime({ dialect, approve: approver('once'), ...settings });
    const args = typeof presented.args === 'function' ? await presented.args(runtime) : presented.args;
    const expected = presented.reply(workspace.root);
    const { reply } = await runtime.execute({ tool_call_id: 'c1', name: presented.tool, args });
    expect(reply).toEqual(expected);
    for (const [path, content] of Object.entries(presented.after ?? {})) {
      const file = join(workspace.root, path);
      expect([path, existsSync(file) ? readFileSync(file, 'utf8') : null]).toEqual([path, content]);
    }
    const definition = runtime.definitions().find(({ name }) => name === presented.tool);
    expect(definition?.operation).toBe(operation);
  });
});

interface Answer {
  readonly tool: string;
  readonly args: object;
  readonly reply: unknown;
}

const NOTHING = 'There is no "gone".';
const GONE = { path: 'gone' };
const missing = { ok: false, error: NOTHING, code: 'E_NOT_FOUND' };

/** What every dialect says when a call fails, and when it is denied. */
const FAILED: Readonly<Record<DialectName, Answer>> = {
  handrail: { tool: 'read', args: GONE, reply: missing },
  coder: { tool: 'read', args: GONE, reply: missing },
  tenas: {
    tool: 'file-read',
    args: GONE,
    reply: { ok: false, error: { code: 'E_NOT_FOUND', message: NOTHING } },
  },
  clude: {
    tool: 'read_file',
    args: GONE,
    reply: cludeError({ code: 'E_NOT_FOUND', message: NOTHING, details: { errno: 'ENOENT' } }),
  },
  codelab: {
    tool: 'read_file',
    args: GONE,
    reply: codelabError('FILE_NOT_FOUND', NOTHING, { errno: 'ENOENT' }),
  },
};

const RULE: Rule = { action: 'deny', permission: ['fs.write', 'fs.delete'], reason: 'Frozen.' };
const WRITTEN = { path: 'a', content: '' };
const frozen = { ok: false, denied: true, reason: 'Frozen.', code: 'E_POLICY_DENIED' };

const DENIED: typeof FAILED = {
  handrail: { tool: 'write', args: WRITTEN, reply: frozen },
  coder: { tool: 'write', args: WRITTEN, reply: frozen },
  tenas: {
    tool: 'file-write',
    args: WRITTEN,
    reply: { ok: false, error: { code: 'E_POLICY_DENIED', message: 'Frozen.' } },
  },
  clude: {
    tool: 'delete_file',
    args: { path: 'a' },
    reply: cludeError({ code: 'E_POLICY_DENIED', message: 'Frozen.', details: { rule: 'user#1' } }),
  },
  codelab: {
    tool: 'write_file',
    args: WRITTEN,
    reply: codelabError('PERMISSION_DENIED', 'Frozen.', { rule: 'user#1' }),
  },
};

describe.each(DIALECTS)('the dialect %s', (dialect) => {
  it('says that a call failed, and that one was denied', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ dialect, rules: [RULE] });
    for (const { tool, args, reply } of [FAILED[dialect], DENIED[dialect]])
      expect((await runtime.execute({ tool_call_id: 'c1', name: tool, args })).reply).toEqual(reply);
  });
});

describe('the tables', () => {
  it('know every dialect', () => {
    const declared = new Set(dialects().map(({ name }) => name.split('@')[0]));
    expect(declared).toEqual(new Set(DIALECTS));
  });

  it('know every operation', () => {
    expect(Object.keys(TABLES).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('have a case for every tool of every dialect, its versions included', () => {
    const covered = new Set(CASES.map(({ dialect, presented }) => `${dialect} ${presented.tool}`));
    const tools = dialects().flatMap(({ name, tools }) =>
      [...tools.keys()].map((tool) => `${name.split('@')[0]} ${tool}`),
    );
    expect([...new Set(tools)].filter((tool) => !covered.has(tool))).toEqual([]);
  });

  it.each(ROWS.filter(({ presented }) => presented === NOT_PRESENTED))(
    'are right that $dialect does not present $operation',
    ({ operation, dialect }) => {
      const faces = dialects()
        .filter(({ name }) => name.split('@')[0] === dialect)
        .flatMap(({ tools }) => [...tools.values()]);
      expect(faces.filter((tool) => tool.operation.name === operation).map(({ name }) => name)).toEqual([]);
    },
  );
});
