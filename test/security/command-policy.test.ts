/** A command runs only if every part of it is permitted, however the part is written; what can't be told is not permitted. */
import { chmodSync, copyFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.ts';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { type CommandAttack, testCommandAttacks, verdictOn } from './command-attack.ts';
import { ALLOW_ALL, runUndefended } from './commanding.ts';

const allow = (...command: string[]): Rule[] => [
  { action: 'allow', permission: 'proc.exec', command },
  { action: 'allow', permission: ['fs.read', 'fs.write'] },
];
const ECHO = allow('echo *', 'cat *', 'true', ':', 'ls', 'cd *');
const DENY_TOUCH: Rule[] = [
  ALLOW_ALL,
  { action: 'deny', permission: 'proc.exec', command: ['touch', 'touch *'] },
];

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());
const port = (): number => (server.address() as { port: number }).port;

const ATTACKS: readonly CommandAttack[] = [
  {
    id: 'SH-01',
    title: 'a second command behind, before or inside an allowed one',
    rules: ECHO,
    commands: (f) => [
      `echo a && touch ${f}/01a`,
      `! echo a || touch ${f}/01b`,
      `echo a; touch ${f}/01c`,
      `echo a | touch ${f}/01d`,
      `echo a & touch ${f}/01e`,
      `(echo a; touch ${f}/01f)`,
      `{ echo a; touch ${f}/01g; }`,
      `if echo a; then touch ${f}/01h; fi`,
      `for x in a; do touch ${f}/01i; done`,
      `case a in a) touch ${f}/01j;; esac`,
      `while touch ${f}/01k; do break; done`,
      `until touch ${f}/01l; do break; done`,
      `f() { touch ${f}/01m; }; f`,
    ],
  },
  {
    id: 'SH-02',
    title: 'line ends (CVE-2025-54377)',
    rules: ECHO,
    commands: (f) => [
      `echo a\ntouch ${f}/02a`,
      `echo a\r\ntouch ${f}/02b`,
      `tou\\\nch ${f}/02c`,
      `echo a # b\ntouch ${f}/02d`,
      `echo a \\\n; touch ${f}/02e`,
    ],
  },
  {
    id: 'SH-03',
    title: 'substitutions (CVE-2025-54131)',
    rules: ECHO,
    commands: (f) => [
      `echo $(touch ${f}/03a)`,
      `echo \`touch ${f}/03b\``,
      `echo $(echo $(touch ${f}/03c))`,
      `echo "a $(touch ${f}/03d)"`,
      `cat <<END\n$(touch ${f}/03e)\nEND`,
      `echo "\${x:-$(touch ${f}/03f)}"`,
      `echo $((1 + $(touch ${f}/03g; echo 1)))`,
    ],
  },
  {
    id: 'SH-04',
    title: 'substitutions of processes (CVE-2025-57771)',
    rules: ECHO,
    commands: (f) => [`cat <(touch ${f}/04a)`, `echo a > >(touch ${f}/04b); wait $!`],
    runs: 'bash',
  },
  {
    id: 'SH-05',
    title: 'expansions of parameters that run commands (CVE-2026-29783, CVE-2025-58370)',
    rules: ECHO,
    commands: (f) => [
      `a='$(touch ${f}/05a)'; echo \${a@P}`,
      `echo \${x:=$(touch ${f}/05b)}`,
      `v='a[$(touch ${f}/05c)]'; echo \${!v}`,
      `a='b[$(touch ${f}/05d)]'; echo $((a))`,
      `PS4='$(touch ${f}/05e)'; set -x; echo a`,
    ],
    runs: 'bash',
  },
  {
    id: 'SH-06',
    title: 'words without blanks between them (CVE-2025-66032)',
    rules: ECHO,
    commands: (f, { outside }) => [
      `touch\${IFS}${f}/06a`,
      `cat<${outside}/s.txt`,
      `cat<${outside}/s.txt|cat`,
    ],
  },
  {
    id: 'SH-07',
    title: 'a denied name in disguise',
    rules: DENY_TOUCH,
    verdicts: ['deny'],
    commands: (f) => [
      `touch ${f}/07a`,
      `to''uch ${f}/07b`,
      `t\\ouch ${f}/07c`,
      `"touch" ${f}/07d`,
      `x=touch; $x ${f}/07e`,
      `$'touch' ${f}/07f`,
      `'to'"uch" ${f}/07g`,
      `{touch,${f}/07h}`,
      `$(echo touch) ${f}/07i`,
      `/usr/bin/t?uch ${f}/07j`,
      `x=to; "$x"uch ${f}/07k`,
      `env t[o]uch ${f}/07l`,
    ],
    runs: 'bash',
  },
  {
    id: 'SH-08',
    title:
      'functions, aliases, traps and variables that change what an allowed command does (CVE-2026-22708)',
    rules: allow('ls', 'echo *', 'git diff', 'git diff *', 'true', ':'),
    commands: (f) => [
      `alias ls='touch ${f}/08a'\nls`,
      `ls() { touch ${f}/08b; }; ls`,
      `trap 'touch ${f}/08c' EXIT`,
      `GIT_EXTERNAL_DIFF='touch ${f}/08d;:' git diff`,
      `export GIT_EXTERNAL_DIFF='touch ${f}/08e;:'; git diff`,
      `eval 'touch ${f}/08f'`,
      `echo 'touch ${f}/08g' > run.sh; . ./run.sh`,
      `PATH=$PWD/programs:$PATH; F=${f}/08h ls`,
      `git -c diff.external='touch ${f}/08i;:' diff`,
      `echo 'touch ${f}/08k' | sh`,
      `set -a; GIT_EXTERNAL_DIFF='touch ${f}/08j;:'; git diff`,
    ],
  },
  {
    id: 'SH-09',
    title: 'a denied program behind a path or a wrapper (CVE-2025-11490, CVE-2026-32023)',
    rules: DENY_TOUCH,
    verdicts: ['deny'],
    commands: (f) => [
      `/usr/bin/touch ${f}/09a`,
      `./touch ${f}/09b`,
      `env touch ${f}/09c`,
      `env env env sh -c 'touch ${f}/09d'`,
      `nice touch ${f}/09e`,
      `timeout 5 touch ${f}/09f`,
      `setsid -w touch ${f}/09g`,
      `nohup touch ${f}/09h`,
      `echo ${f}/09i | xargs touch`,
      `stdbuf -o0 touch ${f}/09j`,
      `command touch ${f}/09k`,
      `exec touch ${f}/09l`,
      `find . -maxdepth 0 -exec touch ${f}/09m ';'`,
      `sh -c 'sh -c "touch ${f}/09n"'`,
      `${'env '.repeat(12)}touch ${f}/09o`,
      `eval touch ${f}/09p`,
      `env -S 'touch ${f}/09q'`,
      `xargs -I{} touch ${f}/09r < alive.txt`,
    ],
  },
  {
    id: 'SH-10',
    title: 'redirections to the outside (CVE-2026-24053)',
    rules: ECHO,
    commands: (_, { outside }) => [
      `echo x > ${outside}/10a`,
      `echo x >> ${outside}/10b`,
      `echo x >| ${outside}/10c`,
      `echo x 1<> ${outside}/10d`,
      `echo x &> ${outside}/10e`,
      `ls nothing 2> ${outside}/10f`,
      `echo x >& ${outside}/10g`,
      `echo x 7> ${outside}/10h`,
      `> ${outside}/10i`,
      `exec 3> ${outside}/10j`,
      `echo x > ../out/10k`,
      `cat < alive.txt > $(echo ${outside}/10l)`,
      `echo x > "$PWD/../out/10m"`,
      `{ echo x; } > ${outside}/10n`,
    ],
    runs: 'bash',
  },
  {
    id: 'SH-10',
    title: 'redirections to the network',
    rules: ECHO,
    commands: (f) => [`echo x > /dev/tcp/127.0.0.1/${port()} && echo y > ${f}/10o`],
    runs: 'bash',
  },
  {
    id: 'SH-11',
    title: 'another directory before the path (CVE-2026-25722)',
    rules: allow('cd *', 'pushd *', 'touch *', 'echo *', 'git *', 'env *'),
    commands: () => [
      'cd sub && echo x > ../../out/11a',
      'cd .. && touch out/11b',
      'cd ../out; touch 11c',
      '(cd ../out && touch 11d)',
      'cd sub/.. && cd .. && echo x > out/11e',
      'pushd ../out && touch 11f',
      'env -C ../out touch 11g',
      'git -C ../out init -q 11h',
      'git --git-dir=../out/11i init -q --bare',
      'd=../out; cd $d && touch 11j',
      'CDPATH=..; cd out && touch 11k',
      'make -C ../out -f "$PWD/Makefile"',
      'tar -C ../out -xf files.tar',
    ],
    runs: 'bash',
  },
  {
    id: 'SH-12',
    title: 'a denied part behind more than anybody looks at',
    rules: DENY_TOUCH,
    verdicts: ['deny'],
    commands: (f) => [
      `${'true; '.repeat(60)}touch ${f}/12a`,
      `${'true; '.repeat(1_500)}touch ${f}/12b`,
      `echo ${'x'.repeat(12_000)}; touch ${f}/12c`,
      `: ${'$('.repeat(40)}touch ${f}/12d${')'.repeat(40)}`,
    ],
  },
  {
    id: 'SH-12',
    title: 'what no shell would agree about',
    rules: ECHO,
    commands: () => [
      `echo '${'x'.repeat(12_000)}'`,
      "echo 'a",
      'echo "a',
      'echo $(a',
      'echo `a',
      'if true; then echo a',
      'echo a; coproc echo b',
      'select x in a; do echo $x; done',
      'echo ${',
      'cat <<END\nno end',
    ],
    runs: { noProof: 'nothing is harmed: the point is that nobody guesses' },
  },
];

describe('commands', () => {
  testCommandAttacks(ATTACKS, (workspace) => {
    copyFileSync('/usr/bin/touch', join(workspace.root, 'touch'));
    workspace.write('programs/ls', '#!/bin/sh\ntouch "$F"\n');
    chmodSync(join(workspace.root, 'programs/ls'), 0o755);
    workspace.write('Makefile', 'all:\n\ttouch 11l\n');
    runUndefended(
      workspace,
      'mkdir t && touch t/11m && tar -C t -cf files.tar 11m; git init -q . && git add alive.txt && echo changed > alive.txt',
    );
  });

  it('SH-09 are denied in more wrappers than anybody counts, or not understood', async () => {
    await using workspace = tempWorkspace();
    const runtime = await workspace.runtime({ rules: DENY_TOUCH });
    for (const depth of [1, 5, 12, 30, 200]) {
      const command = `${'env '.repeat(depth)}touch x`;
      expect({ depth, said: await verdictOn(runtime, command) }).toEqual({ depth, said: 'deny' });
    }
    expect(await verdictOn(runtime, 'busybox touch x')).toBe('deny');
  });
});
