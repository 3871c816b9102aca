/** Repositories that make git run their programs, or look elsewhere: what reads them runs and shows nothing of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { approver } from '../support/approver.ts';
import { type TempRepository, tempRepository, tryGit } from '../support/repository.ts';
import { type Attack, testAttacks } from './attack-case.ts';
import { GIT_READS, hostileRepository, plantedCanaries, SETTINGS } from './hostile-repository.ts';

/** Calls every tool that reads a repository; they must work, and nothing of the repository must have run. */
async function readAll(repository: TempRepository, runtime: Runtime): Promise<void> {
  for (const [tool, args] of GIT_READS) {
    const { outcome, result } = await runtime.call(tool, args);
    expect({ tool, outcome, error: result.error }).toEqual({ tool, outcome: 'ok', error: null });
  }
  expect(plantedCanaries(repository)).toEqual([]);
}

/** A repository whose settings name a program, on Handrail and on plain git. */
function settingsAttack(id: string, name: keyof typeof SETTINGS): Attack {
  const { title, settings, bites } = SETTINGS[name];
  return {
    id,
    title,
    attack: async () => {
      await using repository = hostileRepository(settings);
      await readAll(repository, await repository.runtime({ dialect: 'handrail' }));
    },
    bites: async () => {
      await using repository = hostileRepository(settings);
      for (const words of bites) {
        for (const canary of plantedCanaries(repository)) rmSync(join(repository.outside, canary));
        tryGit(repository, ...words);
        expect([words, plantedCanaries(repository)]).not.toEqual([words, []]);
      }
    },
  };
}

const ATTACKS: readonly Attack[] = [
  settingsAttack('GT-01', 'fsmonitor'),
  settingsAttack('GT-02', 'differences'),
  settingsAttack('GT-03', 'filters'),
  settingsAttack('GT-04', 'hooks'),
  {
    id: 'GT-01',
    title: 'a repository that is only opened, with an executable git in the workspace (GitSpawn, EN-04)',
    attack: async () => {
      await using repository = hostileRepository(SETTINGS.fsmonitor.settings);
      repository.write('git', `#!/bin/sh\ntouch ${join(repository.outside, 'CAN-program')}\n`);
      const environment = { PATH: `.:${repository.root}:${process.env['PATH'] ?? ''}` };
      const runtime = await repository.runtime({ dialect: 'handrail', environment, readConfig: true });
      runtime.definitions();
      await readAll(repository, runtime);
    },
    bites: async () => {
      await using repository = hostileRepository(SETTINGS.fsmonitor.settings);
      tryGit(repository, 'status');
      expect(plantedCanaries(repository)).not.toEqual([]);
    },
  },
  {
    id: 'GT-03',
    title: 'a submodule whose own settings name programs',
    attack: async () => {
      await using repository = withHostileSubmodule();
      await readAll(repository, await repository.runtime({ dialect: 'handrail' }));
    },
    bites: async () => {
      await using repository = withHostileSubmodule();
      tryGit(repository, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'status');
      expect(plantedCanaries(repository)).not.toEqual([]);
    },
  },
  {
    id: 'GT-05',
    title: 'a folder that is a bare repository itself',
    attack: async () => {
      await using repository = withBareFolder();
      const runtime = await repository.runtime({ dialect: 'handrail' });
      for (const path of ['vendor/bare', 'vendor/bare/objects']) {
        const { reply } = await runtime.call('git_status', { path });
        // It belongs to the repository around it.
        expect(reply).toMatchObject({ ok: true, branch: 'main' });
      }
      await using alone = withBareFolder();
      rmSync(join(alone.root, '.git'), { recursive: true });
      const { reply } = await (await alone.runtime()).call('git_status', { path: 'vendor/bare' });
      expect(reply).toMatchObject({ ok: false, code: 'E_NO_REPOSITORY' });
      expect([...plantedCanaries(repository), ...plantedCanaries(alone)]).toEqual([]);
    },
    bites: async () => {
      await using repository = withBareFolder();
      tryGit(repository, '-C', 'vendor/bare', 'status');
      expect(plantedCanaries(repository)).not.toEqual([]);
    },
  },
  {
    id: 'GT-06',
    title: 'names of commits and paths that are options',
    attack: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n', '--output=CAN': 'x\n' });
      const runtime = await repository.runtime({ dialect: 'handrail' });
      for (const ref of optionsFor(repository)) {
        for (const [tool, args] of [
          ['git_log', { ref }],
          ['git_show', { ref }],
          ['git_diff', { range: ref }],
          ['git_diff', { range: `main..${ref}` }],
          ['git_blame', { ref, path: 'a.txt' }],
        ] as const) {
          const { reply } = await runtime.call(tool, args);
          expect({ tool, ref, reply }).toMatchObject({ reply: { ok: false, code: 'E_INVALID_REF' } });
        }
      }
      const { reply } = await runtime.call('git_log', { path: '--output=CAN' });
      expect(reply).toMatchObject({ ok: true, commits: [{ subject: 'first' }] });
      expect(plantedCanaries(repository)).toEqual([]);
      expect(readdirSync(repository.root).sort()).toEqual(['--output=CAN', '.git', 'a.txt']);
    },
    bites: async () => {
      await using repository = tempRepository({ 'a.txt': 'a\n' });
      tryGit(repository, 'log', ...optionsFor(repository).slice(0, 1));
      expect(plantedCanaries(repository)).not.toEqual([]);
    },
  },
  {
    id: 'GT-10',
    title: 'a .git that leads outside',
    attack: async () => {
      for (const lead of [byFile, byLink, byObjects]) {
        await using repository = tempRepository({ 'a.txt': 'a\n' });
        await using victim = tempRepository({ 'secret.txt': 'the secret of another\n' });
        victim.write('secret.txt', 'another\n');
        lead(repository, victim);
        const runtime = await repository.runtime({ dialect: 'handrail' });
        for (const [tool, args] of GIT_READS) {
          const { reply } = await runtime.call(tool, { ...args, ref: headOf(victim) });
          expect({ lead: lead.name, tool, reply }).toMatchObject({
            reply: { ok: false, code: expect.toBeOneOf(CODES_OUTSIDE) as string },
          });
        }
      }
    },
    bites: async () => {
      for (const lead of [byFile, byLink, byObjects]) {
        await using repository = tempRepository({ 'a.txt': 'a\n' });
        await using victim = tempRepository({ 'secret.txt': 'the secret of another\n' });
        lead(repository, victim);
        expect(tryGit(repository, 'show', headOf(victim)).output).toContain('the secret of another');
      }
    },
  },
];

testAttacks(ATTACKS);

const CODES_OUTSIDE = ['E_OUTSIDE_WORKSPACE', 'E_UNSUPPORTED', 'E_INVALID_ARGS'];

function withHostileSubmodule(): TempRepository {
  const repository = tempRepository({ 'a.txt': 'a\n' });
  mkdirSync(join(repository.outside, 'lib'));
  repository.gitIn('../out/lib', 'init', '-q');
  writeFileSync(join(repository.outside, 'lib/f.txt'), 'f\n');
  repository.gitIn('../out/lib', 'add', '.');
  repository.gitIn('../out/lib', 'commit', '-qm', 'lib');
  repository.git('submodule', '--quiet', 'add', join(repository.outside, 'lib'), 'lib');
  repository.commit('lib');
  const canary = join(repository.outside, 'CAN-submodule');
  repository.gitIn('lib', 'config', 'filter.hostile.clean', `touch ${canary}; cat`);
  repository.write('.git/modules/lib/info/attributes', '* filter=hostile\n');
  repository.write('lib/f.txt', 'g\n');
  repository.write('a.txt', 'b\n');
  return repository;
}

function withBareFolder(): TempRepository {
  const repository = tempRepository({ 'a.txt': 'a\n' });
  repository.git('init', '-q', '--bare', 'vendor/bare');
  const canary = join(repository.outside, 'CAN-bare');
  const bare = ['--git-dir', 'vendor/bare', 'config'];
  repository.git(...bare, 'core.bare', 'false');
  repository.git(...bare, 'core.worktree', '..');
  repository.git(...bare, 'core.fsmonitor', `touch ${canary}; false`);
  return repository;
}

function optionsFor({ outside }: TempRepository): string[] {
  const canary = join(outside, 'CAN-option');
  return [
    `--output=${canary}`,
    `-O${canary}`,
    '--no-index',
    `--upload-pack=touch ${canary}`,
    '-',
    '--',
    '^main',
  ];
}

function headOf(repository: TempRepository): string {
  return repository.git('rev-parse', 'HEAD').trim();
}

function byFile(repository: TempRepository, victim: TempRepository): void {
  rmSync(join(repository.root, '.git'), { recursive: true });
  repository.write('.git', `gitdir: ${join(victim.root, '.git')}\n`);
}

function byLink(repository: TempRepository, victim: TempRepository): void {
  rmSync(join(repository.root, '.git'), { recursive: true });
  symlinkSync(join(victim.root, '.git'), join(repository.root, '.git'));
}

function byObjects(repository: TempRepository, victim: TempRepository): void {
  repository.write('.git/objects/info/alternates', `${join(victim.root, '.git/objects')}\n`);
}

describe('without a sandbox', () => {
  it('nothing that a repository chose is run either', async () => {
    await using repository = hostileRepository((canary) => ({
      ...SETTINGS.fsmonitor.settings(canary),
      ...SETTINGS.differences.settings(canary),
      ...SETTINGS.hooks.settings(),
    }));
    const programs = join(repository.locations.home, 'bin');
    mkdirSync(programs);
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    symlinkSync(git, join(programs, 'git'));
    const runtime = await repository.runtime({
      dialect: 'handrail',
      approve: approver('once'),
      environment: { PATH: programs },
    });
    await readAll(repository, runtime);
    const { reply } = await runtime.call('git_commit', { message: 'second', paths: ['.'] });
    expect(reply).toMatchObject({ ok: true, branch: 'main' });
    expect((await runtime.call('bash', { command: 'true' })).reply).toMatchObject({ sandbox: 'C' });
    expect(plantedCanaries(repository)).toEqual([]);
  });
});

describe('a work tree whose repository is elsewhere', () => {
  it('is read where that repository knows it', async () => {
    await using repository = tempRepository({ 'a.txt': 'a\n' });
    const tree = join(repository.root, '..', 'tree');
    repository.git('worktree', 'add', '-q', '-b', 'side', tree);
    await using workspace = Object.assign(tempRepository(), {});
    rmSync(join(workspace.root, '.git'), { recursive: true });
    rmSync(workspace.root, { recursive: true });
    repository.git('worktree', 'move', tree, workspace.root);
    const runtime = await workspace.runtime({ dialect: 'handrail', approve: approver('once') });
    workspace.write('a.txt', 'b\n');
    const { reply } = await runtime.call('git_status', {});
    expect(reply).toMatchObject({
      ok: true,
      branch: 'side',
      entries: [{ path: 'a.txt', unstaged: 'modified' }],
    });
    expect(existsSync(join(repository.root, '.git/worktrees/tree/index.lock'))).toBe(false);
  });
});
