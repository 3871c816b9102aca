import { describe, expect, it } from 'vitest';
import { reads, rows } from './analysed.ts';

/** Commands that do more than read, could, or are not known to. */
const OTHERS = `
./ls
bin/ls
sub/../ls
/ws/ls
/tmp/ls
/usr/local/bin/ls
~/ls
FOO=1 ls
LD_PRELOAD=./x ls
PATH=. ls
IFS=x ls
ls --colo
ls --unknown
cat --nuber f
cat > f
cat >> f
ls > f
ls 2> f
find . -exec touch CAN ;
find . -exec touch CAN \\;
find . -execdir touch CAN \\;
find . -ok touch CAN \\;
find . -okdir touch CAN \\;
find . -exec sh -c 'touch CAN' \\;
find . -exec rm {} +
find . -exec {} \\;
find . -delete
find . -name x -delete
find . -fprintf CAN x
find . -fprint CAN
find . -fprint0 CAN
find . -fls CAN
find . -files0-from f
find . -unknown
find "$x"
find $x -name y
find . -name $x
find . -exec ls
find . -exec grep $x {} \\;
find . -exec grep k* {} \\;
sed 'w CAN' f
sed -n 'w CAN' f
sed '1w CAN' f
sed 's/x/y/w CAN' f
sed 's/x/y/gw CAN' f
sed 's/x/touch CAN/e' f
sed 's/x/y/ge' f
sed '1e touch CAN' f
sed e f
sed -i s/a/b/ f
sed -i.bak s/a/b/ f
sed -ni p f
sed --in-place s/a/b/ f
sed --in-pl s/a/b/ f
sed -f script f
sed --file=script f
sed "$x" f
sed -e "$x" f
sed 'r /etc/passwd' f
sed 'W CAN' f
sed 'p;w CAN' f
sed 's,a,b,;w CAN' f
sed '/a/{w CAN
}' f
sed 's/[/]/x/w CAN' f
sed 's/[^]/]/x/w CAN' f
sed --expression='w CAN' f
sed s/a/b/ -i f
sort -o CAN f
sort -oCAN f
sort -uo CAN f
sort f -o CAN
sort --output=CAN f
sort --output CAN f
sort --outp=CAN f
sort --compress-program=./x f
sort --compress-prog=./x f
sort -T . f
sort --files0-from=f
sort *
sort "$x"
uniq f CAN
uniq *
uniq -c f CAN
uniq $x
uniq "$x"/*
uniq sub/*
sort -k *
sort -k 1* f
head -n * f
export LANG=$x
export LANG=*
xxd f CAN
xxd -r f CAN
rg --pre ./x foo
rg --pre=./x foo
rg --pr=./x foo
rg --hostname-bin ./x foo
rg -z foo
rg --search-zip foo
rg "$x"
rg $x src
RIPGREP_CONFIG_PATH=x rg foo
fd -x touch
fd -X rm
fd --exec rm
tree -o CAN
tree --output CAN
file -C -m x
file -m x f
date -s tomorrow
date --set=tomorrow
date 01010101
hostname evil
base64 a b
man ls
man -H./x ls
man -P ./x ls
less f
more f
vim -c x
vi f
nano f
help cd
awk '{print}' f
gawk 1 f
perl -e 1
python -c 1
python3 --version
node -e 1
ruby -e 1
npm install
npm test
npm --version
npx x
yarn
pnpm i
cargo test
cargo --version
make
make -n
pip install x
go test ./...
ping host
dig host
nslookup host
host x
curl https://x
wget x
openssl s_client -connect x
nc host 1
ssh host ls
scp a b
rsync a b
telnet x
ftp x
docker ps
kubectl get pods
tar tf a.tar
tar -C sub -xf a.tar
unzip -l a.zip
zip a b
gzip f
rm f
rm -rf src
mv a b
cp a b
mkdir a
rmdir a
touch a
tee a
ln -s a b
chmod 755 a
chown x a
truncate -s 0 a
dd if=a of=b
install a b
shred a
kill 1
pkill x
sudo ls
doas ls
su -c ls
chroot . ls
unshare ls
nohup ls
setsid ls
strace ls
strace -o CAN ls
time -o CAN ls
flock f ls
watch ls
parallel ls
fakeroot ls
script -c ls
xargs rm
echo a | xargs touch
xargs -I{} sh -c '{}'
xargs -I{} {} f
env FOO=1 ls
env PATH=. ls
env -u PATH ls
env -S 'touch CAN'
env -C / touch CAN
sh script
bash ./x
sh
sh -s
bash -i
bash -c
bash --rcfile x -c ls
bash --init-file x -ic ls
sh -c 'touch CAN'
bash -ec 'touch CAN'
eval "$x"
eval "touch CAN"
trap 'touch CAN' EXIT
trap '' INT
alias ls=touch
ls() { touch CAN; }; ls
export PATH=.
export X
readonly X=1
declare X=1
typeset -x X=1
local X=1
unset X
set -a
set -k
set -o allexport
set -o
set -- a b
shopt -s x
hash -p ./x ls
enable -n ls
source x
. ./x
read PATH
printf -v x y
printf "$x"
printf -- x
test -v x
[ -v x ]
[ $x ]
[ $x = y ]
[ a = b -o -v x ]
let x=1
echo $((x))
echo \${x@P}
echo \${!x}
echo a > f
echo a >| f
echo a <> f
echo a >& f
exec 3> f
> f
cat < /dev/tcp/127.0.0.1/80
cd
cd -
cd "$x"
cd a b
cd ~
pushd
popd
cd "$x" && ls
cd .. && touch CAN
$x
"$x" f
$(echo ls)
-ls
git commit
jq --args . f
jq -f script f
ps --unknown
PAGER=x git log
`;

describe('onlyReads', () => {
  it.each(rows(OTHERS))('is not said of %s', (command) => {
    expect(reads(command)).toBe('no');
  });
});
