import { describe, expect, it } from 'vitest';
import { files, reads, rows } from './analysed.ts';

/** Commands that only read, wherever they run. */
const READERS = `
ls
ls -la
ls -lah src test
ls --color=auto -1
ls *.ts
ls src/*.ts
ls -R src
/bin/ls
/usr/bin/ls -l
LANG=C ls
LC_ALL=C TZ=UTC NO_COLOR=1 CI=1 ls
cat f
cat -n f g
cat f | head -20
cat < f
cat -
cat -- -f
cat "a b"
head -n 5 f
head -5 f
head -n5 f
head --lines=5 f
head --lines 5 f
tail -20 f
tail -n +3 f
wc -l src/*.ts
wc -lc f
grep foo f
grep -rn foo src
grep -rnE "a|b" --include=*.ts .
grep -rn --include='*.ts' foo .
grep -A3 -B 3 -C3 foo f
grep -c -e foo -e bar f
grep -f patterns f
grep -v '^#' f
grep -q foo f
egrep 'a|b' f
fgrep -n '*' f
rg foo
rg -n "foo bar" src
rg --files
rg --files -g '*.ts' src
rg -e --pre src
rg -tts -C2 foo
rg --json foo src
rg -uu --hidden foo
find
find .
find . -name '*.ts'
find src test -type f -name '*.ts' -not -path '*/node_modules/*'
find . -maxdepth 2 -mtime -1 -print0
find . -type f -printf '%p %s'
find . ! -name x -o -empty
find . \\( -name a -o -name b \\) -prune
find -L . -newer f
sort f
sort -u -k2,2n f
sort -t, -k1 f
sort --reverse f | uniq -c
uniq -c
uniq f
cut -d: -f1 f
cut -d , -f 1,2 f
tr a-z A-Z
tr -d '\\n'
paste -sd, f
diff a b
diff -u a b
diff -ruN a b
diff --brief -r a b
cmp a b
comm -12 a b
join a b
nl f
od -c f
xxd f
xxd -l 64 f
hexdump -C f
strings -n 8 f
md5sum f
sha256sum -c sums
base64 f
base64 -d f
column -t f
fold -w 80 f
rev f
tac f
stat f
stat -c %s f
file f
file -b --mime-type f
readlink -f f
realpath f
basename a/b
basename a/b .ts
dirname a/b
du -sh .
du -h --max-depth=1 src
df -h
tree
tree -L 2 src
which ls
type ls
command -v ls
pwd
pwd -P
date
date +%Y
date -u '+%F %T'
date -d yesterday +%F
uname -a
whoami
id -u
hostname
nproc
uptime
ps aux
ps -ef
env
printenv PATH
echo a b
echo $x "$y" $(pwd)
echo *
echo ~
echo -n a
printf '%s\\n' a "$x"
printf hello
true
false
:
test -f f
[ -f f ]
[ ! -d f ]
[ a = b ]
[ "$x" = y ]
[ -n "$x" ]
[ -z "$x" ] && echo empty
test 1 -lt 2
seq 1 10
seq 10 | tail -1
expr 1 + 2
sleep 1
cd src
cd src && ls
cd src && cat f | sort
cd -- src
exit 1
set -e
set -euo pipefail
set -x
export LANG=C
x=1
x=1; echo $x
x=$(ls); echo "$x"
read -r line
wait
jq . f
jq -r '.a | .b' f
if [ -f a ]; then cat a; else echo none; fi
for f in a b; do echo $f; done
case $x in a) echo 1;; *) echo 2;; esac
while read -r line; do echo "$line"; done < f
(cd src; ls)
{ ls; pwd; }
! grep -q x f
ls && pwd || echo no
ls & wait
timeout 5 ls
timeout -s KILL 5 ls
nice -n 10 grep -r x .
ionice -c 3 ls
stdbuf -oL ls
env ls
env LANG=C ls
env -- ls
env -i ls
command ls
command -p ls
exec ls
builtin echo a
time ls
time -p ls
busybox ls
sh -c 'ls | head'
bash -c "ls; pwd"
bash -lc ls
sh -ec 'ls'
eval ls
eval 'ls -l' f
cat <<E
hello
E
cat <<'E' | sort
b
a
E
ls 2>/dev/null
ls >/dev/null 2>&1
ls &>/dev/null
sed -n 1p f
sed -n '1,20p' f
sed -n '/a/,/b/p' f
sed 's/a/b/' f
sed 's/a/b/g; s|c|d|' f
sed -e s/a/b/ -e 1d f
sed -E 's/[0-9]+/x/g' f
sed '$d' f
sed '/^#/d' f
sed 5q f
sed -n '$='
sed '1!G;h;$!d' f
sed ':a;N;$!ba;s/\\n/ /g' f
sed -n '/[[:space:]]x/p' f
sed 'y/abc/xyz/' f
`;

describe('onlyReads', () => {
  it.each(rows(READERS))('is always for %s', (command) => {
    expect(reads(command)).toBe('always');
  });

  it.each([
    'cat "$x"',
    'cat $x',
    'for f in *.ts; do wc -l "$f"; done',
    'while read -r f; do cat "$f"; done',
    'ls "$x"',
    'find . -name "*.ts" | xargs grep foo',
    'find . -name "*.ts" -print0 | xargs -0 wc -l',
    'find . -name "*.ts" -exec grep -n foo {} \\;',
    'find . -exec cat {} +',
    'head -5 $(ls)',
    '[ -f "$x" ]',
    'grep foo "$x"',
    'ls ~',
    'cat ~/notes',
    'git status',
  ])('is sandboxed for %s, whose files only the shell knows', (command) => {
    expect(reads(command)).toBe('sandboxed');
  });
});

describe('the files of readers', () => {
  it.each<[command: string, expected: string[]]>([
    ['cat a b/c', ['read /ws/a', 'read /ws/b/c']],
    ['cat /etc/passwd', ['read /etc/passwd']],
    ['cat</etc/hostname', ['read /etc/hostname']],
    ['ls', ['read /ws']],
    ['ls -R', ['read /ws/*']],
    ['ls src/*.ts', ['read /ws/src/*']],
    ['ls *', ['read /ws/*']],
    ['grep foo', []],
    ['grep foo f', ['read /ws/f']],
    ['grep -r foo', ['read /ws/*']],
    ['grep -e foo f g', ['read /ws/f', 'read /ws/g']],
    ['grep -f p f', ['read /ws/p', 'read /ws/f']],
    ['rg foo', ['read /ws/*']],
    ['rg foo src', ['read /ws/src/*']],
    ['rg src/* f', ['read /ws/src/*', 'read /ws/f/*']],
    ['rg --files src', ['read /ws/src/*']],
    ['find src -name x', ['read /ws/src/*']],
    ['find', ['read /ws/*']],
    ['sort -k 2 f', ['read /ws/f']],
    ['head -n 5 f', ['read /ws/f']],
    ['cut -d : -f 1 f', ['read /ws/f']],
    ['sed -n 1p f', ['read /ws/f']],
    ['sed -e 1d -- f', ['read /ws/f']],
    ['diff -r a b', ['read /ws/a/*', 'read /ws/b/*']],
    ['[ -f x ]', ['read /ws/x']],
    ['[ a -nt b ]', ['read /ws/a', 'read /ws/b']],
    ['[ a = b ]', []],
    ['cat -', []],
    ['cat /dev/stdin /dev/null', []],
    ['date -r f', ['read /ws/f']],
    ['git show HEAD:.env', ['read /ws/.env/*']],
    ['git diff', ['read /ws/*']],
    ['git diff src', ['read /ws/src/*']],
    ['git log -- src', ['read /ws/src/*']],
    ['git blame f', ['read /ws/f/*']],
    ['git -C sub diff', ['read /ws/sub/*']],
  ])('of %s are known', (command, expected) => {
    expect(files(command)).toEqual(expected);
  });
});
