/** What searches and their neighbours get right in detail. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approver } from '../support/approver.ts';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

describe('the stale guard', () => {
  it('sees a change whose author put the time back', async () => {
    await using workspace = tempWorkspace({ a: 'hello one\n' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    const file = join(workspace.root, 'a');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    await runtime.call('read', { path: 'a' });
    // As `cp -p`, `rsync -t`, `tar` and `touch -r` do.
    writeFileSync(file, 'hello two\n');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const { result } = await runtime.call('write', { path: 'a', content: 'mine\n' });
    expect(result.error?.code).toBe('E_CONFLICT');
    expect(readFileSync(file, 'utf8')).toBe('hello two\n');
    expect(statSync(file).size).toBe(10);
  });
});

describe('a line that is a little long', () => {
  it.each([
    ['coder', 'grep', 2_010],
    ['codelab', 'search_in_project', 2_047],
    ['clude', 'grep', 1_300],
    ['clude', 'grep', 2_000],
  ])('is found by %s %s (%i bytes)', async (dialect, tool, length) => {
    await using workspace = tempWorkspace({ a: `needle${'x'.repeat(length - 6)}\n` });
    const runtime = await workspace.runtime({ dialect });
    const args = tool === 'grep' ? { pattern: 'needle' } : { query: 'needle' };
    expect(JSON.stringify((await runtime.call(tool, args)).reply)).toContain('needlexxx');
  });
});

describe('a pattern', () => {
  it.each([
    ['handrail', 'grep', { pattern: 'a\0b' }],
    ['codelab', 'search_in_project', { query: 'a\0b' }],
    ['tenas', 'file-search', { query: 'a\0b' }],
    ['handrail', 'grep', { pattern: 'x'.repeat(10_001) }],
    ['tenas', 'file-search', { query: 'x'.repeat(10_001) }],
  ])('that can not be searched for is no bug (%s %s)', async (dialect, tool, args) => {
    await using workspace = tempWorkspace({ a: '' });
    const runtime = await workspace.runtime({ dialect });
    expect((await runtime.call(tool, args)).result.error?.code).toBe('E_INVALID_ARGS');
  });

  it('of files with half a character hits no file that was never named', async () => {
    await using workspace = tempWorkspace({ 'a\ufffd.txt': 'x\n' });
    const runtime = await workspace.runtime();
    const { reply } = await runtime.call('grep', { pattern: 'x', glob: 'a\ud800.txt' });
    expect(JSON.stringify(reply)).not.toContain('a\ufffd.txt');
  });
});

describe('a preview of clude', () => {
  it('says that it was cut', async () => {
    await using workspace = tempWorkspace({ a: 'x'.repeat(1_000) });
    const runtime = await workspace.runtime({ dialect: 'clude' });
    const { reply } = await runtime.call('grep', { pattern: 'x' });
    expect(JSON.stringify(reply)).toMatch(/cut|"truncated":true/);
  });
});

describe('a new directory', () => {
  it.each(['CON', 'a/nul', 'COM1.d'])('is not called %s, as no file is', async (path) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect((await runtime.call('mkdir', { path })).result.error?.code).toBe('E_INVALID_PATH');
  });
});

describe('the command line', () => {
  it.each([
    ['grep', '{"pattern":"needle"}'],
    ['glob', '{"pattern":"**"}'],
    ['list', '{}'],
  ])('%s sends no control or direction characters to a terminal', async (tool, args) => {
    await using workspace = tempWorkspace({ 'x\u009b2J\u202egnp': 'needle \u009b2J\u202e\n' });
    const { stdout } = await handrail(workspace, ['call', '--', tool, args]);
    expect(stdout).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/);
  });
});
