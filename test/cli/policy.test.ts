/** Why a call is allowed, asked or denied, and what a changed policy would have decided. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Difference } from '../../src/journal/replay.ts';
import { environmentOf, handrail, type Ran } from '../support/command-line.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const WRITE = '{"path":"src/a.ts","content":"new\\n"}';
const RULES = [
  { action: 'allow', permission: 'fs.write', path: 'src/' },
  { action: 'deny', permission: '*', path: 'secrets/', reason: 'Ask the operators.' },
];

describe('handrail policy explain', () => {
  it.each([
    ['read', '{"path":"a"}', ['allow (dialect:handrail#1)', '  fs.read  a']],
    ['write', WRITE, ['allow (user#1)', '  fs.read  src/a.ts', '  fs.write  src/a.ts']],
    ['read', '{"path":"secrets/key"}', ['deny (user#2)', '  Ask the operators.', '  fs.read  secrets/key']],
    ['read', '{"path":".env"}', ['ask (defaults#1)', '  The file may hold secrets.', '  fs.read  .env']],
    [
      'write',
      '{"path":".git/config","content":""}',
      [
        'deny (protected)',
        expect.stringContaining("Git's hooks"),
        '  fs.read  .git/config',
        expect.any(String),
      ],
    ],
  ])('says what is decided about %s %s, by which rule of which layer, and why', async (tool, args, lines) => {
    await using workspace = tempWorkspace();
    writeRules(workspace, RULES);
    const { exitCode, stdout } = await handrail(workspace, ['policy', 'explain', tool, args]);
    const printed = stdout.trimEnd().split('\n');
    expect(exitCode).toBe(0);
    expect(printed.filter((line) => !line.startsWith('  "always"'))).toEqual(lines);
    expect(printed.some((line) => line.startsWith('  "always"'))).toBe(printed[0]!.startsWith('ask'));
  });

  it('shows where a link leads', async () => {
    await using workspace = tempWorkspace({ 'secrets/key': '' });
    symlinkSync('secrets/key', join(workspace.root, 'link'));
    writeRules(workspace, RULES);
    const { stdout } = await handrail(workspace, ['policy', 'explain', 'read', '{"path":"link"}']);
    expect(stdout).toBe('deny (user#2)\n  Ask the operators.\n  fs.read  link -> secrets/key\n');
  });

  it('gives the whole question as JSON, and does, asks and records nothing', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n' });
    const args = ['policy', 'explain', 'write', '{"path":"a.txt","content":"new\\n"}', '--json'];
    const { stdout } = await handrail(workspace, args);
    expect(JSON.parse(stdout)).toEqual({
      decision: {
        action: 'ask',
        rule: 'dialect:handrail#2',
        reason: 'fs.write on "a.txt" needs an approval.',
        scope: 'workspace',
      },
      accesses: [
        { permission: 'fs.read', resource: 'a.txt', resolved: 'a.txt' },
        { permission: 'fs.write', resource: 'a.txt', resolved: 'a.txt' },
      ],
      request: expect.objectContaining({ tool: 'write', preview: expect.objectContaining({ kind: 'diff' }) }),
    });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect((await handrail(workspace, ['approvals', 'list', '--json'])).stdout).toBe('[]\n');
    expect((await handrail(workspace, ['audit', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it.each([
    ['a tool that is not there', ['wriet', '{}'], 1, 'Did you mean write'],
    ['arguments that do not fit', ['write', '{"path":7}'], 2, '"path"'],
    ['arguments that are no JSON', ['write', '{'], 2, 'not JSON'],
    ['a path outside', ['read', '{"path":"../out/s.txt"}'], 1, 'outside'],
  ])('fails for %s', async (_, args, exitCode, hint) => {
    await using workspace = tempWorkspace();
    const ran = await handrail(workspace, ['policy', 'explain', ...args]);
    expect(ran).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(hint) });
  });
});

describe('handrail policy test', () => {
  it('counts the rules of each layer and the examples that hold', async () => {
    await using workspace = tempWorkspace();
    writeRules(workspace, [
      { ...RULES[0], match: ['src/a.ts', 'src/b/c.ts'], notMatch: ['test/a.ts'] },
      { ...RULES[1], match: ['secrets/key'] },
    ]);
    const { exitCode, stdout } = await handrail(workspace, ['policy', 'test']);
    expect({ exitCode, lines: stdout.trimEnd().split('\n') }).toEqual({
      exitCode: 0,
      lines: [
        'LAYER     RULES',
        expect.stringMatching(/^defaults +\d+$/),
        'user      2',
        'project   0',
        '4 examples hold.',
      ],
    });
  });

  it.each([
    ['should match, but does not', { ...RULES[0], match: ['src/a.ts', 'lib/a.ts'] }, '"lib/a.ts"'],
    ['should not match, but does', { ...RULES[0], notMatch: ['src/secret.ts'] }, '"src/secret.ts"'],
  ])('stops every start on an example that %s', async (problem, rule, example) => {
    await using workspace = tempWorkspace();
    writeRules(workspace, [RULES[1]!, rule]);
    for (const command of [
      ['policy', 'test'],
      ['policy', 'explain', 'list'],
      ['policy', 'replay'],
      ['call', 'list'],
    ]) {
      expect(await handrail(workspace, command)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `handrail: Rule user#2 does not hold its own examples: ${example} ${problem}.\n`,
      });
    }
  });
});

describe('handrail policy replay', () => {
  it('says that nothing differs under the policy that decided', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '' });
    await call(workspace, 'read', '{"path":"a.txt"}');
    await call(workspace, 'write', WRITE, '--yes');
    await call(workspace, 'write', WRITE);
    expect(await handrail(workspace, ['policy', 'replay'])).toEqual({
      exitCode: 0,
      stdout: '0 of 3 calls would be decided otherwise.\n',
      stderr: '',
    });
  });

  it('shows what a rule that was added afterwards would change, by its name', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '', 'secrets/key': '' });
    await call(workspace, 'read', '{"path":"a.txt"}');
    await call(workspace, 'read', '{"path":"secrets/key"}');
    await call(workspace, 'write', WRITE, '--yes');
    await call(workspace, 'read', '{"path":"a.txt"}', '--dialect', 'coder');
    // Never got as far as a decision.
    await call(workspace, 'read', '{"pth":"a.txt"}');
    writeRules(workspace, RULES);
    const { stdout } = await handrail(workspace, ['policy', 'replay', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      calls: 4,
      differences: [
        {
          call_id: expect.any(String),
          tool: 'handrail:read',
          before: 'allow',
          after: 'deny',
          rule: 'user#2',
        },
        {
          call_id: expect.any(String),
          tool: 'handrail:write',
          before: 'ask',
          after: 'allow',
          rule: 'user#1',
        },
      ] satisfies Difference[],
    });
    const { stdout: text } = await handrail(workspace, ['policy', 'replay']);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^CALL +TOOL +WAS +WOULD BE +RULE$/);
    expect(lines[1]).toMatch(/^call_\w+ +handrail:read +allow +deny +user#2$/);
    expect(lines.at(-1)).toBe('2 of 4 calls would be decided otherwise.');
  });

  it('replays under another mode, and looks at no other workspace', async () => {
    await using workspace = tempWorkspace();
    await call(workspace, 'write', WRITE, '--yes');
    const other = join(workspace.root, '../other');
    mkdirSync(other);
    await call(workspace, 'write', WRITE, '--yes', '--workspace', other);
    const { stdout } = await handrail(workspace, ['policy', 'replay', '--mode', 'read-only', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      calls: 1,
      differences: [{ before: 'ask', after: 'deny', rule: 'mode:read-only' }],
    });
  });
});

describe('the modes', () => {
  it.each(['reversible', 'auto'])('%s asks about no file that undo can give back', async (mode) => {
    await using workspace = tempWorkspace({ 'a.txt': 'old\n', 'b.txt': 'b\n' });
    for (const [tool, args] of [
      ['write', '{"path":"a.txt","content":"new\\n"}'],
      ['move', '{"from":"a.txt","to":"c.txt"}'],
      ['delete', '{"path":"b.txt"}'],
    ] as const) {
      expect(await call(workspace, tool, args, '--mode', mode)).toMatchObject({ exitCode: 0 });
      const explained = await handrail(workspace, ['policy', 'explain', 'write', WRITE, '--mode', mode]);
      expect(explained.stdout).toMatch(new RegExp(`^allow \\(mode:${mode}\\)\n`));
    }
    expect(existsSync(join(workspace.root, 'b.txt'))).toBe(false);
    expect(await handrail(workspace, ['undo', '--last', '3'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('b\n');
  });

  it.each(['reversible', 'auto'])('%s still asks what somebody wrote down, and denies', async (mode) => {
    await using workspace = tempWorkspace({ '.env': 'A=1' });
    writeRules(workspace, [
      { action: 'ask', permission: 'fs.write', path: 'src/' },
      { action: 'ask', permission: 'fs.delete', floor: true },
      { action: 'deny', permission: 'fs.write', path: 'secrets/' },
    ]);
    for (const [tool, args, rule] of [
      ['write', WRITE, 'ask (user#1)'],
      ['delete', '{"path":".env"}', 'ask (user#2)'],
      ['write', '{"path":"secrets/key","content":""}', 'deny (user#3)'],
      ['read', '{"path":".env"}', 'ask (defaults#1)'],
      ['write', '{"path":".git/hooks/x","content":""}', 'deny (protected)'],
    ] as const) {
      expect(await call(workspace, tool, args, '--mode', mode)).toMatchObject({ exitCode: 3 });
      const explained = await handrail(workspace, ['policy', 'explain', tool, args, '--mode', mode]);
      expect(explained.stdout.split('\n')[0]).toBe(rule);
    }
  });
});

function writeRules(workspace: TempWorkspace, rules: readonly object[]): void {
  const file = join(environmentOf(workspace)['XDG_CONFIG_HOME']!, 'handrail/config.jsonc');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ rules }));
}

function call(workspace: TempWorkspace, tool: string, args: string, ...options: string[]): Promise<Ran> {
  return handrail(workspace, ['call', tool, args, ...options]);
}
