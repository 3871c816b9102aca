/** Tools that look at files and folders from outside. */
import type { ListedReader } from './listed.ts';

export const FILE_TOOLS: Readonly<Record<string, ListedReader>> = {
  basename: { options: '-a -s= -z --multiple --suffix= --zero', operands: 'text', isTolerant: true },
  df: {
    options:
      '-a -B= -h -H -i -k -l -m -P -t= -T -x= --all --block-size= --human-readable --inodes --local --output? --portability --si --total --type= --print-type',
    operands: 'files',
    isTolerant: true,
  },
  dirname: { options: '-z --zero', operands: 'text', isTolerant: true },
  du: {
    options:
      '-0 -a -b -B= -c -d= -D -g -h -H -k -l -L -m -P -s -S -t= -x -X=< --all --apparent-size --block-size= --bytes --count-links --dereference --exclude= --exclude-from=< --human-readable --inodes --max-depth= --no-dereference --null --one-file-system --separate-dirs --si --summarize --threshold= --time? --time-style= --total',
    operands: 'files',
    isTolerant: true,
    trees: true,
  },
  fd: {
    options:
      '-0 -1 -a -c= -d= -e= -E= -F -g -H -i -I -L -p -q -s -S= -t= -u --absolute-path --case-sensitive --color= --extension= --exclude= --fixed-strings --follow --full-path --glob --hidden --ignore-case --max-depth= --max-results= --min-depth= --no-ignore --no-ignore-vcs --print0 --size= --type=',
    operands: 'pattern',
    trees: true,
  },
  file: {
    options:
      '-0 -b -h -i -I -k -L -N -p -r -s --brief --dereference --mime --mime-encoding --mime-type --no-dereference --no-pad --print0',
    operands: 'files',
  },
  ls: {
    options:
      '-1 -a -A -b -B -c -C -d -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -x -X -Z --all --almost-all --author --block-size= --classify? --color? --context --dereference --directory --escape --file-type --format= --full-time --group-directories-first --hide= --human-readable --hyperlink? --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style= --recursive --reverse --si --show-control-chars --size --sort= --tabsize= --time= --time-style= --width= --zero --help --version',
    operands: 'files',
    isTolerant: true,
    withoutOperands: 'directory',
    trees: ['-R', '--recursive'],
  },
  readlink: {
    options:
      '-e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
    operands: 'files',
    isTolerant: true,
  },
  realpath: {
    options:
      '-e -L -m -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --no-symlinks --physical --quiet --relative-base= --relative-to= --strip --zero',
    operands: 'files',
    isTolerant: true,
  },
  stat: {
    options: '-c= -f -L -n -q -r -s -t -x --cached= --dereference --file-system --format= --printf= --terse',
    operands: 'files',
    isTolerant: true,
  },
  tree: {
    options:
      '-a -A -C -d -D -f -F -g -h -i -I= -J -l -L= -n -N -p -P= -q -Q -r -s -S -t -u -U -v -x -X --charset= --device --dirsfirst --du --filelimit= --gitignore --ignore-case --inodes --matchdirs --metafirst --noreport --prune --si --sort=',
    operands: 'files',
    withoutOperands: 'tree',
    trees: true,
  },
  which: { options: '-a -s --all', operands: 'text', isTolerant: true },
};
