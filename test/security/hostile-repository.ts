/** Repositories that name programs wherever git takes one; each leaves a canary outside the workspace when it runs. */
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TempRepository, tempRepository } from '../support/repository.ts';

/** What a repository says, and with which commands plain git obeys it. */
interface HostileSettings {
  readonly title: string;
  /** Settings and their values, from a line of shell that leaves a canary of the given name. */
  readonly settings: (canary: (name: string) => string) => Readonly<Record<string, string>>;
  readonly bites: readonly (readonly string[])[];
}

/** The usual care, which is not enough. */
const CAREFUL = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

export const SETTINGS = {
  fsmonitor: {
    title: 'a monitor of the file system (CVE-2026-45033, CVE-2026-72718)',
    settings: (canary) => ({ 'core.fsmonitor': canary('fsmonitor') }),
    bites: [['status'], ['diff'], ['ls-files', '-m']],
  },
  differences: {
    title: 'programs that show differences',
    settings: (canary) => ({
      'diff.external': canary('external'),
      'diff.hostile.command': canary('command'),
      'diff.hostile.textconv': canary('textconv'),
      'diff.hostile.cachetextconv': 'false',
    }),
    bites: [['diff'], [...CAREFUL, 'log', '-p', '--ext-diff'], ['blame', 'a.txt']],
  },
  filters: {
    title: 'filters, against the usual care',
    settings: (canary) => ({
      'filter.hostile.clean': `${canary('clean')}; cat`,
      'filter.hostile.smudge': `${canary('smudge')}; cat`,
      'filter.hostile.required': 'true',
    }),
    bites: [
      [...CAREFUL, 'status'],
      [...CAREFUL, 'diff', '--no-ext-diff', '--no-textconv'],
      [...CAREFUL, 'diff', 'HEAD'],
    ],
  },
  hooks: {
    title: 'hooks, by their folder and by its name',
    settings: () => ({ 'core.hooksPath': '.hooks' }),
    bites: [['update-index', '--refresh', '--add', 'b.txt']],
  },
} satisfies Record<string, HostileSettings>;

const HOOKS = [
  'pre-commit',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
];

/** A repository with something to see for every tool, and with such settings. */
export function hostileRepository(settingsWith: HostileSettings['settings']): TempRepository {
  const repository = tempRepository({
    'a.txt': 'one\ntwo\n',
    '.gitattributes': '* filter=hostile diff=hostile merge=hostile\n',
  });
  const canary = (name: string): string => `touch '${join(repository.outside, `CAN-${name}`)}'`;
  // As long as before, so that git has to look into it.
  repository.write('a.txt', 'one\nTWO\n');
  repository.write('b.txt', 'new\n');
  for (const folder of ['.hooks', '.git/hooks'])
    for (const hook of HOOKS) {
      repository.write(`${folder}/${hook}`, `#!/bin/sh\n${canary(hook)}\n`);
      chmodSync(join(repository.root, folder, hook), 0o755);
    }
  for (const [name, value] of Object.entries(settingsWith(canary))) repository.git('config', name, value);
  for (const name of plantedCanaries(repository)) throw new Error(`${name} was there too early`);
  return repository;
}

/** What programs left behind. */
export function plantedCanaries({ outside }: TempRepository): string[] {
  return readdirSync(outside).filter((name) => name.startsWith('CAN'));
}

/** Every tool that looks at a repository. */
export const GIT_READS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['git_status', {}],
  ['git_diff', {}],
  ['git_diff', { staged: true }],
  ['git_diff', { range: 'HEAD' }],
  ['git_log', {}],
  ['git_show', { ref: 'HEAD' }],
  ['git_show', { ref: 'HEAD', path: 'a.txt', content: true }],
  ['git_blame', { path: 'a.txt' }],
];
