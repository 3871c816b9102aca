/** What our tools say about a repository is what git says, on repositories of every odd kind. */
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/index.ts';
import { ODD_REPOSITORIES } from './odd-repositories.ts';

type Reply = Record<string, unknown> & { entries: Entry[]; commits: Commit[]; lines: Line[] };
interface Entry {
  readonly path: string;
  readonly from?: string;
  readonly staged?: string;
  readonly unstaged?: string;
  readonly conflict?: string;
}
interface Commit {
  readonly id: string;
  readonly author: string;
  readonly subject: string;
}
interface Line {
  readonly commit: string;
  readonly text: string;
}

async function ask(runtime: Runtime, tool: string, args: object): Promise<Reply> {
  const { reply, result } = await runtime.call(tool, args);
  expect(result.error).toBeNull();
  return reply as Reply;
}

const LETTERS: Readonly<Record<string, string>> = {
  modified: 'M',
  'type-changed': 'T',
  added: 'A',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
};

/** An entry as the short status of git has it. */
function asGitWrites(at: string, { path, from, staged, unstaged, conflict }: Entry): string[] {
  const below = (name: string): string => (at === '.' ? name : name.slice(at.length + 1));
  const letters =
    unstaged === 'untracked'
      ? '??'
      : (conflict ?? (LETTERS[staged ?? ''] ?? ' ') + (LETTERS[unstaged ?? ''] ?? ' '));
  return [`${letters} ${below(path)}`, ...(from === undefined ? [] : [below(from)])];
}

describe.each(Object.entries(ODD_REPOSITORIES))('a repository with %s', (_name, make) => {
  it('has the status, the diffs, the history and the origins of lines that git says', async () => {
    const { repository, at = '.' } = make();
    await using _ = repository;
    const runtime = await repository.runtime({ dialect: 'handrail' });
    const plain = (...args: readonly string[]): string => repository.gitIn(at, ...args);

    const { entries, ...head } = await ask(runtime, 'git_status', { path: at });
    const short = plain('status', '--porcelain', '-z').split('\0').slice(0, -1);
    expect(entries.flatMap((entry) => asGitWrites(at, entry))).toEqual(short);
    const branch = plain('branch', '--show-current').trim();
    expect(head['branch'] ?? '').toBe(branch);

    for (const [args, words] of [
      [{}, []],
      [{ staged: true }, ['--cached']],
      [{ context: 0 }, ['-U0']],
    ] as const) {
      const { diff } = await ask(runtime, 'git_diff', { path: at, ...args });
      expect(diff).toBe(plain('diff', ...words));
    }

    const { commits } = await ask(runtime, 'git_log', { path: at });
    const isEmpty = head['commit'] === undefined;
    const logged = isEmpty ? '' : plain('log', '-z', '--format=%H %an <%ae> %s').replace(/\0$/, '');
    expect(commits.map(({ id, author, subject }) => `${id} ${author} ${subject}`).join('\0')).toBe(logged);
    if (isEmpty) return;

    const { diff: lastChange } = await ask(runtime, 'git_show', { path: at, ref: 'HEAD' });
    expect(lastChange).toBe(plain('show', '--format=', 'HEAD'));

    const file = plain('ls-files', '-z')
      .split('\0')
      .find((name) => /a\.txt$|ünï/.test(name));
    if (file === undefined) return;
    const path = at === '.' ? file : `${at}/${file}`;
    const { lines } = await ask(runtime, 'git_blame', { path });
    const blamed = plain('blame', '--line-porcelain', '--', file);
    const own = lines.map(({ commit, text }) => `${commit} ${text}`);
    expect(own).toEqual(blamedLines(blamed));
  });
});

function blamedLines(blamed: string): string[] {
  let commit = '';
  return blamed.split('\n').flatMap((row) => {
    commit = /^([0-9a-f]{10})[0-9a-f]{30,54} \d+ \d+/.exec(row)?.[1] ?? commit;
    return row.startsWith('\t') ? [`${commit} ${row.slice(1)}`] : [];
  });
}
