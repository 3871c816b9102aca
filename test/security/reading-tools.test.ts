/** Programs that are known to read can also write and run others: only the ways that do neither go unasked. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempWorkspace } from '../support/temp-workspace.ts';
import { type CommandAttack, testCommandAttacks, verdictOn } from './command-attack.ts';
import { runUndefended } from './commanding.ts';

const NOT_RUN = {
  noProof: 'they wait for a person, or need a network or a project to show anything',
} as const;

const ATTACKS: readonly CommandAttack[] = [
  {
    id: 'TL-01',
    title: 'find that runs, deletes or writes (CVE-2026-24887)',
    commands: (f) => [
      `find . -maxdepth 0 -exec touch ${f}/01a ';'`,
      `find . -maxdepth 0 -execdir touch ${f}/01b ';'`,
      `find . -maxdepth 0 -exec touch ${f}/01c {} +`,
      `find ${f} -name 01a -delete`,
      `find . -maxdepth 0 -fprintf ${f}/01d x`,
      `find . -maxdepth 0 -fprint ${f}/01e`,
      `find . -maxdepth 0 -fprint0 ${f}/01f`,
      `find . -maxdepth 0 -fls ${f}/01g`,
    ],
  },
  {
    id: 'TL-01',
    title: 'find that asks before it runs',
    commands: (f) => [`find . -ok touch ${f}/01h ';'`, `find . -okdir touch ${f}/01i ';'`],
    runs: NOT_RUN,
  },
  {
    id: 'TL-02',
    title: 'sed that writes or runs (CVE-2025-64755, CVE-2025-66032)',
    commands: (f) => [
      `sed 'w ${f}/02a' alive.txt`,
      `echo x | sed 's/x/touch ${f.replaceAll('/', String.raw`\/`)}\\/02b/e'`,
      `sed '1e touch ${f}/02c' alive.txt`,
      `sed -n 'w ${f}/02d' alive.txt`,
      `sed -e 's/a/b/w ${f}/02e' alive.txt`,
      `sed --expression='w ${f}/02f' alive.txt`,
      `sed 's/x/y/;w ${f}/02g' alive.txt`,
      `sed -e 1d -e 'W ${f}/02h' two.txt`,
      `sed -n '/a/{w ${f}/02i\n}' alive.txt`,
      `sed -i s/x/y/ ${f}/02a`,
      `sed -n -i.bak s/x/y/ ${f}/02a`,
      `sed --in-place=.old s/x/y/ ${f}/02a`,
      `printf 'w ${f}/02j' | sed -f /dev/stdin alive.txt`,
    ],
  },
  {
    id: 'TL-03',
    title:
      'sort that writes or runs, its options whole, glued and cut short (CVE-2026-28363, CVE-2026-32017)',
    commands: (f) => [
      `sort -o ${f}/03a alive.txt`,
      `sort -o${f}/03b alive.txt`,
      `sort -uo ${f}/03c alive.txt`,
      `sort --output=${f}/03d alive.txt`,
      `sort --output ${f}/03e alive.txt`,
      `sort --outp=${f}/03f alive.txt`,
      `sort alive.txt -o ${f}/03g`,
      'seq 40000 | sort -S 32k --compress-program=./run.sh',
      'seq 40000 | sort -S 32k --compress-prog=./run.sh',
      'seq 40000 | sort -S 32k --comp ./run.sh',
      `uniq alive.txt ${f}/03h`,
      `tee ${f}/03i < alive.txt`,
      `dd if=alive.txt of=${f}/03j`,
      `tree -o ${f}/03k 2>/dev/null || echo x > ${f}/03k`,
      `split alive.txt ${f}/03l`,
      `file -C -m alive.txt; xxd alive.txt ${f}/03m || echo x > ${f}/03m`,
    ],
  },
  {
    id: 'TL-04',
    title: 'ripgrep that runs another program (CVE-2025-58764)',
    commands: () => [
      'rg --pre ./run.sh x',
      'rg --pre=./run.sh x',
      'RIPGREP_CONFIG_PATH=./rgrc rg x',
      'export RIPGREP_CONFIG_PATH=./rgrc; rg x',
    ],
  },
  {
    id: 'TL-04',
    title: 'ripgrep that asks a program for the name of the machine, or unpacks',
    commands: () => [
      'rg --hostname-bin=./run.sh x',
      'rg --hostname-bin ./run.sh x',
      'rg -z x',
      'rg --search-zip x',
    ],
    runs: { noProof: 'older versions know no such option, and decompressors are those of the system' },
  },
  {
    id: 'TL-05',
    title: 'pagers, manuals and editors that run what they are told (CVE-2025-66032)',
    commands: () => [
      "man -P './run.sh' ls",
      "man --pager='./run.sh' ls",
      'man -H./run.sh ls',
      'LESSOPEN="|./run.sh %s" less alive.txt',
      "less '+!./run.sh' alive.txt",
      'less -o log alive.txt',
      "PAGER='./run.sh' git -p log",
      "vim -c ':!./run.sh' -c :q",
      "vi -es -c ':!./run.sh' -c :q",
      "ex -c '!./run.sh' x",
      'emacs --eval 1',
      'more alive.txt +!./run.sh',
      'info --output=x ls',
      'help -m ./run.sh',
      'ed alive.txt',
      'nano alive.txt',
    ],
    runs: NOT_RUN,
  },
  {
    id: 'TL-05',
    title: 'readers with a language of their own',
    commands: (f) => [
      `awk 'BEGIN { system("touch ${f}/05a") }'`,
      `awk 'BEGIN { print "x" > "${f}/05b" }'`,
      `awk 'BEGIN { "touch ${f}/05c" | getline }'`,
      `perl -ne 'BEGIN { system "touch ${f}/05d" }' alive.txt`,
      `echo x | xargs -I{} touch ${f}/05e`,
      `diff --to-file=/dev/null alive.txt; tar -cf ${f}/05f alive.txt`,
      `tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=./run.sh alive.txt`,
      `tar -cf /dev/null -I ./run.sh alive.txt; touch ${f}/05g`,
      `git diff --no-index --output=${f}/05h alive.txt two.txt`,
      `git -c alias.x='!touch ${f}/05i' x`,
      `git grep -O'touch ${f}/05j;:' alive`,
      `git log --output=${f}/05k`,
    ],
  },
  {
    id: 'TL-06',
    title: 'what runs the code of a project, or reaches the network (CVE-2025-58374, CVE-2025-55284)',
    commands: () => [
      'npm install',
      'npm test',
      'npm view x',
      'npx x',
      'yarn',
      'pnpm i',
      'cargo test',
      'cargo --version',
      'make',
      'make -n',
      'pip install x',
      'pip download x',
      'go build',
      'ping -c1 x.example',
      'dig x.example',
      'nslookup x.example',
      'host x.example',
      'getent hosts x.example',
      'curl x.example',
      'wget x.example',
      'openssl s_client -connect x.example:443',
      'ssh x.example',
      'nc x.example 80',
      'git fetch',
      'git ls-remote',
      'git clone https://x.example/x',
      'docker ps',
      'gh pr list',
    ],
    runs: NOT_RUN,
  },
];

describe('programs that read', () => {
  testCommandAttacks(ATTACKS, (workspace) => {
    workspace.write('two.txt', 'one\ntwo\n');
    workspace.write('rgrc', '--pre=./run.sh\n');
    workspace.write('run.sh', `#!/bin/sh\necho x >> '${workspace.outside}/ran'\nexec cat\n`);
    chmodSync(join(workspace.root, 'run.sh'), 0o755);
    const git = 'git -c user.name=a -c user.email=a@localhost';
    runUndefended(workspace, `git init -q . && git add alive.txt && ${git} commit -qm alive`);
  });

  it('OK-03 are not asked about where they only read', async () => {
    await using workspace = tempWorkspace({ 'a.txt': '', 'd/b.txt': '' });
    const runtime = await workspace.runtime();
    for (const command of [
      "find . -name '*.txt' -type f",
      'find d -maxdepth 1 -print0',
      "sed -n '1,5p' a.txt",
      "sed 's/write/weep/g' a.txt",
      'sort -u a.txt | uniq -c',
      'sort --reverse a.txt',
      "rg -n --glob '*.txt' pre .",
      "rg -e '--pre' a.txt",
      'head -5 a.txt && tail -5 a.txt && wc -l a.txt',
      'git status && git diff --stat && git log -3 --oneline',
      'ls -la d; stat a.txt; cat a.txt > /dev/null',
    ])
      expect({ command, said: await verdictOn(runtime, command) }).toEqual({ command, said: 'allow' });
  });
});
