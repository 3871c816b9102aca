import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { analysed, isUnclear, reads, words } from './analysed.ts';

type HidingRow = [id: string, command: string, shell?: 'bash' | 'dash'];

/** Commands in which `touch CAN` hides, by case of the attack catalogue; `bash` where only bash reads them without an error. */
const HIDING: HidingRow[] = [
  ['SH-01 &&', 'echo a && touch CAN'],
  ['SH-01 ||', 'echo a || touch CAN'],
  ['SH-01 ;', 'echo a; touch CAN'],
  ['SH-01 |', 'echo a | touch CAN'],
  ['SH-01 |&', 'echo a |& touch CAN', 'bash'],
  ['SH-01 &', 'echo a & touch CAN'],
  ['SH-01 background', 'touch CAN &'],
  ['SH-01 subshell', '(touch CAN)'],
  ['SH-01 nested subshells', '( ( touch CAN ) )'],
  ['SH-01 group', '{ touch CAN; }'],
  ['SH-01 if', 'if true; then touch CAN; fi'],
  ['SH-01 condition', 'if touch CAN; then echo; fi'],
  ['SH-01 elif', 'if false; then :; elif touch CAN; then :; fi'],
  ['SH-01 else', 'if false; then :; else touch CAN; fi'],
  ['SH-01 for', 'for i in a b; do touch CAN; done'],
  ['SH-01 for without words', 'for i do touch CAN; done'],
  ['SH-01 while', 'while touch CAN; do break; done'],
  ['SH-01 until', 'until false; do touch CAN; done'],
  ['SH-01 case', 'case x in x) touch CAN;; esac'],
  ['SH-01 case with parentheses', 'case x in (x) touch CAN;; esac'],
  ['SH-01 case falls through', 'case x in x) :;& y) touch CAN;; esac', 'bash'],
  ['SH-01 case word', 'case $(touch CAN) in x) ;; esac'],
  ['SH-01 case pattern', 'case x in $(touch CAN)) ;; esac'],
  ['SH-01 select', 'select x in a; do touch CAN; done', 'bash'],
  ['SH-01 negation', '! touch CAN'],
  ['SH-01 time', 'time touch CAN'],
  ['SH-01 coproc', 'coproc touch CAN'],
  ['SH-01 coproc group', 'coproc x { touch CAN; }', 'bash'],
  ['SH-01 arithmetic for', 'for ((i=0;i<1;i++)); do touch CAN; done', 'bash'],
  ['SH-02 newline', 'echo a\ntouch CAN'],
  ['SH-02 newlines and comment', 'echo a # b\n\n\ttouch CAN'],
  ['SH-02 continuation in a word', 'tou\\\nch CAN'],
  ['SH-02 continuation between words', 'touch \\\n CAN'],
  ['SH-03 substitution', 'echo $(touch CAN)'],
  ['SH-03 backquotes', 'echo `touch CAN`'],
  ['SH-03 nested', 'echo $(echo $(touch CAN))'],
  ['SH-03 nested backquotes', 'echo `echo \\`touch CAN\\``'],
  ['SH-03 in double quotes', 'echo "a $(touch CAN) b"'],
  ['SH-03 backquotes in double quotes', 'echo "`touch CAN`"'],
  ['SH-03 nested double quotes', 'echo "$(echo "$(touch CAN)")"'],
  ['SH-03 here-document', 'cat <<E\n$(touch CAN)\nE'],
  ['SH-03 here-document, backquotes', 'cat <<E\n`touch CAN`\nE'],
  ['SH-03 here-document with tabs', 'cat <<-E\n\t$(touch CAN)\n\tE'],
  ['SH-03 here-document, default value', 'cat <<E\n${x:-$(touch CAN)}\nE'],
  ['SH-03 behind a here-document', "cat <<'E'\nquiet\nE\ntouch CAN"],
  ['SH-03 here-string', 'cat <<< "$(touch CAN)"', 'bash'],
  ['SH-03 in a redirection', 'echo > "$(touch CAN)"'],
  ['SH-03 in an assignment', 'x=$(touch CAN)'],
  ['SH-03 in a prefix', 'LANG=$(touch CAN) ls'],
  ['SH-03 in words of for', 'for i in $(touch CAN); do :; done'],
  ['SH-03 in an array', 'x=(a $(touch CAN))', 'bash'],
  ['SH-03 in an index', 'x[$(touch CAN)]=1'],
  ['SH-03 in arithmetic', 'echo $((1 + $(touch CAN)))'],
  ['SH-03 in an arithmetic command', '((x = $(touch CAN)))', 'bash'],
  ['SH-03 in a test', '[[ -n $(touch CAN) ]]'],
  ['SH-03 in export', 'export X=$(touch CAN)'],
  ['SH-03 in declare', 'declare -a x=($(touch CAN))', 'bash'],
  ['SH-03 in a brace expansion', 'echo {a,$(touch CAN)}'],
  ['SH-03 in a locale string', 'echo $"$(touch CAN)"'],
  ['SH-04 process substitution', 'cat <(touch CAN)', 'bash'],
  ['SH-04 output process substitution', 'echo > >(touch CAN)', 'bash'],
  ['SH-05 default', 'echo ${x:-$(touch CAN)}'],
  ['SH-05 assigning default', ': ${x:=$(touch CAN)}'],
  ['SH-05 alternative', 'echo ${x:+$(touch CAN)}'],
  ['SH-05 error', 'echo ${x:?$(touch CAN)}'],
  ['SH-05 removed prefix', 'echo ${x#$(touch CAN)}'],
  ['SH-05 replaced', 'echo ${x/a/$(touch CAN)}', 'bash'],
  ['SH-05 slice', 'echo ${x:$(touch CAN):2}', 'bash'],
  ['SH-05 index', 'echo ${x[$(touch CAN)]}', 'bash'],
  ['SH-05 nested defaults', 'echo "${x:-${y:-$(touch CAN)}}"'],
  ['SH-07 quotes in the name', "to''uch CAN"],
  ['SH-07 escaped', 't\\ouch CAN'],
  ['SH-07 quoted', '"touch" CAN'],
  ['SH-07 quoted operand', "'touch' 'CAN'"],
  ['SH-08 function', 'ls() { touch CAN; }; ls'],
  ['SH-08 function keyword', 'function ls { touch CAN; }; ls', 'bash'],
  ['SH-08 function of a subshell', 'ls() (touch CAN); ls'],
  ['SH-08 trap', "trap 'touch CAN' EXIT"],
  ['SH-08 alias', "alias ls='touch CAN'"],
  ['SH-08 eval', "eval 'touch CAN'"],
  ['SH-08 eval of words', 'eval touch CAN'],
  ['behind &>', 'echo a &> f touch CAN'],
  ['an arithmetic command that is none', '((touch CAN))'],
  ['an extended glob that is none', '!(touch CAN)'],
];

describe('analyseCommand', () => {
  it.each<HidingRow>(HIDING)('finds what hides in %s', (_, command) => {
    expect(words(command)).toContain('touch CAN');
    expect(reads(command)).toBe('no');
  });

  it.each<HidingRow>(HIDING)('knows %s as real shells do', (_, command, shell = 'dash') => {
    const { status, stderr } = spawnSync(shell, ['-n', '-c', command], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    ['SH-02 carriage returns', 'echo a\r\ntouch CAN\r\n'],
    ['SH-05 prompt expansion', "a='$(touch CAN)'; echo ${a@P}"],
    ['SH-05 indirection', 'a=b; echo ${!a}'],
    ['SH-06 IFS', 'touch${IFS}CAN'],
    ['SH-07 variable', 'x=touch; $x CAN'],
    ['SH-07 substitution as program', '$(echo touch) CAN'],
    ['SH-07 glob as program', '/usr/bin/touc? CAN'],
    ['SH-07 braces as program', '{touch,CAN}'],
    ['SH-07 ANSI-C quoting', "$'touch' CAN"],
    ['SH-07 ANSI-C quoting that ends elsewhere', "echo $'a\\' ; touch CAN '"],
    ['SH-08 export', 'export X=1'],
    ['SH-08 export of a path', 'export PATH=.:$PATH; ls'],
    ['SH-08 path of the shell', 'PATH=.; ls'],
    ['SH-08 pager', 'PAGER=./x git log'],
    ['SH-08 external diff', 'GIT_EXTERNAL_DIFF=./x git diff'],
    ['SH-08 set -o', 'set -o allexport'],
    ['SH-08 set -a', 'set -a; ls'],
    ['SH-08 hash', 'hash -p ./x ls; ls'],
    ['SH-08 enable', 'enable -f ./x.so ls'],
    ['SH-08 shopt', 'shopt -s expand_aliases'],
    ['SH-08 source', '. ./x'],
    ['SH-08 read into a path', 'read PATH; ls'],
    ['SH-08 loop over a path', 'for PATH in .; do ls; done'],
    ['SH-08 indexed name in unset', "unset 'a[$(touch CAN)]'"],
    ['SH-08 indexed name in test', "test -v 'a[$(touch CAN)]'"],
    ['SH-08 indexed name in printf', "printf -v 'a[$(touch CAN)]' x"],
    ['SH-08 name in a variable of test', 'test -v "$x"'],
    ['SH-08 name in a variable of printf', 'printf -v "$x" y'],
    ['SH-08 name in a variable of wait', 'wait -p "$x"'],
    ['SH-08 let', "let 'a[$(touch CAN)]=1'"],
    ['SH-08 arithmetic over a variable', 'echo $((x))'],
    ['SH-08 arithmetic test of a variable', '[[ $x -eq 1 ]]'],
    ['TL-01 a word of find that may be an action', 'find . "$x" alpha'],
    ['TL-01 a word of find that may end a command', 'find . -exec ls "$x" -exec touch CAN \\;'],
    ['TL-01 words of find that may be actions', 'find . -exec ls $x {} \\;'],
    ['SH-12 unbalanced quote', 'echo "a'],
    ['SH-12 unbalanced parenthesis', '(echo a'],
    ['SH-12 unfinished substitution', 'echo $(echo a'],
    ['SH-12 unfinished list', 'echo a &&'],
    ['SH-12 syntax error inside a substitution', 'echo $(if)'],
    ['SH-12 here-document without an end', 'cat <<E\na'],
    ['a test that is a redirection elsewhere', '[[ a > CAN ]]'],
    ['a test that is a pipe elsewhere', '[[ a =~ b|touch ]]'],
    ['a test that is a list elsewhere', '[[ -f a || touch ]]'],
    ['a descriptor that is a word elsewhere', 'echo 10>CAN'],
    ['a named descriptor', 'echo {x}>CAN'],
    ['an appended variable', 'x+=1 ls'],
    ['a ${ } substitution', 'echo ${ ls; }'],
    ['old arithmetic', 'echo $[1+1]'],
    ['a NUL', 'echo a\0b'],
    ['half a character', 'echo \ud800'],
    ['an option as program', 'time -o CAN ls'],
    ['a shell that reads its input', 'echo ls | sh'],
    ['a shell with a variable', 'sh -c "$x"'],
    ['another shell', "zsh -c 'ls'"],
  ])('says that %s is unclear', (_, command) => {
    expect(isUnclear(command)).toBe(true);
  });

  it.each([
    ['OK-03 operators in quotes', "echo 'a; b && $(c) > d'", ['echo a; b && $(c) > d']],
    ['OK-03 an option as pattern', "grep -e '--pre' f", ['grep -e --pre f']],
    ['OK-03 an option as text', "git log --grep='--output'", ['git log --grep=--output']],
    ['OK-01 odd names', 'cat ..foo a..b 100%.txt שלום 🙂', ['cat ..foo a..b 100%.txt שלום 🙂']],
    ['a comment', 'ls # $(touch CAN); rm x', ['ls']],
    ['a quoted here-document', "cat <<'E'\n$(touch CAN)\nE", ['cat']],
    ['an escaped dollar', 'echo \\$x', ['echo $x']],
    ['a quoted glob', "ls '*' \\*", ['ls * *']],
    ['a quoted tilde', "ls '~' \\~x a~", ['ls ~ ~x a~']],
    ['braces that are none', 'git show stash@{0} {} "{a,b}"', ['git show stash@{0} {} {a,b}']],
    ['continued lines', 'ls \\\n  -l \\\n  sub', ['ls -l sub']],
    ['redirected output', 'ls >/dev/null 2>&1', ['ls']],
  ] as const)('takes %s for what it is', (_, command, expected) => {
    expect({ words: words(command), isUnclear: isUnclear(command) }).toEqual({
      words: expected,
      isUnclear: false,
    });
  });

  it('gives the whole of what it found', () => {
    expect(analysed("cd src && LANG=C grep -n 'a b' *.ts > ../out")).toEqual({
      parts: [
        { words: ['cd', 'src'], text: 'cd src', assignments: [], directory: '.', onlyReads: 'always' },
        {
          words: ['grep', '-n', 'a b', undefined],
          text: "grep -n 'a b' *.ts",
          assignments: ['LANG'],
          directory: 'src',
          onlyReads: 'always',
        },
      ],
      files: [
        { use: 'write', path: '/ws/out', isTree: false },
        { use: 'read', path: '/ws/src', isTree: true },
      ],
      hosts: [],
      unclear: ["It can't be told where `> ../out` leads."],
    });
  });

  it.each([
    "echo 'a b' \\* '~' \"it's\" '' '$x'",
    "grep -n 'a=~' ~x HEAD~1 'x:~' [ ] '[a' '{a,b}' {} !",
    "'a=b' c",
    "'x y=1' c",
    'שלום 🙂 -- "\n"',
    "echo '\n' \"'\" 'a\nb'",
  ])('writes %s so that a shell reads the same words', (command) => {
    const { parts } = analysed(command);
    const again = analysed(parts[0]!.text).parts[0]!;
    expect({ ...again, text: '' }).toEqual({ ...parts[0], text: '' });
  });

  it('finds nothing in nothing', () => {
    for (const nothing of ['', ' ', '\n', '# a'])
      expect(analysed(nothing)).toEqual({ parts: [], files: [], hosts: [], unclear: [] });
  });
});

describe('the limits of analyseCommand', () => {
  it('SH-12 finds a command behind many others', () => {
    const command = `${'true; '.repeat(60)}touch CAN`;
    expect({ last: words(command).at(-1), unclear: isUnclear(command) }).toEqual({
      last: 'touch CAN',
      unclear: false,
    });
  });

  it('SH-12 finds a command in a text that is too long, which stays unclear', () => {
    const command = `echo ${'a'.repeat(12_000)}; touch CAN`;
    expect({ last: words(command).at(-1), unclear: isUnclear(command) }).toEqual({
      last: 'touch CAN',
      unclear: true,
    });
  });

  it.each([
    ['substitutions', `echo ${'$(echo '.repeat(40)}a${')'.repeat(40)}`],
    ['a great many substitutions', `echo ${'$('.repeat(3_000)}a${')'.repeat(3_000)}`],
    ['old arithmetics', '$['.repeat(4_000)],
    ['subshells', `${'( '.repeat(40)}ls${' )'.repeat(40)}`],
    ['wrappers', `${'env '.repeat(40)}ls`],
    [
      'shells',
      Array.from({ length: 20 }).reduce<string>(
        (inner) => `sh -c '${inner.replaceAll("'", "'\\''").slice(0, 9_000)}'`,
        'ls',
      ),
    ],
    ['parts', 'true;'.repeat(2_000)],
    ['files', Array.from({ length: 2_001 }, (_, at) => `>${at}`).join(' ')],
  ])('says that too many %s are unclear', (_, command) => {
    expect(isUnclear(command)).toBe(true);
  });

  it('gives up on texts beyond all measure', () => {
    const { parts, unclear } = analysed(`touch CAN; ${'a'.repeat(200_000)}`);
    expect({ parts, reasons: unclear.length }).toEqual({ parts: [], reasons: 2 });
  });
});
