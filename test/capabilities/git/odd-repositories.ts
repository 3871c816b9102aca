/** Repositories of every odd kind. What git says about them is what our tools have to say. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TempRepository, tempRepository, tryGit } from '../../support/repository.ts';

const NUMBERS = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');
const append = (repository: TempRepository, path: string, text: string): void =>
  appendFileSync(join(repository.root, path), text);

function conflicting(): TempRepository {
  const repository = tempRepository({ 'a.txt': 'a\n', 'b.txt': NUMBERS, 'gone.txt': 'g\n' });
  repository.git('switch', '-qc', 'other');
  repository.write('a.txt', 'theirs\n');
  repository.write('both.txt', 'theirs\n');
  repository.git('rm', '-q', 'gone.txt');
  repository.commit('theirs');
  repository.git('switch', '-q', 'main');
  repository.write('a.txt', 'ours\n');
  repository.write('both.txt', 'ours\n');
  repository.write('gone.txt', 'changed\n');
  repository.commit('ours');
  tryGit(repository, 'merge', 'other');
  return repository;
}

function withSubmodules(): TempRepository {
  const repository = tempRepository({ 'a.txt': 'a\n' });
  mkdirSync(join(repository.outside, 'lib'));
  const lib = '../out/lib';
  repository.gitIn(lib, 'init', '-q');
  writeFileSync(join(repository.outside, 'lib/f.txt'), 'f\n');
  repository.gitIn(lib, 'add', '.');
  repository.gitIn(lib, 'commit', '-qm', 'lib');
  for (const name of ['clean', 'dirty', 'moved', 'untracked', 'quiet', 'absent'])
    repository.git('submodule', '--quiet', 'add', join(repository.outside, 'lib'), `libs/${name}`);
  repository.git('config', '-f', '.gitmodules', 'submodule.libs/quiet.ignore', 'all');
  repository.commit('submodules');
  append(repository, 'libs/dirty/f.txt', 'more\n');
  append(repository, 'libs/quiet/f.txt', 'more\n');
  repository.gitIn('libs/moved', 'commit', '-q', '--allow-empty', '-m', 'on');
  append(repository, 'libs/moved/f.txt', 'more\n');
  repository.write('libs/untracked/new.txt', '');
  repository.git('submodule', '--quiet', 'deinit', 'libs/absent');
  append(repository, 'a.txt', 'b\n');
  return repository;
}

function sparse(...options: string[]): TempRepository {
  const repository = tempRepository({
    'in/a.txt': 'a\n',
    'out/b.txt': 'b\n',
    'out/deep/c.txt': 'c\n',
    'top.txt': '',
  });
  repository.git('sparse-checkout', 'set', ...options, 'in');
  append(repository, 'in/a.txt', 'more\n');
  repository.write('in/new.txt', '');
  return repository;
}

/** Each by what is odd about it; `at` is where it is looked at. */
export const ODD_REPOSITORIES: Readonly<Record<string, () => { repository: TempRepository; at?: string }>> = {
  'renames, modes and types': () => {
    const repository = tempRepository({
      'old.txt': NUMBERS,
      'b.txt': NUMBERS.toUpperCase(),
      run: '',
      link: 'x\n',
    });
    repository.git('mv', 'old.txt', 'new => name.txt');
    renameSync(join(repository.root, 'b.txt'), join(repository.root, 'c.txt'));
    repository.git('add', '-N', 'c.txt');
    chmodSync(join(repository.root, 'run'), 0o755);
    rmSync(join(repository.root, 'link'));
    symlinkSync('run', join(repository.root, 'link'));
    append(repository, 'new => name.txt', 'more\n');
    repository.write('new/folder/x', '');
    return { repository };
  },
  'a merge with conflicts': () => ({ repository: conflicting() }),
  submodules: () => ({ repository: withSubmodules() }),
  'a work tree beside the main one': () => {
    const repository = tempRepository({ 'a.txt': 'a\n', '.gitignore': 'trees\n' });
    repository.git('worktree', 'add', '-q', '-b', 'side', 'trees/side');
    append(repository, 'trees/side/a.txt', 'side\n');
    append(repository, 'a.txt', 'main\n');
    return { repository, at: 'trees/side' };
  },
  'a sparse checkout': () => ({ repository: sparse('--no-cone') }),
  'a sparse index': () => ({ repository: sparse('--cone', '--sparse-index') }),
  'names of every kind': () => {
    const names = [
      'ünï.txt',
      '日本/本.txt',
      'a b',
      '-rf',
      'quo"te',
      'tab\tbed',
      'new\nline',
      ':(top)x',
      '*',
      '$(x)',
    ];
    const repository = tempRepository(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    for (const name of names) append(repository, name, 'y\n');
    repository.write('neu/ä.txt', '');
    return { repository };
  },
  'no commits yet': () => {
    const repository = tempRepository();
    repository.write('staged.txt', 's\n');
    repository.git('add', '.');
    repository.write('new.txt', '');
    return { repository };
  },
  'line endings that git converts': () => {
    const repository = tempRepository({
      'a.txt': 'a\nb\n',
      '.gitattributes': '*.bin -text\n',
      'x.bin': 'a\r\n',
    });
    repository.git('config', 'core.autocrlf', 'true');
    repository.write('a.txt', 'a\r\nb\r\n');
    repository.write('x.bin', 'a\n');
    return { repository };
  },
  'settings and lists of what is ignored': () => {
    const repository = tempRepository({ 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    repository.git('config', 'core.fileMode', 'false');
    chmodSync(join(repository.root, 'a.txt'), 0o755);
    repository.write('.git/info/exclude', '*.secret\n');
    writeFileSync(join(repository.locations.home, 'ignored'), '*.mine\n');
    repository.git('config', '--global', 'core.excludesFile', '~/ignored');
    for (const name of ['x.log', 'x.secret', 'x.mine', 'x.txt']) repository.write(name, '');
    return { repository };
  },
  'a split index, packed refs and a stash': () => {
    const repository = tempRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    append(repository, 'a.txt', 'put away\n');
    repository.git('stash', 'push', '-q');
    repository.git('update-index', '--split-index');
    append(repository, 'b.txt', 'staged\n');
    repository.git('add', 'b.txt');
    repository.git('branch', 'other');
    repository.git('gc', '--quiet');
    repository.git('checkout', '-q', '--detach');
    return { repository };
  },
  'other ids (SHA-256)': () => {
    const repository = tempRepository({ 'a.txt': 'a\n' }, '--object-format=sha256');
    append(repository, 'a.txt', 'b\n');
    return { repository };
  },
  'a rebase that is not over': () => {
    const repository = conflicting();
    repository.git('merge', '--abort');
    tryGit(repository, 'rebase', 'other');
    return { repository };
  },
};
