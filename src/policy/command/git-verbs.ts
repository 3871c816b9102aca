/** The verbs of git: which only read, with which options, and what the others change. */

export interface GitReadingVerb {
  readonly options: string;
  /** The operands may be paths: `anywhere`, or only behind `--`. */
  readonly paths?: 'anywhere' | 'separated';
  /** It shows what is in files, of the whole repository where no path is given. */
  readonly showsContents?: true;
  /** Its first operand must be one of these. */
  readonly subverbs?: readonly string[];
  /** It only reads as long as it has no operand, or one of these options. */
  readonly listsWith?: readonly string[];
}

const FORMATS =
  '--abbrev? --abbrev-commit --color? --no-color --date= --format= --pretty? --oneline --encoding= --no-abbrev-commit';
const DIFFS =
  '-# -a -b -B? -C? -D -G= -M? -O=< -p -R -s -S= -u -U= -w -W -z --binary --cached --check --color-moved? --color-words? --compact-summary --cumulative --diff-algorithm= --diff-filter= --dirstat? --exit-code --find-copies? --find-renames? --full-index --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-submodules? --inter-hunk-context= --merge-base --minimal --name-only --name-status --no-ext-diff --no-index --no-patch --no-prefix --no-renames --no-textconv --numstat --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --raw --relative? --shortstat --src-prefix= --dst-prefix= --staged --stat? --submodule? --summary --text --unified= --word-diff? --word-diff-regex=';
const LOGS =
  '-E -F -g -i -L= -m -n= -P -c --cc --after= --all --all-match --ancestry-path --author= --author-date-order --before= --boundary --branches? --cherry --cherry-mark --cherry-pick --children --committer= --count --date-order --decorate? --decorate-refs= --dense --exclude= --extended-regexp --first-parent --fixed-strings --follow --full-history --glob= --graph --grep= --invert-grep --left-only --left-right --log-size --max-count= --max-parents= --merges --min-parents= --no-decorate --no-max-parents --no-merges --no-min-parents --no-notes --no-walk? --notes? --parents --perl-regexp --reflog --regexp-ignore-case --relative-date --remotes? --reverse --right-only --show-notes? --simplify-by-decoration --simplify-merges --since= --skip= --source --sparse --stdin --tags? --topo-order --until= --use-mailmap --walk-reflogs';

/** Verbs that only read; any other option, and any abbreviation, is not known to. */
export const GIT_READING: Readonly<Record<string, GitReadingVerb>> = {
  blame: {
    options: `-b -c -C? -e -f -l -L= -M? -n -p -s -t -w --date= --show-email --show-name --show-number --porcelain --line-porcelain --root --since= --abbrev= --incremental --color-lines`,
    paths: 'anywhere',
    showsContents: true,
  },
  branch: {
    options: `-a -i -l -r -v -vv --all --remotes --list --verbose --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --show-current --ignore-case --column? --no-column ${FORMATS}`,
    listsWith: [
      '-l',
      '--list',
      '--contains',
      '--no-contains',
      '--merged',
      '--no-merged',
      '--points-at',
      '--show-current',
    ],
  },
  'cat-file': {
    options: '-e -p -s -t --batch --batch-check? --batch-all-objects --unordered',
    showsContents: true,
  },
  'check-ignore': {
    options: '-q -v -n -z --quiet --verbose --non-matching --stdin --no-index',
    paths: 'anywhere',
  },
  'count-objects': { options: '-v -H --verbose --human-readable' },
  describe: {
    options:
      '--all --tags --always --dirty? --broken? --long --match= --exclude= --exact-match --first-parent --abbrev= --candidates= --contains --debug',
  },
  diff: { options: `${DIFFS} ${FORMATS}`, paths: 'anywhere', showsContents: true },
  'diff-tree': {
    options: `-r -t --root --stdin --no-commit-id -c --cc -m -v ${DIFFS} ${FORMATS}`,
    paths: 'separated',
    showsContents: true,
  },
  'for-each-ref': {
    options:
      '--count= --sort= --format= --points-at= --merged? --no-merged? --contains? --no-contains? --color? --exclude= --shell --perl --python',
  },
  grep: {
    options: `-# -a -A= -B= -c -C= -e= -E -f=< -F -G -h -H -i -I -l -L -m= -n -o -p -P -q -r -v -w -W -z --after-context= --all-match --and --basic-regexp --before-context= --break --cached --color? --column --context= --count --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --invert-match --line-number --max-count= --max-depth= --name-only --no-color --no-recursive --not --null --only-matching --or --perl-regexp --quiet --recursive --show-function --text --threads= --untracked --word-regexp --exclude-standard --no-textconv`,
    paths: 'separated',
    showsContents: true,
  },
  log: { options: `${LOGS} ${DIFFS} ${FORMATS}`, paths: 'anywhere' },
  'ls-files': {
    options:
      '-c -d -f -i -k -m -o -s -t -u -v -x= -X=< -z --abbrev? --cached --deleted --directory --eol --error-unmatch --exclude= --exclude-from=< --exclude-per-directory= --exclude-standard --format= --full-name --ignored --killed --modified --no-empty-directory --others --recurse-submodules --stage --unmerged',
    paths: 'anywhere',
  },
  'ls-tree': {
    options:
      '-d -l -r -t -z --abbrev? --format= --full-name --full-tree --long --name-only --name-status --object-only',
  },
  'merge-base': { options: '-a --all --fork-point --independent --is-ancestor --octopus' },
  'name-rev': { options: '--tags --refs= --all --name-only --no-undefined --always --stdin' },
  reflog: { options: `${LOGS} ${DIFFS} ${FORMATS}`, subverbs: ['show'] },
  remote: { options: '-v --verbose', subverbs: ['get-url'] },
  'rev-list': {
    options: `${LOGS} ${FORMATS} --objects --max-age= --min-age= --disk-usage? --timestamp --header --bisect --quiet`,
    paths: 'separated',
  },
  'rev-parse': {
    options:
      '-q --abbrev-ref? --abspath --all --branches? --git-dir --git-common-dir --git-path= --is-bare-repository --is-inside-git-dir --is-inside-work-tree --local-env-vars --path-format= --quiet --remotes? --short? --show-cdup --show-prefix --show-superproject-working-tree --show-toplevel --symbolic --symbolic-full-name --tags? --verify --absolute-git-dir',
  },
  shortlog: {
    options: `-c -e -n -s -w? --summary --numbered --email --committer --group= --no-merges --since= --until= --after= --before= --all --author=`,
  },
  show: { options: `${LOGS} ${DIFFS} ${FORMATS}`, paths: 'anywhere', showsContents: true },
  'show-ref': {
    options:
      '-d -q -s --abbrev? --dereference --hash? --head --heads --branches --tags --verify --quiet --exists',
  },
  stash: { options: `${DIFFS} ${FORMATS} --include-untracked --only-untracked`, subverbs: ['list', 'show'] },
  status: {
    options:
      '-b -s -u? -v -z --ahead-behind --no-ahead-behind --branch --column? --find-renames? --ignore-submodules? --ignored? --long --no-renames --porcelain? --renames --short --show-stash --untracked-files? --verbose',
    paths: 'anywhere',
  },
  tag: {
    options:
      '-l -n? -i --list --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --column? --no-column --format= --color? --ignore-case',
    listsWith: [
      '-l',
      '--list',
      '-n',
      '--contains',
      '--no-contains',
      '--merged',
      '--no-merged',
      '--points-at',
    ],
  },
  version: { options: '--build-options' },
  whatchanged: { options: `${LOGS} ${DIFFS} ${FORMATS}`, paths: 'anywhere' },
  worktree: { options: '-v -z --porcelain --verbose', subverbs: ['list'] },
};

/** Verbs of git itself that change the repository, its files or its settings, or run other programs. */
const CHANGING = new Set(
  'add am annotate apply archive bisect bundle checkout checkout-index cherry-pick clean clone commit commit-graph commit-tree config credential daemon difftool fast-export fast-import fetch fetch-pack filter-branch format-patch fsck gc gui hash-object help http-backend imap-send index-pack init instaweb interpret-trailers maintenance merge merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv notes p4 pack-objects pack-redundant pack-refs prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack remote-http repack replace request-pull rerere reset restore revert rm scalar send-email send-pack shell show-branch show-index sparse-checkout stage submodule svn switch symbolic-ref unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag write-tree cherry diff-files diff-index difftool get-tar-commit-id ls-remote mailinfo mailsplit patch-id stripspace column'.split(
    ' ',
  ),
);

/** Of these, those that leave the repository as it is, whatever else they do. */
const NO_WRITE = new Set(
  'annotate archive bundle cherry column daemon diff-files diff-index difftool fast-export format-patch get-tar-commit-id help instaweb ls-remote mailinfo mailsplit patch-id range-diff request-pull send-email show-branch show-index stripspace upload-archive upload-pack var verify-commit verify-pack verify-tag'.split(
    ' ',
  ),
);

/** Whether git itself has this verb; anything else may be an alias that runs any program. */
export function isGitVerb(verb: string): boolean {
  return CHANGING.has(verb) || Object.hasOwn(GIT_READING, verb);
}

/** Whether the verb may change the repository when it is not known to read. */
export function isGitWrite(verb: string): boolean {
  return !NO_WRITE.has(verb) && isGitVerb(verb);
}
