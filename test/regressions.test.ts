/** What went wrong once, and must not again. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../src/capabilities/fs/unified-diff.ts';
import { createRuntime, type Rule } from '../src/index.ts';
import { compilePathPatterns } from '../src/policy/path-pattern.ts';
import { bound } from '../src/runtime/bound.ts';
import { approver } from './support/approver.ts';
import { tempWorkspace } from './support/temp-workspace.ts';

const long = Array.from({ length: 1_500 }, (_, index) => `n${index}\n`).join('');

describe('policy', () => {
  it('a deny covers names with a newline', async () => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [
      { action: 'allow', permission: 'fs.write' },
      { action: 'deny', permission: 'fs.write', path: 'src' },
    ];
    const runtime = await workspace.runtime({ rules });
    expect((await runtime.call('write', { path: 'src/a\nb', content: '' })).outcome).toBe('denied');
  });
  it('.env below a folder with a newline is asked about', async () => {
    await using workspace = tempWorkspace({ 'n\nl/.env': 'SECRET' });
    expect((await (await workspace.runtime()).call('read', { path: 'n\nl/.env' })).outcome).toBe('denied');
  });
  it.each(['❤️.txt', 'x\u200dy'])('a deny of %s fits that very name', (name) => {
    expect(compilePathPatterns([name], { folded: true })(name)).toBe(true);
  });
  it('an answer that is none of the three is no yes', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: (async () => ({ answer: 'no' })) as never });
    expect((await runtime.call('write', { path: 'q', content: '' })).outcome).not.toBe('ok');
  });
  it.each(['.aws', '.ssh', '.ssh/keys', '.config/gh'])(
    'a workspace can not be, or lie in, ~/%s',
    async (folder) => {
      await using workspace = tempWorkspace();
      const place = join(workspace.locations.home, folder);
      mkdirSync(place, { recursive: true });
      await expect(createRuntime({ workspace: place, locations: workspace.locations })).rejects.toMatchObject(
        { code: 'E_UNSUPPORTED' },
      );
    },
  );
  it('protected places hold where the home is spelled through a link', async () => {
    await using workspace = tempWorkspace();
    const base = join(workspace.root, '..');
    mkdirSync(join(base, 'real/.config/gh'), { recursive: true });
    writeFileSync(join(base, 'real/.config/gh/hosts.yml'), 's');
    symlinkSync('real', join(base, 'link'));
    const home = join(base, 'link');
    await using runtime = await createRuntime({
      workspace: join(base, 'real/.config'),
      locations: { home, state: workspace.locations.state, config: join(home, '.config/handrail') },
    });
    expect((await runtime.call('read', { path: 'gh/hosts.yml' })).outcome).toBe('denied');
  });
  it('a floor in a user rule is one', async () => {
    await using workspace = tempWorkspace();
    const rules: Rule[] = [
      { action: 'ask', permission: 'fs.write', floor: true },
      { action: 'allow', permission: 'fs.write' },
    ];
    expect(
      (await (await workspace.runtime({ rules })).approvalRequest('write', { path: 'z', content: '' }))
        .decision.action,
    ).toBe('ask');
  });
  it('./x is anchored: it has a slash', () => {
    expect(compilePathPatterns(['./x'], { folded: false })('deep/x')).toBe(false);
  });
});

describe('fs', () => {
  it('a file that holds the text not-text is text', async () => {
    await using workspace = tempWorkspace({ f: 'not-text' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect((await runtime.call('write', { path: 'f', content: 'not-text' })).reply).toMatchObject({
      operation: 'unchanged',
    });
  });
  it('a tail page over the byte cap ends at the end of the file', async () => {
    await using workspace = tempWorkspace({
      log: Array.from({ length: 3_000 }, (_, i) => `line ${i + 1} ${'x'.repeat(90)}`).join('\n'),
    });
    expect(
      (await (await workspace.runtime()).call('read', { path: 'log', offset: -2_000 })).reply,
    ).toMatchObject({ end_line: 3_000, has_more: true });
  });
  it('a cut line is well-formed', async () => {
    await using workspace = tempWorkspace({ f: `a${'😀'.repeat(3_000)}` });
    const { reply } = await (await workspace.runtime({ dialect: 'coder' })).call('read', { path: 'f' });
    expect((reply as { content: string }).content.isWellFormed()).toBe(true);
  });
  it('LF stays LF, and such a write is unchanged', async () => {
    await using workspace = tempWorkspace({ f: 'a\nb\n' });
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect((await runtime.call('write', { path: 'f', content: 'a\r\nb\r\n' })).reply).toMatchObject({
      operation: 'unchanged',
    });
    expect(readFileSync(join(workspace.root, 'f'), 'utf8')).toBe('a\nb\n');
  });
  it('CRLF survives in a file of 5 MB, and the diff is not one of a new file', async () => {
    await using workspace = tempWorkspace({ f: `${'a'.repeat(60)}\r\n`.repeat(80_000) });
    const runtime = await workspace.runtime({ approve: approver('once') });
    const { reply } = await runtime.call('write', { path: 'f', content: 'a\nb\n' });
    expect(readFileSync(join(workspace.root, 'f'), 'utf8')).toBe('a\r\nb\r\n');
    expect((reply as { diff: string }).diff).not.toContain('/dev/null');
  });
  it('an updated binary file has no diff of a new file', async () => {
    await using workspace = tempWorkspace();
    workspace.write('f', new Uint8Array([0, 255]));
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect(
      ((await runtime.call('write', { path: 'f', content: 'x\n' })).reply as { diff: string }).diff,
    ).not.toContain('/dev/null');
  });
  it('a new file of 77 lines (80 lines of diff) is shown whole', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: approver('once') });
    expect((await runtime.call('write', { path: 'f', content: 'x\n'.repeat(77) })).reply).not.toHaveProperty(
      'diff_truncated',
    );
  });
  const gitApplied = (name: string, before: string, after: string): string => {
    const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
    writeFileSync(join(folder, name), before);
    execFileSync('git', ['apply', '-'], {
      cwd: folder,
      input: unifiedDiff(name, before, after).diff,
      stdio: 'pipe',
    });
    return readFileSync(join(folder, name), 'utf8');
  };
  it.each([
    ['after line 1', 'a\nb\n', `a\n${long}b\n`],
    ['after line 2', 'a\nc\nb\n', `a\nc\n${long}b\n`],
    ['before all', 'a\nb\n', `${long}a\nb\n`],
    ['deleting', `a\nc\n${long}b\n`, 'a\nc\nb\n'],
  ])('git apply takes the fallback diff: %s', (_, before, after) => {
    expect(gitApplied('f', before, after)).toBe(after);
  });
  it.each(['a\tb.txt', 'a\nb.txt'])('git apply takes a diff of %j', (name) => {
    expect(gitApplied(name, 'a\n', 'b\n')).toBe('b\n');
  });
  it('a file name writes no lines into the preview', () => {
    const { diff } = unifiedDiff('x\n@@ -1 +1 @@\n-harmless\n+harmless too\n', 'a\n', 'b\n');
    expect(diff.split('\n')).not.toContain('+harmless too');
  });
});

describe('runtime', () => {
  let deep: unknown = 'x';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  it.each([
    ['deep', deep],
    ['cyclic', cyclic],
    ['bigint', 1n],
  ])('execute with resume does not throw: %s', async (name, path) => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    expect(
      (await runtime.execute({ tool_call_id: name, name: 'read', args: { path } }, { resume: true })).outcome,
    ).toBe('failed');
  });
  it('call does not throw: a getter that does', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime();
    const args = {
      get path(): string {
        throw new Error('boo');
      },
    };
    expect((await runtime.call('read', args)).outcome).toBe('failed');
  });
  it('__proto__ is refused in a whole request too', async () => {
    await using workspace = tempWorkspace({ a: 'x' });
    const runtime = await workspace.runtime();
    expect(
      (
        await runtime.execute(
          JSON.parse('{"tool_call_id":"1","name":"read","args":{"path":"a","__proto__":{"x":1}}}'),
        )
      ).outcome,
    ).toBe('failed');
  });
  it('a malformed request keeps its tool_call_id', async () => {
    await using workspace = tempWorkspace();
    expect(
      (await (await workspace.runtime()).execute({ tool_call_id: 'mine', name: 'read', args: [] })).result
        .tool_call_id,
    ).toBe('mine');
  });
  it.each([
    [
      'trace id',
      { tool_call_id: 'q', name: 'list', args: {}, trace_id: 't1' },
      { tool_call_id: 'q', name: 'list', args: {}, trace_id: 't2' },
    ],
    [
      'order of arguments',
      { tool_call_id: 'q', name: 'read', args: { path: 'a', limit: 1 } },
      { tool_call_id: 'q', name: 'read', args: { limit: 1, path: 'a' } },
    ],
  ])('resume: another %s is the same call', async (_, one, other) => {
    await using workspace = tempWorkspace({ a: 'x' });
    const runtime = await workspace.runtime();
    expect(await runtime.execute(other, { resume: true })).toEqual(
      await runtime.execute(one, { resume: true }).then(() => runtime.execute(one, { resume: true })),
    );
  });
  it('bound holds the limit with two heavy parts', async () => {
    const { data } = await bound({ a: 'x'.repeat(1_000), b: 'y'.repeat(1_000) }, 500, async () => 'id');
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(500);
  });
  it('bound takes a list of 200,000 items in a reply of 8 MiB', async () => {
    expect(
      (await bound({ a: Array(200_000).fill(0) }, 8 * 1024 * 1024, async () => 'id')).truncation,
    ).toBeUndefined();
  });
  it('the audit says who said no', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ approve: async () => ({ answer: 'deny', by: 'alice' }) });
    await runtime.call('write', { path: 'a', content: '' });
    await runtime.flush();
    const audit = execFileSync('sh', ['-c', `cat ${workspace.locations.state}/audit/*`], {
      encoding: 'utf8',
    });
    expect(audit).toContain('"approver":"alice"');
  });
});

describe('dialects', () => {
  it('codelab refuses .. in a path', async () => {
    await using workspace = tempWorkspace({ 'b.txt': 'x' });
    const { reply } = await (
      await workspace.runtime({ dialect: 'codelab' })
    ).call('read_file', { path: 'a/../b.txt' });
    expect(reply).toMatchObject({ error: { code: 'PATH_OUTSIDE_WORKSPACE' } });
  });
  it('read_output gives items in the shape of the tool that was cut', async () => {
    await using workspace = tempWorkspace();
    for (let i = 0; i < 900; i++) workspace.write(`d/${i}${'x'.repeat(200)}`, '');
    const runtime = await workspace.runtime();
    const { items, output_id } = (await runtime.call('list', { path: 'd' })).reply as {
      items: object[];
      output_id: string;
    };
    const { part } = (await runtime.call('read_output', { output_id, offset: 0, limit: 1 })).reply as {
      part: object[];
    };
    expect(part[0]).toEqual(items[0]);
  });
  it.each([
    ['coder', false],
    ['handrail', true],
  ])('a cut listing of %s names an output_id only where it can be paged', async (dialect, isNamed) => {
    await using workspace = tempWorkspace();
    for (let index = 0; index < 2_500; index++) workspace.write(`${index}${'x'.repeat(100)}`, '');
    const { reply } = await (await workspace.runtime({ dialect })).call('list', {});
    expect(reply).toMatchObject({ truncated: true, total: 2_500 });
    expect('output_id' in (reply as object)).toBe(isNamed);
  });
  it('a reply never has more than replyBytes', async () => {
    await using workspace = tempWorkspace();
    for (let i = 0; i < 2_500; i++) workspace.write(`d/${String(i).padStart(4, '0')}${'x'.repeat(100)}`, '');
    const runtime = await workspace.runtime();
    const { output_id } = (await runtime.call('list', { path: 'd' })).reply as { output_id: string };
    let most = 0;
    for (let offset = 0; offset < 1_500; offset += 100) {
      most = Math.max(
        most,
        Buffer.byteLength(
          JSON.stringify((await runtime.call('read_output', { output_id, offset, limit: 5_000 })).reply),
        ),
      );
    }
    expect(most).toBeLessThanOrEqual(256 * 1024);
  });
});

describe('policy, later finds', () => {
  it('a deny of a name with quotes fits that name', () => {
    expect(compilePathPatterns(['"q"'], { folded: true })('deep/"q"')).toBe(true);
  });
  it.each([
    ['.', 'other/secret'],
    ['d', 'd/x'],
  ])('"always" for %s does not cover %s', async (path, other) => {
    const { narrowestRule } = await import('../src/policy/approvals.ts');
    const { compileLayer } = await import('../src/policy/rule.ts');
    const access = (resource: string) => ({ permission: 'fs.read', resource, resolved: resource }) as const;
    const [rule] = compileLayer('u', [narrowestRule('/ws', 'list', [access(path)])], {
      workspace: '/ws',
    }).rules;
    expect(rule?.fits(access(other), { tool: 'list', isReversible: true })).toBe(false);
  });
});

describe('policy, still later', () => {
  it('a floor on an allow rule does not lower a floor of the dialect', async () => {
    const { Policies } = await import('../src/policy/policies.ts');
    const { decide } = await import('../src/policy/decide.ts');
    const access = { permission: 'fs.write', resource: 'a', resolved: 'a' } as const;
    const made = (): unknown =>
      decide(
        { tool: 'w', effect: 'write', accesses: [access] },
        new Policies([{ action: 'allow', permission: '*', floor: true }], () => undefined).for(
          'tenas',
          'ask',
          [],
        ),
      ).action;
    expect(made).not.toSatisfy((make: () => unknown) => {
      try {
        return make() === 'allow';
      } catch {
        return false;
      }
    });
  });
  it('tools of a workspace that is the state folder do not write the audit', async () => {
    await using workspace = tempWorkspace();
    mkdirSync(workspace.locations.state);
    const runtime = await createRuntime({
      workspace: workspace.locations.state,
      locations: workspace.locations,
      approve: approver('once'),
    }).catch(() => undefined);
    const outcome = (await runtime?.call('write', { path: 'audit/x.jsonl', content: 'x' }))?.outcome;
    await runtime?.[Symbol.asyncDispose]();
    expect(outcome).not.toBe('ok');
  });
});
