import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rule, Runtime, RuntimeOptions } from '../../../src/index.ts';
import { approver } from '../../support/approver.ts';
import { type TempRepository, tempRepository, tryGit } from '../../support/repository.ts';

function open(repository: TempRepository, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  return repository.runtime({ dialect: 'handrail', approve: approver('once'), ...options });
}

async function call(runtime: Runtime, tool: string, args: object): Promise<Record<string, unknown>> {
  return (await runtime.call(tool, args)).reply as Record<string, unknown>;
}

describe('git.add', () => {
  it('stages what changed, came and went, and nothing that is ignored', async () => {
    await using repository = tempRepository({
      'a.txt': 'a\n',
      'gone.txt': 'gone\n',
      'was-file': 'x',
      '.gitignore': '*.log\n',
    });
    repository.write('a.txt', 'b\n');
    rmSync(join(repository.root, 'gone.txt'));
    rmSync(join(repository.root, 'was-file'));
    repository.write('was-file/now/folder', '');
    repository.write('x.log', '');
    repository.write('-rf', '');
    repository.git('init', '-q', 'nested');
    const reply = await call(await open(repository), 'git_add', { paths: ['.'] });
    expect(reply).toEqual({
      ok: true,
      staged: ['a.txt', 'gone.txt', 'was-file', '-rf', 'was-file/now/folder'],
      left_out: ['nested/'],
    });
    expect(repository.git('status', '--porcelain')).toBe(
      'A  -rf\nM  a.txt\nD  gone.txt\nD  was-file\nA  was-file/now/folder\n?? nested/\n',
    );
  });

  it('leaves out what is not read without a question, unless it is named and approved', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.write('.env', 'A=1\n');
    repository.write('b.txt', '');
    const runtime = await open(repository);
    expect(await call(runtime, 'git_add', { paths: ['.'] })).toMatchObject({
      staged: ['b.txt'],
      left_out: ['.env'],
    });
    expect(await call(runtime, 'git_add', { paths: ['.env'] })).toMatchObject({ staged: ['.env'] });
  });
});

describe('git.commit', () => {
  it('commits under the name of the user, with the message as it is', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.write('a.txt', 'b\n');
    const message = '-m $(touch x)\n\n# kept\nbody\n';
    const reply = await call(await open(repository), 'git_commit', { message, paths: ['a.txt'] });
    expect(reply).toMatchObject({ ok: true, branch: 'main', files: ['a.txt'] });
    expect(repository.git('log', '-1', '--format=%an <%ae> %H%n%B')).toBe(
      `Tester <tester@example.org> ${String(reply['commit'])}\n${message}\n`,
    );
    expect(repository.git('reflog', '-1', '--format=%gs')).toBe('commit: -m $(touch x)\n');
  });

  it('is the first one of a repository, and concludes a merge', async () => {
    await using repository = tempRepository();
    repository.write('a.txt', 'a\n');
    const runtime = await open(repository);
    expect(await call(runtime, 'git_commit', { message: 'first', paths: ['.'] })).toMatchObject({ ok: true });
    repository.git('switch', '-qc', 'other');
    repository.write('a.txt', 'theirs\n');
    repository.commit('theirs');
    repository.git('switch', '-q', 'main');
    repository.write('a.txt', 'ours\n');
    repository.commit('ours');
    tryGit(repository, 'merge', 'other');
    expect(await call(runtime, 'git_commit', { message: 'merged' })).toMatchObject({
      ok: false,
      code: 'E_CONFLICT',
    });
    repository.write('a.txt', 'both\n');
    expect(await call(runtime, 'git_commit', { message: 'merged', paths: ['a.txt'] })).toMatchObject({
      ok: true,
    });
    expect(repository.git('log', '-1', '--format=%s %p').trim().split(' ')).toHaveLength(3);
    expect(repository.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('refuses what looks like a secret, by file and line and never by itself, unless a person lets it pass', async () => {
    const token = `ghp_${'a1'.repeat(18)}`;
    await using repository = tempRepository({ 'a.txt': 'one\n' });
    repository.write('a.txt', `one\ntwo\nkey = ${token}\n`);
    repository.write('new.txt', `\n${token}\n`);
    repository.write('.env', 'A=1\n');
    const approve = approver('once');
    const runtime = await open(repository, { approve });
    const paths = ['a.txt', 'new.txt', '.env'];
    const refused = await call(runtime, 'git_commit', { message: 'x', paths });
    expect(refused).toMatchObject({ ok: false, code: 'E_POLICY_DENIED' });
    expect(refused['reason']).toContain('.env, a.txt:3, new.txt:2');
    expect(JSON.stringify(refused)).not.toContain(token);
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    expect(await call(runtime, 'git_commit', { message: 'x', paths, allow_secrets: true })).toMatchObject({
      ok: true,
    });
    expect(approve.asked.at(-1)?.reason).toBe('What is committed would hold secrets.');
  });

  it('lets secrets pass where a rule does, and never by the mode alone', async () => {
    const rule: Rule = { action: 'allow', permission: 'git.write', git: 'secrets' };
    await using repository = tempRepository({ 'a.txt': 'one\n' });
    repository.write('id_rsa', 'x\n');
    repository.write('a.txt', `AKIA${'A1'.repeat(8)}\n`);
    const auto = await open(repository, { mode: 'auto', approve: approver('deny') });
    const args = { message: 'x', paths: ['a.txt'] };
    expect(await call(auto, 'git_commit', { ...args, allow_secrets: true })).toMatchObject({
      code: 'E_DENIED',
    });
    const ruled = await open(repository, { rules: [rule] });
    expect(await call(ruled, 'git_commit', args)).toMatchObject({ ok: true });
  });
});

describe('a protected branch', () => {
  const rules: Rule[] = [
    {
      action: 'deny',
      permission: 'git.write',
      git: ['branch:main', 'branch:release/*'],
      reason: 'It is protected.',
      match: ['branch:main', 'branch:release/1.0'],
      notMatch: ['branch:maintenance', 'commit'],
    },
  ];

  it('takes no commit, is not deleted, renamed or made; others are free', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.git('branch', 'release/1');
    repository.write('a.txt', 'b\n');
    const runtime = await open(repository, { rules });
    for (const [tool, args] of [
      ['git_commit', { message: 'x', paths: ['a.txt'] }],
      ['git_branch', { action: 'delete', name: 'release/1', force: true }],
      ['git_branch', { action: 'rename', name: 'release/1', to: 'mine' }],
      ['git_branch', { action: 'rename', name: 'mine', to: 'release/2' }],
      ['git_branch', { action: 'create', name: 'release/2' }],
    ] as const)
      expect(await call(runtime, tool, args)).toMatchObject({ ok: false, code: 'E_POLICY_DENIED' });
    expect(await call(runtime, 'git_branch', { action: 'create', name: 'mine' })).toMatchObject({ ok: true });
    expect(await call(runtime, 'git_branch', { action: 'switch', name: 'mine' })).toMatchObject({ ok: true });
    expect(await call(runtime, 'git_commit', { message: 'x', paths: ['a.txt'] })).toMatchObject({
      branch: 'mine',
    });
  });
});

describe('git.branch', () => {
  it('takes the settings of a branch along, which no other command may change', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.git('config', 'branch.main.remote', 'origin');
    repository.git('config', 'alias.x', '!false');
    repository.git('branch', 'old.name');
    repository.git('config', 'branch.old.name.merge', 'refs/heads/x');
    const runtime = await open(repository);
    expect(await call(runtime, 'git_branch', { action: 'rename', name: 'main', to: 'trunk' })).toMatchObject({
      ok: true,
      current: 'trunk',
    });
    expect(await call(runtime, 'git_branch', { action: 'delete', name: 'old.name' })).toMatchObject({
      ok: true,
    });
    expect(repository.git('config', '--list', '--local')).toContain('branch.trunk.remote=origin\n');
    expect(repository.git('config', '--list', '--local')).not.toMatch(/branch\.(main|old)/);
    expect(repository.git('status', '--branch', '--porcelain')).toBe(
      '## trunk...origin/main [gone]\n'.replace(/\.\.\..*\n/, '\n'),
    );
    const before = readFileSync(join(repository.root, '.git/config'), 'utf8');
    await call(runtime, 'bash', { command: 'git config user.name Other' });
    expect(readFileSync(join(repository.root, '.git/config'), 'utf8')).toBe(before);
  });

  it('does not touch a branch of another work tree, nor the one that is checked out', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n', '.gitignore': 'trees\n' });
    repository.git('worktree', 'add', '-q', '-b', 'side', 'trees/side');
    const runtime = await open(repository);
    for (const [path, name] of [
      ['.', 'side'],
      ['.', 'main'],
      ['trees/side', 'main'],
      ['trees/side', 'side'],
    ])
      expect(await call(runtime, 'git_branch', { action: 'delete', name, path, force: true })).toMatchObject({
        ok: false,
        code: 'E_CONFLICT',
      });
    repository.write('trees/side/a.txt', 'b\n');
    const done = await call(runtime, 'git_commit', {
      message: 'x',
      paths: ['trees/side'],
      path: 'trees/side',
    });
    expect(done).toMatchObject({ ok: true, branch: 'side', files: ['trees/side/a.txt'] });
    expect(repository.git('log', '-1', '--format=%s', 'side')).toBe('x\n');
  });
});

describe('git.stash and git.restore', () => {
  it('put changes away and bring them back, also where that conflicts', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repository.write('a.txt', 'mine\n');
    repository.write('new.txt', '');
    const runtime = await open(repository);
    await call(runtime, 'git_stash', { action: 'push', message: '--all', untracked: true });
    expect([existsSync(join(repository.root, 'new.txt')), repository.git('status', '--porcelain')]).toEqual([
      false,
      '',
    ]);
    repository.write('a.txt', 'theirs\n');
    repository.commit('theirs');
    expect(await call(runtime, 'git_stash', { action: 'pop' })).toMatchObject({
      conflicts: ['a.txt'],
      stashes: [{ index: 0, message: 'On main: --all' }],
    });
    expect(await call(runtime, 'git_restore', { paths: ['a.txt'], ref: 'HEAD' })).toMatchObject({ ok: true });
    expect(readFileSync(join(repository.root, 'a.txt'), 'utf8')).toBe('theirs\n');
    expect(await call(runtime, 'git_stash', { action: 'drop', index: 7 })).toMatchObject({
      code: 'E_INVALID_REF',
    });
  });

  it('unstage files and leave them as they are', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    repository.write('a.txt', 'b\n');
    repository.git('add', '.');
    const runtime = await open(repository);
    expect(await call(runtime, 'git_restore', { paths: ['.'], staged: true })).toEqual({
      ok: true,
      restored: ['a.txt'],
    });
    expect(repository.git('status', '--porcelain')).toBe(' M a.txt\n');
  });
});

describe('a repository that is none, or damaged', () => {
  it('is a failure of its own kind, and the rest goes on', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n', 'sub/b.txt': '' });
    const runtime = await open(repository);
    repository.write('a.txt', 'b\n');
    writeFileSync(join(repository.root, '.git/index.lock'), '');
    expect(await call(runtime, 'git_status', {})).toMatchObject({ ok: true });
    expect(await call(runtime, 'git_add', { paths: ['.'] })).toMatchObject({ ok: false, code: 'E_CONFLICT' });
    rmSync(join(repository.root, '.git/index.lock'));
    writeFileSync(join(repository.root, '.git/index'), 'DIRC nonsense');
    expect(await call(runtime, 'git_status', {})).toMatchObject({ ok: false, code: 'E_GIT' });
    expect(await call(runtime, 'git_commit', { message: 'x', paths: ['.'] })).toMatchObject({
      ok: false,
      code: 'E_GIT',
    });
    expect(await call(runtime, 'git_log', {})).toMatchObject({ ok: true });
    repository.git('config', 'core.bare', 'true');
    expect(await call(runtime, 'git_log', {})).toMatchObject({ ok: false, code: 'E_GIT' });
    rmSync(join(repository.root, '.git'), { recursive: true });
    mkdirSync(join(repository.root, '.git'));
    const codelab = await open(repository, { dialect: 'codelab' });
    const { reply } = await codelab.call('git.status', { path: '.' });
    expect(reply).toMatchObject({ error: { code: 'GIT_NOT_INITIALIZED' } });
    expect(await call(runtime, 'read', { path: 'a.txt' })).toMatchObject({ ok: true });
  });
});
