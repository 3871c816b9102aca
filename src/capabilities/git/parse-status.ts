/** What `git status --porcelain=v2 -z` says. */

/** One letter as git writes it: M modified, T type changed, A added, D deleted, R renamed, C copied, U unmerged. */
export type ChangeLetter = '.' | 'M' | 'T' | 'A' | 'D' | 'R' | 'C' | 'U';

export interface SubmoduleState {
  readonly hasOtherCommit: boolean;
  readonly isModified: boolean;
  readonly hasUntracked: boolean;
}

export interface StatusEntry {
  readonly kind: 'changed' | 'unmerged' | 'untracked' | 'ignored';
  /** From the folder of the repository. */
  readonly path: string;
  /** Its old name. */
  readonly from?: string;
  readonly index: ChangeLetter;
  readonly workTree: ChangeLetter;
  readonly submodule?: SubmoduleState;
}

export interface ParsedStatus {
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** Undefined where HEAD is no branch. */
  readonly branch: string | undefined;
  readonly upstream: string | undefined;
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly stashes: number;
  readonly entries: readonly StatusEntry[];
}

/** Reads the whole answer. */
export function parseStatus(output: Buffer): ParsedStatus {
  const items = output.toString().split('\0').slice(0, -1);
  const headers = new Map<string, string>();
  const entries: StatusEntry[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const [, name, value] = /^# (\S+) (.*)$/s.exec(item) ?? [];
    if (name !== undefined) headers.set(name, value!);
    // The old name of a rename is an item of its own.
    else entries.push(item.startsWith('2 ') ? { ...toEntry(item), from: items[++at]! } : toEntry(item));
  }
  const head = headers.get('branch.head');
  const commit = headers.get('branch.oid');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    commit: commit === '(initial)' ? undefined : commit,
    branch: head === '(detached)' ? undefined : head,
    upstream: headers.get('branch.upstream'),
    ahead: ahead === undefined ? undefined : Number(ahead),
    behind: behind === undefined ? undefined : Number(behind),
    stashes: Number(headers.get('stash') ?? 0),
    entries,
  };
}

/** How many words stand before the path of each kind of entry. */
const WORDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

function toEntry(item: string): StatusEntry {
  const kind = item[0]!;
  if (kind === '?' || kind === '!')
    return {
      kind: kind === '?' ? 'untracked' : 'ignored',
      path: item.slice(2),
      index: '.',
      workTree: '.',
    };
  const words = item.split(' ', WORDS[kind] ?? 0);
  if (words.length === 0) throw new Error(`git status says ${JSON.stringify(item)}.`);
  const [, letters = '..', submodule = 'N...'] = words;
  return {
    kind: kind === 'u' ? 'unmerged' : 'changed',
    path: item.slice(words.join(' ').length + 1),
    index: letters[0] as ChangeLetter,
    workTree: letters[1] as ChangeLetter,
    ...(submodule.startsWith('S')
      ? {
          submodule: {
            hasOtherCommit: submodule[1] === 'C',
            isModified: submodule[2] === 'M',
            hasUntracked: submodule[3] === 'U',
          },
        }
      : {}),
  };
}
