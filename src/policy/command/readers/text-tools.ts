/** Tools over lines and bytes. */
import type { ListedReader } from './listed.ts';

const SUMS: ListedReader = {
  options:
    '-b -c -t -w -z --binary --check --tag --text --ignore-missing --quiet --status --strict --warn --zero -a= --algorithm=',
  operands: 'files',
  isTolerant: true,
};

const GREP: ListedReader = {
  options:
    '-A= -B= -C= -E -F -G -H -I -L -P -R -T -U -Z -a -b -c -d= -D= -e= -f=< -h -i -l -m= -n -o -q -r -s -u -v -w -x -y -z -# --after-context= --basic-regexp --before-context= --binary --binary-files= --byte-offset --color? --colour? --context= --count --dereference-recursive --devices= --directories= --exclude= --exclude-dir= --exclude-from=< --extended-regexp --file=< --files-with-matches --files-without-match --fixed-strings --ignore-case --include= --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp= --silent --text --with-filename --word-regexp --version --help -V',
  operands: 'pattern',
  isTolerant: true,
  trees: ['-r', '-R', '--recursive', '--dereference-recursive'],
  patternOptions: ['-e', '-f', '--regexp', '--file'],
};

export const TEXT_TOOLS: Readonly<Record<string, ListedReader>> = {
  base32: { options: '-d -i -w= --decode --ignore-garbage --wrap=', operands: 'files', isTolerant: true },
  base64: { options: '-d -D -i -w= --decode --ignore-garbage --wrap=', operands: 'files', maxOperands: 1 },
  cat: {
    options:
      '-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-nonprinting --show-tabs --squeeze-blank --help --version',
    operands: 'files',
    isTolerant: true,
  },
  cksum: SUMS,
  cmp: {
    options: '-b -i= -l -n= -s --bytes= --ignore-initial= --print-bytes --quiet --silent --verbose',
    operands: 'files',
    isTolerant: true,
  },
  column: { options: '-c= -e -n -s= -t -x -o= -N= -R=', operands: 'files', isTolerant: true },
  comm: {
    options: '-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  cut: {
    options:
      '-b= -c= -d= -f= -n -s -z --bytes= --characters= --complement --delimiter= --fields= --only-delimited --output-delimiter= --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  diff: {
    options:
      '-0 -1 -2 -3 -a -b -B -c -C= -d -e -E -i -I= -L= -n -N -p -q -r -s -t -T -u -U= -w -W= -x= -X=< -y -Z --brief --color? --context? --exclude= --exclude-from=< --expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case --ignore-matching-lines= --ignore-space-change --ignore-trailing-space --label= --minimal --new-file --no-dereference --normal --recursive --report-identical-files --show-c-function --side-by-side --speed-large-files --strip-trailing-cr --suppress-common-lines --text --unified? --width=',
    operands: 'files',
    trees: ['-r', '--recursive'],
  },
  egrep: GREP,
  expand: { options: '-i -t= --initial --tabs=', operands: 'files', isTolerant: true },
  fgrep: GREP,
  fmt: {
    options: '-c -s -t -u -w= -g= -p= --width= --split-only --uniform-spacing',
    operands: 'files',
    isTolerant: true,
  },
  fold: { options: '-b -s -w= --bytes --spaces --width=', operands: 'files', isTolerant: true },
  grep: GREP,
  head: {
    options: '-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  hexdump: { options: '-b -c -C -d -e= -f=< -n= -o -s= -v -x', operands: 'files', isTolerant: true },
  join: {
    options:
      '-1= -2= -a= -e= -i -j= -o= -t= -v= -z --header --check-order --nocheck-order --ignore-case --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  jq: {
    options:
      '-a -c -C -e -j -M -n -r -R -s -S --ascii-output --color-output --compact-output --exit-status --join-output --monochrome-output --null-input --raw-input --raw-output --seq --slurp --sort-keys --stream --tab --indent=',
    operands: 'pattern',
  },
  md5sum: SUMS,
  nl: {
    options: '-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering=',
    operands: 'files',
    isTolerant: true,
  },
  od: {
    options:
      '-a -A= -b -c -d -f -i -j= -l -N= -o -s -t= -v -w? -x --address-radix= --format= --read-bytes= --skip-bytes=',
    operands: 'files',
    isTolerant: true,
  },
  paste: {
    options: '-d= -s -z --delimiters= --serial --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  rev: { options: '', operands: 'files', isTolerant: true },
  rg: {
    options:
      '-0 -A= -B= -C= -E= -F -H -I -L -M= -N -P -S -U -V -a -b -c -d= -e= -f=< -g= -h -i -j= -l -m= -n -o -p -q -r= -s -t= -T= -u -v -w -x --after-context= --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file=< --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --help --hidden --iglob= --ignore-case --ignore-file=< --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim --type= --type-list --type-not= --unrestricted --version --vimgrep --with-filename --word-regexp',
    operands: 'pattern',
    trees: true,
    patternOptions: ['-e', '-f', '--regexp', '--file', '--files', '--type-list', '--version', '-V'],
  },
  sha1sum: SUMS,
  sha224sum: SUMS,
  sha256sum: SUMS,
  sha384sum: SUMS,
  sha512sum: SUMS,
  sort: {
    options:
      '-b -c -C -d -f -g -h -i -k= -m -M -n -r -R -s -t= -u -V -z --check? --debug --dictionary-order --field-separator= --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key= --merge --month-sort --numeric-sort --parallel= --random-sort --reverse --sort= --stable --unique --version-sort --zero-terminated',
    operands: 'files',
  },
  strings: {
    options: '-a -e= -f -n= -o -t= -w -# --all --bytes= --encoding= --print-file-name --radix=',
    operands: 'files',
  },
  tac: { options: '-b -r -s= --before --regex --separator=', operands: 'files', isTolerant: true },
  tail: {
    options: '-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated',
    operands: 'files',
    isTolerant: true,
  },
  tr: {
    options: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1',
    operands: 'text',
    isTolerant: true,
  },
  tsort: { options: '', operands: 'files', isTolerant: true },
  unexpand: { options: '-a -t= --all --first-only --tabs=', operands: 'files', isTolerant: true },
  // A second operand is the file it writes.
  uniq: {
    options:
      '-c -d -D -f= -i -s= -u -w= -z --all-repeated? --check-chars= --count --group? --ignore-case --repeated --skip-chars= --skip-fields= --unique --zero-terminated',
    operands: 'files',
    maxOperands: 1,
  },
  wc: {
    options: '-c -l -L -m -w --bytes --chars --lines --max-line-length --words --total=',
    operands: 'files',
    isTolerant: true,
  },
  // A second operand is the file it writes.
  xxd: { options: '-a -b -c= -e -E -g= -i -l= -o= -p -s= -u', operands: 'files', maxOperands: 1 },
};
