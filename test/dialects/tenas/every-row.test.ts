/** Every tool of `tenas` with its limits, failures and questions, through the library, the AI SDK and MCP alike. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTools } from '../../../src/create-runtime.ts';
import { CHANGING } from './fixtures/rows/changing.ts';
import { DOCUMENTS } from './fixtures/rows/documents.ts';
import { READING } from './fixtures/rows/reading.ts';
import type { Row } from './fixtures/rows/row.ts';
import { SHELL } from './fixtures/rows/shell.ts';
import { WEB } from './fixtures/rows/web.ts';
import { type Way, WAYS } from './fixtures/ways.ts';
import { settingsFor, siteOf, worldFiles } from './fixtures/world.ts';

/** In the order in which the calls are made. */
const ROWS: readonly Row[] = [...READING, ...DOCUMENTS, ...CHANGING, ...SHELL, ...WEB];

describe('the catalogue of tenas', () => {
  it('grades every tool, and asks about what writes or destroys', () => {
    expect(
      describeTools('tenas').map(({ name, risk, needsApproval }) => [name, risk, needsApproval]),
    ).toEqual([
      ['time-now', 'read', false],
      ['file-read', 'read', false],
      ['file-read-excel', 'read', false],
      ['file-read-docx', 'read', false],
      ['file-list', 'read', false],
      ['file-search', 'read', false],
      ['file-write', 'write', true],
      ['file-patch', 'write', true],
      ['file-delete', 'destructive', true],
      ['shell-readonly', 'read', false],
      ['shell-write', 'write', true],
      ['shell-destructive', 'destructive', true],
      ['web-fetch', 'read', false],
      ['web-search', 'read', false],
    ]);
  });

  it('has rows for every tool, with data and with a failure', () => {
    const tried = (isFailure: boolean): string[] => [
      ...new Set(ROWS.filter(({ told }) => 'code' in told === isFailure).map(({ tool }) => tool)),
    ];
    const names = describeTools('tenas').map(({ name }) => name);
    expect(tried(false).toSorted()).toEqual(names.toSorted());
    expect(tried(true).toSorted()).toEqual(names.toSorted());
  });
});

describe.each(Object.entries(WAYS))('tenas through %s', (_name, open) => {
  const site = siteOf();
  let way: Way;

  beforeAll(async () => {
    way = await open({ files: worldFiles(), settings: settingsFor(await site), answer: 'yes' });
  });
  afterAll(async () => {
    await way[Symbol.asyncDispose]();
    await (await site)[Symbol.asyncDispose]();
  });

  it.each(ROWS.map((row) => [row.title, row] as const))('%s', async (_title, row: Row) => {
    const before = way.asked;
    const place = { root: way.workspace.root, origin: (await site).origin };
    const args = typeof row.args === 'function' ? row.args(place) : row.args;
    expect(await way.call(row.tool, args)).toMatchObject(row.told);
    expect(way.asked - before).toBe(row.asks === true ? 1 : 0);
    for (const [path, content] of Object.entries(row.after ?? {}))
      expect({ path, content: contentOf(way, path) }).toEqual({ path, content });
  });

  it('tells of a no, and does nothing', async () => {
    await using refusing = await open({ files: { 'a.txt': 'a' }, settings: {}, answer: 'no' });
    const calls: [tool: string, args: object][] = [
      ['file-write', { path: 'b.txt', content: '' }],
      ['file-patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n' }],
      ['file-delete', { path: 'a.txt' }],
      ['shell-write', { command: 'mkdir d' }],
      ['shell-destructive', { command: 'rm a.txt' }],
    ];
    for (const [tool, args] of calls)
      expect(await refusing.call(tool, args)).toMatchObject({ code: 'E_DENIED' });
    expect(refusing.asked).toBe(calls.length);
    expect(['a.txt', 'b.txt', 'd'].map((path) => contentOf(refusing, path))).toEqual(['a', null, null]);
  });
});

function contentOf({ workspace }: Way, path: string): string | null {
  const file = join(workspace.root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
