import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handrail } from '../support/command-line.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';

const TEN_LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n') + '\n';

describe('handrail call', () => {
  it("prints the dialect's reply and exits 0", async () => {
    await using workspace = tempWorkspace({ 'README.md': TEN_LINES });
    const { stdout, exitCode } = await handrail(workspace, [
      'call',
      'read',
      '{"path":"README.md"}',
      '--dialect',
      'coder',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      path: join(workspace.root, 'README.md'),
      content: TEN_LINES.trimEnd(),
      start_line: 1,
      end_line: 10,
      has_more: false,
    });
    expect(exitCode).toBe(0);
  });

  it('gives the last five lines for offset -5', async () => {
    await using workspace = tempWorkspace({ 'README.md': TEN_LINES });
    const { stdout } = await handrail(workspace, ['call', 'read', '{"path":"README.md","offset":-5}']);
    expect(JSON.parse(stdout)).toMatchObject({
      content: 'line 6\nline 7\nline 8\nline 9\nline 10',
      start_line: 6,
      has_more: true,
    });
  });

  it.each([
    [
      'an unknown tool',
      ['raed', '{}'],
      1,
      { code: 'E_NO_TOOL', error: expect.stringMatching(/^unknown tool: .*Did you mean read\?/) },
    ],
    [
      'a wrong type',
      ['read', '{"path":7}'],
      1,
      { code: 'E_INVALID_ARGS', error: expect.stringContaining('"path": expected string, received number') },
    ],
    [
      'an extra field',
      ['read', '{"path":"a","pth":1}'],
      1,
      { code: 'E_INVALID_ARGS', error: expect.stringContaining('no argument "pth"; did you mean "path"?') },
    ],
    [
      'a missing field',
      ['read', '{}'],
      1,
      { code: 'E_INVALID_ARGS', error: expect.stringContaining('"path" is missing') },
    ],
    [
      'a path outside',
      ['read', '{"path":"../out/s.txt"}'],
      1,
      { code: 'E_OUTSIDE_WORKSPACE', error: expect.stringMatching(/^permission: /) },
    ],
    ['a missing file', ['read', '{"path":"nothing"}'], 1, { code: 'E_NOT_FOUND' }],
    [
      'what nobody approved',
      ['write', '{"path":"a","content":""}'],
      3,
      { code: 'E_DENIED', denied: true, reason: expect.stringContaining('--yes') },
    ],
    [
      'what is protected, even with --yes',
      ['write', '{"path":".git/config","content":""}', '--yes'],
      3,
      { code: 'E_POLICY_DENIED' },
    ],
    [
      'writing in read-only mode',
      ['write', '{"path":"a","content":""}', '--yes', '--mode', 'read-only'],
      3,
      { code: 'E_POLICY_DENIED' },
    ],
  ])('answers %s with its own failure', async (_what, args, exitCode, reply) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['call', ...args]);
    expect({ exitCode: ran.exitCode, reply: JSON.parse(ran.stdout), stderr: ran.stderr }).toEqual({
      exitCode,
      reply: expect.objectContaining({ ok: false, ...reply }),
      stderr: '',
    });
  });

  it.each([
    ['malformed JSON', ['call', 'read', '{"path":'], 'not JSON'],
    ['an unknown dialect', ['call', 'read', '{}', '--dialect', 'codr'], 'Did you mean coder'],
    ['an unknown mode', ['call', 'read', '{}', '--mode', 'yolo'], 'read-only, ask'],
    ['an unknown option', ['call', 'read', '{}', '--yess'], '--yes'],
    ['an unknown command', ['cal'], 'call'],
    ['no tool', ['call'], 'tool'],
  ])('answers %s with the usage exit code and a hint', async (_what, args, hint) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, args);
    expect(ran).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(hint) });
  });

  it('writes with --yes, and says what changed', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['call', 'write', '{"path":"a/b.txt","content":"hi\\n"}', '--yes']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: true,
      operation: 'created',
      size: 3,
      additions: 1,
      deletions: 0,
    });
    expect(readFileSync(join(workspace.root, 'a/b.txt'), 'utf8')).toBe('hi\n');
  });

  it('reads arguments from stdin', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'a\n' });
    const ran = await handrail(workspace, ['call', 'read', '-'], '{"path":"a.txt"}');
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, content: 'a' });
  });

  it('refuses stdin that is not UTF-8', async () => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['call', 'read', '-'], Uint8Array.of(0x7b, 0xff, 0x7d));
    expect(ran).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining('not UTF-8') });
  });

  it('takes a whole request from stdin and keeps its id', async () => {
    await using workspace = tempWorkspace({ 'src/auth.js': '// hello\n' });
    const request = {
      tool_call_id: 'call_001',
      name: 'read_file',
      version: '1.0.0',
      args: { path: 'src/auth.js' },
      trace_id: 't1',
      timestamp: 1,
    };
    const ran = await handrail(workspace, ['call', '-', '--dialect', 'codelab'], JSON.stringify(request));
    expect(JSON.parse(ran.stdout)).toEqual({
      type: 'tool_result',
      call_id: 'call_001',
      result: { content: '// hello\n', encoding: 'utf-8', lines_read: 1 },
    });
  });

  it('lets requested_permissions narrow a whole request', async () => {
    await using workspace = tempWorkspace();
    const request = {
      tool_call_id: 'c',
      name: 'write',
      args: { path: 'a', content: '' },
      requested_permissions: ['fs.read'],
    };
    const ran = await handrail(workspace, ['call', '-', '--yes'], JSON.stringify(request));
    expect(ran.exitCode).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      denied: true,
      reason: expect.stringContaining('limited itself to fs.read'),
    });
  });

  it.each([
    [
      '10 MB of arguments',
      () => JSON.stringify({ path: 'a', content: 'x'.repeat(10_000_000) }),
      /larger than 8 MiB/,
    ],
    ['deep nesting', () => `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested deeper/],
    [
      'a prototype name',
      () => '{"path":"a","content":"","__proto__":{"polluted":true}}',
      /no argument "__proto__"/,
    ],
  ])('refuses %s and lives', async (_what, makeJson, message) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['call', 'write', '-', '--yes'], makeJson());
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout)).toEqual({
      ok: false,
      code: 'E_INVALID_ARGS',
      error: expect.stringMatching(message),
    });
  });

  it.each(['.', '/', '/proc/self', 'missing'])(
    'refuses the workspace %s where it can not be one',
    async (folder) => {
      await using workspace = tempWorkspace();
      const target = folder === '.' ? workspace.locations.home : folder;
      const ran = await handrail(workspace, ['call', 'list', '--workspace', target]);
      expect(ran).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining('--workspace') });
    },
  );
});
