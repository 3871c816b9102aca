/** Repositories that make git run their programs while they are changed, and words that would make it do something else. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localUserFile } from '../../src/host/local/user-file.ts';
import type { Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempRepository, tempRepository, tryGit } from '../support/repository.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import { hostileRepository, plantedCanaries, SETTINGS } from './hostile-repository.ts';

/** Everything that changes a repository, in an order in which each has something to do. */
const WRITES: readonly (readonly [tool: string, args: object])[] = [
  ['git_add', { paths: ['b.txt'] }],
  ['git_commit', { message: 'second', paths: ['a.txt'] }],
  ['git_branch', { action: 'create', name: 'side' }],
  ['git_branch', { action: 'switch', name: 'side' }],
  ['git_branch', { action: 'rename', name: 'side', to: 'aside' }],
  ['git_branch', { action: 'switch', name: 'main' }],
  ['git_branch', { action: 'delete', name: 'aside' }],
];
const PUT_AWAY: typeof WRITES = [
  ['git_stash', { action: 'push' }],
  ['git_stash', { action: 'pop' }],
  ['git_restore', { paths: ['a.txt'] }],
];

function open(repository: TempRepository, options: object = {}): Promise<Runtime> {
  return repository.runtime({ dialect: 'handrail', approve: approver('once'), ...options });
}

async function callAll(runtime: Runtime, calls: typeof WRITES): Promise<void> {
  for (const [tool, args] of calls) {
    const { outcome, result } = await runtime.call(tool, args);
    expect({ tool, args, outcome, error: result.error }).toEqual({ tool, args, outcome: 'ok', error: null });
  }
}

/** The same with plain git, as it would be done without a thought. */
function plainly(repository: TempRepository): void {
  tryGit(repository, 'add', 'b.txt');
  tryGit(repository, 'commit', '-m', 'second', '--', 'a.txt');
  tryGit(repository, 'checkout', '-q', '-b', 'side');
}

const ATTACKS: readonly Attack[] = [
  {
    id: 'GT-04',
    title: 'hooks, in their folder and in one that the settings name (CVE-2026-26268)',
    attack: async () => {
      await using repository = hostileRepository(SETTINGS.hooks.settings);
      const runtime = await open(repository);
      await callAll(runtime, WRITES);
      repository.write('a.txt', 'again\n');
      await callAll(runtime, PUT_AWAY);
      expect(plantedCanaries(repository)).toEqual([]);
    },
    bites: async () => {
      for (const settings of [SETTINGS.hooks.settings, () => ({})]) {
        await using repository = hostileRepository(settings);
        plainly(repository);
        expect(plantedCanaries(repository)).toContain('CAN-post-checkout');
      }
    },
  },
  {
    id: 'GT-03',
    title: 'filters on the way in and out',
    attack: async () => {
      await using repository = hostileRepository(SETTINGS.filters.settings);
      const runtime = await open(repository);
      for (const [tool, args] of [
        ['git_add', { paths: ['b.txt'] }],
        ['git_commit', { message: 'second', paths: ['.'] }],
        ['git_stash', { action: 'push' }],
        ['git_restore', { paths: ['a.txt'] }],
      ] as const) {
        const { reply } = await runtime.call(tool, args);
        expect({ tool, reply }).toMatchObject({ reply: { ok: false, code: 'E_UNSUPPORTED' } });
      }
      expect(plantedCanaries(repository)).toEqual([]);
      expect(readFileSync(join(repository.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
    },
    bites: async () => {
      await using repository = hostileRepository(SETTINGS.filters.settings);
      tryGit(repository, '-c', 'core.hooksPath=/dev/null', 'add', 'b.txt');
      expect(plantedCanaries(repository)).toContain('CAN-clean');
    },
  },
  {
    id: 'GT-06',
    title: 'names of branches and commits that are options',
    attack: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      repository.write('a.txt', 'b\n');
      const before = repository.git('for-each-ref');
      const runtime = await open(repository);
      for (const name of [
        '--force',
        '-D',
        '--output=CAN',
        'a..b',
        'x^',
        'x y',
        '@{-1}',
        'HEAD',
        'refs/../x',
        '',
      ]) {
        for (const [tool, args] of [
          ['git_branch', { action: 'create', name }],
          ['git_branch', { action: 'create', name: 'fine', start: name }],
          ['git_branch', { action: 'switch', name }],
          ['git_branch', { action: 'delete', name, force: true }],
          ['git_branch', { action: 'rename', name: 'main', to: name }],
          ['git_restore', { paths: ['a.txt'], ref: name }],
        ] as const) {
          if (name === 'HEAD' && 'start' in args) continue;
          if (name === 'HEAD' && tool === 'git_restore') continue;
          const { reply } = await runtime.call(tool, args);
          expect({ args, reply }).toMatchObject({
            reply: { ok: false, code: expect.toBeOneOf(['E_INVALID_REF', 'E_INVALID_ARGS']) as string },
          });
        }
      }
      expect(repository.git('for-each-ref')).toBe(before);
    },
    bites: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      tryGit(repository, 'branch', '-M', 'other');
      expect(repository.git('for-each-ref')).not.toContain('refs/heads/main');
    },
  },
  {
    id: 'GT-08',
    title: 'files from outside (CVE-2026-27735)',
    attack: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      symlinkSync(repository.outside, join(repository.root, 'link'));
      const before = repository.git('ls-files', '--stage');
      const runtime = await open(repository);
      for (const path of ['../out/s.txt', join(repository.outside, 's.txt'), 'link/s.txt'])
        for (const [tool, args] of [
          ['git_add', { paths: [path] }],
          ['git_commit', { message: 'x', paths: [path] }],
          ['git_restore', { paths: [path] }],
        ] as const) {
          const { reply } = await runtime.call(tool, args);
          expect({ tool, path, reply }).toMatchObject({ reply: { ok: false, code: 'E_OUTSIDE_WORKSPACE' } });
        }
      expect(repository.git('ls-files', '--stage')).toBe(before);
    },
    bites: { noProof: 'the command line of git refuses these itself; libraries did not' },
  },
  {
    id: 'FS-10',
    title: 'names that are commands or options (CVE-2026-35021, CVE-2026-33718)',
    attack: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      const canary = join(repository.outside, 'CAN-name').replaceAll('/', '\u2215');
      const names = [
        `$(touch ${canary}).txt`,
        '`touch CAN`',
        '-rf',
        '--force',
        'a\nb',
        'x;touch CAN',
        ':(top)*',
        '!',
      ];
      for (const name of names) repository.write(name, 'x\n');
      const runtime = await open(repository);
      await callAll(runtime, [
        ['git_add', { paths: names }],
        ['git_restore', { paths: names, staged: true }],
        ['git_commit', { message: 'names', paths: names }],
        ...names.map((path) => ['git_blame', { path }] as const),
        ...names.map((path) => ['git_log', { path }] as const),
      ]);
      expect(repository.git('show', '--format=', '--name-only', '-z').split('\0').filter(Boolean)).toEqual(
        [...names].sort(),
      );
      expect(readdirSync(repository.root).sort()).toEqual([...names, '.git', 'a.txt'].sort());
    },
    bites: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      execFileSync('/bin/sh', ['-c', `git log -- x;touch '${join(repository.outside, 'CAN-name')}'`], {
        cwd: repository.root,
        stdio: 'ignore',
      });
      expect(plantedCanaries(repository)).toEqual(['CAN-name']);
    },
  },
  {
    id: 'GT-07',
    title: 'remotes and submodules that name programs',
    attack: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      const canary = join(repository.outside, 'CAN-remote');
      repository.git('config', 'remote.origin.url', `ext::sh -c "touch ${canary}"`);
      repository.git('config', 'remote.origin.promisor', 'true');
      repository.git('config', 'extensions.partialClone', 'origin');
      repository.git('config', 'core.repositoryformatversion', '1');
      repository.write(
        '.gitmodules',
        `[submodule "x"]\n\tpath = x\n\turl = ext::touch ${canary}\n\tupdate = !touch ${canary}\n`,
      );
      removeBlob(repository);
      const runtime = await open(repository);
      await runtime.call('git_status', {});
      expect((await runtime.call('git_show', { ref: 'HEAD', path: 'a.txt', content: true })).outcome).toBe(
        'failed',
      );
      expect(plantedCanaries(repository)).toEqual([]);
    },
    bites: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      const canary = join(repository.outside, 'CAN-remote');
      repository.git('config', 'remote.origin.url', `ext::sh -c touch% ${canary}`);
      repository.git('config', 'protocol.ext.allow', 'always');
      tryGit(repository, 'fetch');
      expect(plantedCanaries(repository)).toEqual(['CAN-remote']);
    },
  },
];

testAttacks(ATTACKS);

/** What is missing is fetched by a git that obeys the repository. */
function removeBlob(repository: TempRepository): void {
  const id = repository.git('rev-parse', 'HEAD:a.txt').trim();
  rmSync(join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2)));
}

describe('git.programs', () => {
  it('runs hooks and filters of the repository where the user wants it, inside the sandbox', async () => {
    await using repository = tempRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=loud\n' });
    const canary = join(repository.outside, 'CAN-hook');
    repository.git('config', 'filter.loud.clean', 'tr a-z A-Z');
    repository.write('.git/hooks/pre-commit', `#!/bin/sh\ntouch '${canary}'; echo here > hooked.txt\n`);
    chmodSync(join(repository.root, '.git/hooks/pre-commit'), 0o755);
    repository.write('a.txt', 'two\n');
    localUserFile(join(repository.locations.config, 'config.jsonc')).write('{ "git": { "programs": true } }');
    const runtime = await open(repository, { readConfig: true });
    await callAll(runtime, [['git_commit', { message: 'second', paths: ['a.txt'] }]]);
    expect(repository.git('show', 'HEAD:a.txt')).toBe('TWO\n');
    expect(readFileSync(join(repository.root, 'hooked.txt'), 'utf8')).toBe('here\n');
    expect(plantedCanaries(repository)).toEqual([]);
  });
});
