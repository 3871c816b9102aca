/** Searches that tell of the outside, or of what is closed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { OUTSIDE_SECRET, tempWorkspace } from '../support/temp-workspace.ts';

describe('a name with a line break and `..`', () => {
  it('leads no search out of the workspace', async () => {
    // ripgrep prints `./a<newline>../out/s.txt`; what is behind the line break is taken for a path.
    await using workspace = tempWorkspace({ 'a\n../out/s.txt': OUTSIDE_SECRET });
    const runtime = await workspace.runtime();
    const { reply } = await runtime.call('grep', { pattern: 'secret' });
    const { matches } = reply as { matches: { path: string }[] };
    expect(matches.map(({ path }) => path)).toEqual(['a\n../out/s.txt']);
  });

  it('reads no file outside byte by byte', async () => {
    await using workspace = tempWorkspace();
    writeFileSync(join(workspace.outside, 'token'), 'hunter2\n');
    const runtime = await workspace.runtime();
    let known = '';
    for (let at = 6; at >= 0; at--) {
      for (const guess of 'abcdefghijklmnopqrstuvwxyz0123456789')
        workspace.write(`${guess}\n../out/token`, `${'\n'.repeat(at)}${guess}${known}\n`);
      const { reply } = await runtime.call('grep', { pattern: '.', max_matches: 10_000 });
      const { matches } = reply as { matches: { path: string; text: string }[] };
      known =
        matches.find(({ path, text }) => path === '../out/token' && text.length > known.length)?.text ??
        known;
    }
    expect(known).toBe('');
  });

  it('opens no subtree that a rule denies', async () => {
    await using workspace = tempWorkspace({ 'pub/a\n../vault/k': 'a secret\n', 'vault/k': 'a secret\n' });
    const rules: Rule[] = [{ action: 'deny', permission: '*', path: 'vault/' }];
    const runtime = await workspace.runtime({ rules });
    const { reply } = await runtime.call('grep', { pattern: 'secret', path: 'pub' });
    expect(JSON.stringify(reply)).not.toContain('vault/k');
  });

  it('does not make a search say what is not in a file', async () => {
    await using workspace = tempWorkspace({
      'x\nb': `${'\n'.repeat(9)}return true\n`,
      b: '// never return true\n',
    });
    const runtime = await workspace.runtime();
    const { reply } = await runtime.call('grep', { pattern: '^return true' });
    const { matches } = reply as { matches: { path: string }[] };
    expect(matches.map(({ path }) => path)).toEqual(['x\nb']);
  });

  it('does not hide a file from a search', async () => {
    await using workspace = tempWorkspace({ 'x\ny': 'needle\n' });
    const runtime = await workspace.runtime();
    expect((await runtime.call('grep', { pattern: 'needle' })).reply).toMatchObject({ count: 1 });
  });
});

describe('an ignore file', () => {
  it.each(['.gitignore', '.ignore', '.rgignore', 'sub/.gitignore', '.git/info/exclude'])(
    '%s that is a link to the outside tells nothing of it',
    async (path) => {
      await using workspace = tempWorkspace({ 'a.txt': 'hello\n', 'sub/x': '', '.git/info/x': '' });
      writeFileSync(join(workspace.outside, 'config.json'), '{"token": "TOPSECRET",\n"more": 1}\n');
      symlinkSync(join(workspace.outside, 'config.json'), join(workspace.root, path));
      const runtime = await workspace.runtime();
      for (const [tool, args] of [
        ['grep', { pattern: 'hello' }],
        ['glob', { pattern: '**' }],
      ] as const)
        expect(JSON.stringify((await runtime.call(tool, args)).reply)).not.toContain('TOPSECRET');
    },
  );

  it('that is a link to `.env`, or lies in `.ssh`, tells nothing of it', async () => {
    await using workspace = tempWorkspace({
      'a.txt': 'hello\n',
      '.env': 'KEY={TOPSECRET\n',
      '.ssh/.gitignore': 'OTHERSECRET{\n',
    });
    symlinkSync('.env', join(workspace.root, '.ignore'));
    const runtime = await workspace.runtime();
    const reply = JSON.stringify((await runtime.call('grep', { pattern: 'hello' })).reply);
    expect(reply).not.toMatch(/TOPSECRET|OTHERSECRET/);
  });

  it('outside does not decide which files are found: that would answer guesses at its lines', async () => {
    await using workspace = tempWorkspace({ wrong: '', hunter2: '' });
    writeFileSync(join(workspace.outside, 'password'), 'hunter2\n');
    symlinkSync(join(workspace.outside, 'password'), join(workspace.root, '.ignore'));
    const runtime = await workspace.runtime();
    const { reply } = await runtime.call('glob', { pattern: '**' });
    expect((reply as { matches: string[] }).matches).toEqual(expect.arrayContaining(['hunter2', 'wrong']));
  });

  it('with a line that is no glob does not make every pattern unusable', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'hello\n', '.gitignore': 'build/{\n' });
    const runtime = await workspace.runtime();
    expect(await runtime.call('grep', { pattern: 'hello' })).toMatchObject({ outcome: 'ok' });
  });

  it('that is a pipe does not stop a search', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'hello\n' });
    spawnSync('mkfifo', [join(workspace.root, '.gitignore')]);
    const runtime = await workspace.runtime();
    const signal = AbortSignal.timeout(10_000);
    expect(await runtime.call('grep', { pattern: 'hello' }, { signal })).toMatchObject({ outcome: 'ok' });
  });

  it('that never ends (a link to /dev/zero) does not stop a search, nor fill the memory', async () => {
    await using workspace = tempWorkspace({ 'a.txt': 'hello\n' });
    symlinkSync('/dev/zero', join(workspace.root, '.gitignore'));
    const runtime = await workspace.runtime();
    const signal = AbortSignal.timeout(3_000);
    expect(await runtime.call('grep', { pattern: 'hello' }, { signal })).toMatchObject({ outcome: 'ok' });
  });
});

describe('a file that is being written', () => {
  it('is not shown under its temporary name, which no rule knows', async () => {
    await using workspace = tempWorkspace();
    // What stands beside `.env` while it is written, and after a crash until the next start.
    workspace.write('.handrail-call_1m7f623rmpjh59nez2txh0qxa-3.tmp', 'KEY=secret\n');
    const runtime = await workspace.runtime();
    const found = await runtime.call('grep', { pattern: 'secret' });
    expect(JSON.stringify(found.reply)).not.toContain('KEY=');
    expect((await runtime.call('glob', { pattern: '**' })).reply).toMatchObject({ matches: [] });
  });
});

describe('a question about every read', () => {
  it('does not open `.env` to a search of the whole tree', async () => {
    await using workspace = tempWorkspace({ '.env': 'KEY=secret\n', a: 'secret\n' });
    const rules: Rule[] = [{ action: 'ask', permission: 'fs.read' }];
    const runtime = await workspace.runtime({ rules, approve: approver('once') });
    const { reply } = await runtime.call('grep', { pattern: 'secret' });
    expect(JSON.stringify(reply)).not.toContain('KEY=');
  });
});

describe('a recursive listing', () => {
  it('does not name files that a rule denies', async () => {
    await using workspace = tempWorkspace({ 'p/x.token': '', 'p/y': '' });
    mkdirSync(join(workspace.root, 'p/deep'));
    const rules: Rule[] = [{ action: 'deny', permission: '*', path: '*.token' }];
    const runtime = await workspace.runtime({ rules, dialect: 'codelab' });
    const { reply } = await runtime.call('list_files', { recursive: true });
    expect(JSON.stringify(reply)).not.toContain('x.token');
  });
});
