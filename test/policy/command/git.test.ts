import { describe, expect, it } from 'vitest';
import { analysed, isUnclear, reads, rows } from './analysed.ts';

const READING = `
git status
git status -sb
git status --porcelain=v2 -z
git --no-pager log
git -P log -5
git -C sub status
git -c color.ui=never log
git -c core.quotepath=false status
git -c core.pager=cat log
git --no-optional-locks status
git log
git log --oneline -10
git log -n 5 --stat
git log --graph --all --decorate
git log --grep='--output'
git log --format='%h %s' main..HEAD
git log -p -- src/a.ts
git log --since=yesterday --author=x
git log -S'foo' --name-only
git log -L1,5:f
git diff
git diff --cached
git diff --staged --stat
git diff HEAD~1
git diff main...HEAD -- src
git diff --name-only HEAD
git diff -U5 -w a b
git show
git show HEAD
git show HEAD:src/a.ts
git show --stat HEAD~2
git blame -L 1,10 f
git branch
git branch -a
git branch -vv
git branch --list 'feature/*'
git branch --show-current
git branch --contains HEAD
git tag
git tag -l 'v*'
git tag --list --sort=-v:refname
git remote
git remote -v
git remote get-url origin
git stash list
git stash show -p
git worktree list
git reflog
git reflog show HEAD
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git rev-list --count HEAD
git ls-files
git ls-files -o --exclude-standard
git ls-tree -r HEAD --name-only
git cat-file -p HEAD
git describe --tags --always
git merge-base main HEAD
git shortlog -sn
git grep -n foo
git grep -e foo -- '*.ts'
git for-each-ref --format='%(refname)'
git show-ref --heads
git check-ignore -v f
git count-objects -vH
git version
/usr/bin/git status
`;

const WRITES: readonly (readonly [command: string, change: string])[] = [
  ['git add .', 'add'],
  ['git commit -m x', 'commit'],
  ['git commit --amend --no-edit', 'commit'],
  ['git push', 'push'],
  ['git push origin main', 'push'],
  ['git push --force origin main', 'push --force'],
  ['git push -f', 'push -f'],
  ['git push --delete origin x', 'push --delete'],
  ['git pull', 'pull'],
  ['git fetch', 'fetch'],
  ['git clone x', 'clone'],
  ['git init', 'init'],
  ['git checkout main', 'checkout'],
  ['git checkout -- f', 'checkout'],
  ['git switch -c x', 'switch'],
  ['git restore f', 'restore'],
  ['git reset', 'reset'],
  ['git reset --hard HEAD~1', 'reset --hard'],
  ['git clean -fd', 'clean'],
  ['git rm f', 'rm'],
  ['git mv a b', 'mv'],
  ['git merge x', 'merge'],
  ['git rebase main', 'rebase'],
  ['git cherry-pick x', 'cherry-pick'],
  ['git revert x', 'revert'],
  ['git apply p', 'apply'],
  ['git am p', 'am'],
  ['git branch x', 'branch'],
  ['git branch -d x', 'branch -d'],
  ['git branch -D x', 'branch -D'],
  ['git branch -m a b', 'branch -m'],
  ['git branch --delete x', 'branch --delete'],
  ['git tag v1', 'tag'],
  ['git tag -d v1', 'tag -d'],
  ['git stash', 'stash'],
  ['git stash pop', 'stash pop'],
  ['git stash drop', 'stash drop'],
  ['git stash push -m x', 'stash push'],
  ['git remote add a b', 'remote add'],
  ['git remote remove a', 'remote remove'],
  ['git config user.name x', 'config'],
  ['git config --global core.pager x', 'config --global'],
  ['git config --unset x', 'config --unset'],
  ['git worktree add ../x', 'worktree add'],
  ['git submodule update --init', 'submodule update'],
  ['git bisect start', 'bisect start'],
  ['git notes add', 'notes add'],
  ['git gc', 'gc'],
  ['git reflog expire --all', 'reflog expire'],
  ['git update-ref x y', 'update-ref'],
  ['git filter-branch x', 'filter-branch'],
  ['git update-index --assume-unchanged f', 'update-index'],
  ['git -C sub commit', 'commit'],
  ['git --no-pager commit', 'commit'],
  ['git -c user.name=x commit', 'commit'],
  ['env git push', 'push'],
  ['/usr/bin/git push', 'push'],
  ['./git push', 'push'],
];

const NOT_READING = `
git log --output=CAN
git log --output CAN
git log --outp=CAN
git diff --output=CAN
git diff --ext-diff
git diff --textconv
git show --output=CAN
git log --ext-diff
git -p log
git --paginate log
git grep -O foo
git grep -Ovim foo
git grep --open-files-in-pager=x foo
git grep --textconv foo
git -c core.fsmonitor=./x status
git -c core.pager=./x log
git -c diff.external=./x diff
git -c alias.x='!touch CAN' x
git -c core.sshCommand=./x fetch
git --config-env=core.pager=X log
git --exec-path=. status
git --git-dir=x status
git --work-tree=x status
git st
git lg
git unknown
git "$x"
git $x
git log "$x"
git diff $x
git status --unknown
git archive HEAD -o x
git format-patch HEAD~1
git difftool
git mergetool
git ls-remote
git fetch
git help log
git send-email x
git daemon
git instaweb
git branch x
git tag x
git stash
git remote show origin
git remote update
git
PAGER=./x git log
GIT_PAGER=./x git log
GIT_EXTERNAL_DIFF=./x git diff
GIT_DIR=x git status
GIT_SSH_COMMAND=x git status
./git status
`;

describe('git', () => {
  it.each(rows(READING))('only reads in a sandbox with %s', (command) => {
    expect(reads(command)).toBe('sandboxed');
  });

  it.each(rows(NOT_READING))('is not known to read with %s', (command) => {
    expect(reads(command)).toBe('no');
  });

  it.each(WRITES)('%s changes a repository: %s', (command, change) => {
    const part = analysed(command).parts.at(-1);
    expect({ gitWrite: part?.gitWrite, onlyReads: part?.onlyReads }).toEqual({
      gitWrite: change,
      onlyReads: false,
    });
  });

  it.each(rows(READING))('%s changes no repository', (command) => {
    expect(analysed(command).parts.at(-1)?.gitWrite).toBeUndefined();
  });

  it.each([
    'git st',
    "git -c alias.x='!y' x",
    'git -c core.pager=x log',
    'git --exec-path=. log',
    'git --git-dir=x commit',
    'git "$x"',
    'git -c "$x" log',
  ])('says that %s may run any program', (command) => {
    expect(isUnclear(command)).toBe(true);
  });

  it.each(['git commit -m x', 'git push', 'git branch -d x', 'git format-patch HEAD~1'])(
    'leaves %s to rules',
    (command) => {
      expect(isUnclear(command)).toBe(false);
    },
  );
});
