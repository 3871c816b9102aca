import { describe, expect, it } from 'vitest';
import { analysed, isUnclear, reads, words } from './analysed.ts';

describe('unwrap', () => {
  it.each([
    ['SH-09 env', 'env rm x'],
    ['SH-09 env with variables', 'env A=1 B=2 rm x'],
    ['SH-09 env with options', 'env -i -u A --chdir=sub -- rm x'],
    ['SH-09 env of env', 'env env env env rm x'],
    ['SH-09 env of sh', "env env env sh -c 'rm x'"],
    ['SH-09 env by path', '/usr/bin/env rm x'],
    ['SH-09 env in the workspace', './env rm x'],
    ['SH-09 env, options not known', 'env --strange rm x'],
    ['SH-09 nice', 'nice rm x'],
    ['SH-09 nice with a number', 'nice -5 rm x'],
    ['SH-09 nice -n', 'nice -n 5 rm x'],
    ['SH-09 timeout', 'timeout 5 rm x'],
    ['SH-09 timeout with options', 'timeout -k 1s --signal=KILL 5 rm x'],
    ['SH-09 setsid', 'setsid rm x'],
    ['SH-09 setsid -w', 'setsid -w rm x'],
    ['SH-09 nohup', 'nohup rm x &'],
    ['SH-09 stdbuf', 'stdbuf -o0 -eL rm x'],
    ['SH-09 command', 'command rm x'],
    ['SH-09 command -p', 'command -p -- rm x'],
    ['SH-09 exec', 'exec rm x'],
    ['SH-09 exec -a', 'exec -a ls rm x'],
    ['SH-09 builtin', 'builtin rm x'],
    ['SH-09 busybox', 'busybox rm x'],
    ['SH-09 busybox sh', "busybox sh -c 'rm x'"],
    ['SH-09 time', 'time rm x'],
    ['SH-09 time program', '/usr/bin/time -v rm x'],
    ['SH-09 time with a file', '/usr/bin/time -o f rm x'],
    ['SH-09 sudo', 'sudo rm x'],
    ['SH-09 sudo with options', 'sudo -n -u root A=1 rm x'],
    ['SH-09 doas', 'doas -u root rm x'],
    ['SH-09 chroot', 'chroot / rm x'],
    ['SH-09 flock', 'flock f rm x'],
    ['SH-09 flock -c', "flock f -c 'rm x'"],
    ['SH-09 watch', 'watch -n 1 rm x'],
    ['SH-09 watch -x', 'watch -x rm x'],
    ['SH-09 strace', 'strace -f -o f rm x'],
    ['SH-09 ionice', 'ionice -c2 -n 0 rm x'],
    ['SH-09 taskset', 'taskset -c 0 rm x'],
    ['SH-09 chrt', 'chrt -b 0 rm x'],
    ['SH-09 unshare', 'unshare -r --pid --fork rm x'],
    ['SH-09 fakeroot', 'fakeroot rm x'],
    ['SH-09 parallel', 'parallel rm x'],
    ['SH-09 sh -c', "sh -c 'rm x'"],
    ['SH-09 bash -lc', "bash -lc 'rm x'"],
    ['SH-09 bash -c -e', "bash -c -e 'rm x'"],
    ['SH-09 bash -o pipefail -c', "bash -o pipefail -c 'rm x'"],
    ['SH-09 bash -euo pipefail -c', "bash -euo pipefail -c 'rm x'"],
    ['SH-09 bash --norc -c', "bash --norc -c 'rm x' a b"],
    ['SH-09 bash, options not known', "bash -O extglob -c 'rm x'"],
    ['SH-09 dash', "dash -c 'rm x'"],
    ['SH-09 zsh', "zsh -c 'rm x'"],
    ['SH-09 sh of sh', `sh -c "sh -c 'rm x'"`],
    ['SH-09 eval', 'eval rm x'],
    ['SH-09 eval of eval', "eval eval 'rm x'"],
    ['SH-09 trap', "trap 'rm x' INT"],
    ['SH-09 trap --', "trap -- 'rm x' INT"],
    ['SH-09 alias', "alias ls='rm x'"],
    ['SH-09 find -exec', 'find . -exec rm x \\;'],
    ['SH-09 find -execdir +', 'find . -execdir rm x +'],
    ['SH-09 git alias', "git -c alias.y='!rm x' y"],
    ['SH-09 git setting', "git -c core.pager='rm x' log"],
    ['SH-09 git bisect run', 'git bisect run rm x'],
    ['SH-09 git submodule foreach', "git submodule foreach 'rm x'"],
    ['SH-09 git rebase -x', "git rebase -x 'rm x' main"],
    ['SH-09 git rebase --exec', "git rebase --exec='rm x' main"],
    ['SH-09 many', "env nice timeout 5 nohup stdbuf -o0 setsid sh -c 'rm x'"],
    ['an empty variable in front', '$empty rm x'],
  ])('finds the command in %s', (_, command) => {
    expect(words(command).filter((text) => text.startsWith('rm x')).length).toBeGreaterThan(0);
    expect(reads(command)).toBe('no');
  });

  it('names a program by its path where it was', () => {
    expect(words('/usr/bin/rm x; ./rm x')).toEqual(['/usr/bin/rm x', './rm x']);
  });

  it.each<[command: string, expected: string[]]>([
    ['xargs rm', ['xargs rm', 'rm ?']],
    ['xargs -0 -n 1 rm -f', ['xargs -0 -n 1 rm -f', 'rm -f ?']],
    ['xargs -I{} mv {} {}.old', ['xargs -I{} mv {} {}.old', 'mv ? ?']],
    ['xargs -I % sh -c "rm %"', ['xargs -I % sh -c rm %', 'sh -c ?']],
    ['xargs', ['xargs', 'echo ?']],
    ['xargs -i rm {}', ['xargs -i rm {}', 'rm ?']],
    ['xargs --unknown rm', ['xargs --unknown rm', 'rm']],
    [
      'find . -exec cp {} sub/{} \\; -exec ls \\;',
      ['find . -exec cp {} sub/{} ; -exec ls ;', 'cp ? ?', 'ls'],
    ],
  ])('leaves open what %s puts in', (command, expected) => {
    expect(words(command)).toEqual(expected);
  });

  it('says of a wrapper that it only starts what is a part of its own', () => {
    const [wrapper, inner] = analysed('timeout 5 npm test').parts;
    expect([wrapper, inner]).toEqual([
      {
        words: ['timeout', '5', 'npm', 'test'],
        text: 'timeout 5 npm test',
        assignments: [],
        directory: '.',
        onlyReads: 'always',
        isWrapper: true,
      },
      { words: ['npm', 'test'], text: 'npm test', assignments: [], directory: '.', onlyReads: false },
    ]);
  });

  it.each([
    'sudo ls',
    'nohup ls',
    'setsid ls',
    'chroot . ls',
    'strace ls',
    './timeout 5 ls',
    'A=1 timeout 5 ls',
    'trap ls INT',
    'fakeroot ls',
  ])('says of %s that it does more', (command) => {
    const [wrapper] = analysed(command).parts;
    expect({ isWrapper: wrapper?.isWrapper, onlyReads: wrapper?.onlyReads }).toEqual({
      isWrapper: undefined,
      onlyReads: false,
    });
  });

  it('hands variables on to what is inside', () => {
    const { parts } = analysed("A=1 env B=2 sh -c 'C=3 npm test'");
    expect(parts.map(({ words: [program], assignments }) => [program, assignments])).toEqual([
      ['env', ['A']],
      ['sh', ['A', 'B']],
      ['npm', ['A', 'B', 'C']],
    ]);
  });

  it.each([
    'env',
    'timeout 5',
    'nice',
    'time',
    'exec',
    'command',
    'eval',
    'sudo',
    'xargs --help',
    'find . -exec',
  ])('stands %s without a command', (command) => {
    expect(analysed(command).parts.length).toBeLessThan(3);
  });

  it.each([
    'env A=1 B=$x ls',
    'env A=$x ls',
    'timeout 5* ls',
    'timeout $x ls',
    'nice -n $x ls',
    'sudo A=1 B=$x ls',
    'flock f* ls',
  ])('can not tell the command of %s, where a word may become several', (command) => {
    expect(isUnclear(command)).toBe(true);
  });

  it.each(['sh build.sh', 'bash ./x y', './run', 'npm test'])('leaves %s to rules', (command) => {
    expect(isUnclear(command)).toBe(false);
  });
});
