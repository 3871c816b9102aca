/** How git is started: its words, its environment, and several runs as one. */
import type { GitStep } from '../../ports.ts';

/** The words of a run. Ids and names come before `--`, and none of them begins like an option. */
export function wordsOf({ words, revisions = [], paths }: GitStep): string[] {
  const option = revisions.find((name) => name === '' || name.startsWith('-'));
  if (option !== undefined) throw new Error(`${JSON.stringify(option)} was given to git as a name.`);
  return [
    '--no-pager',
    ...(meansPatterns(words) ? [] : ['--literal-pathspecs']),
    ...words,
    ...revisions,
    ...(paths === undefined ? [] : ['--', ...paths]),
  ];
}

/** A stash is made by runs of git that name everything by a pattern; it is given no paths. */
function meansPatterns([verb]: readonly string[]): boolean {
  return verb === 'stash';
}

/** Runs that change a repository, one after another; what each reads lies in a file of the folder given to it. */
export function changeScript(program: string, steps: readonly GitStep[], shared: string): string {
  const runs = steps.map((step, index) => {
    const input = step.stdin === undefined ? '/dev/null' : `"$GIT_COMMON_DIR/${inputName(index)}"`;
    const words = step.isOfSettings === true ? ofSettings(step.words, shared) : step.words;
    return `${[program, ...wordsOf({ ...step, words })].map(quoted).join(' ')} <${input}`;
  });
  // The folder for reflogs is made by the first commit, which does not expect a link there.
  const logs = quoted(`${shared}/logs`);
  return ['set -e', `[ -d ${logs} ] || mkdir ${logs}`, ...runs].join('\n');
}

/** The settings that git finds are ours; those of the repository are named. */
function ofSettings([verb = '', ...options]: readonly string[], shared: string): string[] {
  return [verb, '--file', `${shared}/config`, ...options];
}

/** The file that a step reads. */
export function inputName(index: number): string {
  return `input-${index}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Surroundings {
  /** What stands in for the shared folder, as the run sees it. */
  readonly folder: string;
  readonly own: string;
  readonly tree: string;
  readonly isWriting: boolean;
}

/** Everything that git looks at in its environment. */
export function environmentOf({ folder, own, tree, isWriting }: Surroundings): Record<string, string> {
  return {
    GIT_DIR: own,
    GIT_COMMON_DIR: folder,
    GIT_WORK_TREE: tree,
    GIT_CONFIG_GLOBAL: isWriting ? `${folder}/identity` : '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ADVICE: '0',
    GIT_EDITOR: 'false',
    // What it says is read here, so it has to be said in one language.
    LC_ALL: 'C.UTF-8',
    LANGUAGE: 'C',
  };
}
