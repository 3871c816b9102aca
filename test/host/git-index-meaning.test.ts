/** Indexes that git itself wrote: the same entries mean the same, whatever the files on the disk look like. */
import { execFileSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIndexMeaning, isGitIndex } from '../../src/host/git-index-meaning.ts';
import { type TempWorkspace, tempWorkspace } from '../support/temp-workspace.ts';

const LONG = 'deeply/nested/'.repeat(20);
const FILES = {
  'a.txt': 'a\n',
  'src/one.ts': '1\n',
  'src/two.ts': '2\n',
  [`${LONG}x`]: 'x\n',
  'grüße.txt': 'ü\n',
};

interface Repository extends AsyncDisposable {
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly meaning: () => string | undefined;
  readonly bytes: () => Buffer<ArrayBuffer>;
}

function repository(
  format: 'sha1' | 'sha256' = 'sha1',
  workspace: TempWorkspace = tempWorkspace(FILES),
): Repository {
  const { root } = workspace;
  const env = { PATH: process.env['PATH'], HOME: workspace.locations.home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
  git('init', '-q', `--object-format=${format}`);
  git('add', '.');
  const bytes = (): Buffer<ArrayBuffer> => readFileSync(join(root, '.git/index'));
  return {
    root,
    git,
    bytes,
    meaning: () => gitIndexMeaning(bytes()),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

/** Every file looks changed, so that git writes its index anew. */
function touchAll(root: string): void {
  for (const path of Object.keys(FILES)) utimesSync(join(root, path), 1_000, 1_000);
}

describe('gitIndexMeaning', () => {
  describe.each(['sha1', 'sha256'] as const)('with ids of %s', (format) => {
    it.each([2, 3, 4])('stays the same where git version %i looks at files again', async (version) => {
      await using repo = repository(format);
      const first = repo.meaning();
      repo.git('update-index', `--index-version=${version}`, '--force-write-index');
      // Version 3 is only written where an entry needs it.
      const isWritten = repo.bytes().readUInt32BE(4) === version || version === 3;
      const before = repo.bytes();
      touchAll(repo.root);
      repo.git('update-index', '--refresh');
      expect(repo.bytes().equals(before)).toBe(false);
      expect({ isWritten, meaning: repo.meaning() }).toEqual({ isWritten: true, meaning: first });
      expect(first).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  it('stays the same after git status, and with what git adds to be quick', async () => {
    await using repo = repository();
    const first = repo.meaning();
    touchAll(repo.root);
    repo.git('status');
    expect(repo.meaning()).toBe(first);
    repo.git('update-index', '--untracked-cache');
    repo.git('write-tree');
    repo.git('status');
    expect(repo.bytes().includes('UNTR')).toBe(true);
    expect(repo.meaning()).toBe(first);
  });

  it.each<[what: string, change: (repo: Repository) => void]>([
    ['a content', ({ root, git }) => (writeFileSync(join(root, 'a.txt'), 'b\n'), git('add', 'a.txt'))],
    ['a name', ({ git }) => git('mv', 'a.txt', 'b.txt')],
    ['a mode', ({ git }) => git('update-index', '--chmod=+x', 'a.txt')],
    ['one entry less', ({ git }) => git('rm', '-q', '--cached', 'a.txt')],
    ['an intent to add', ({ root, git }) => (writeFileSync(join(root, 'n'), ''), git('add', '-N', 'n'))],
    ['skip-worktree', ({ git }) => git('update-index', '--skip-worktree', 'a.txt')],
    ['assume-unchanged', ({ git }) => git('update-index', '--assume-unchanged', 'a.txt')],
  ])('is another one with another %s', async (_, change) => {
    await using repo = repository();
    const first = repo.meaning();
    change(repo);
    expect(repo.meaning()).not.toBe(first);
    expect(repo.meaning()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is another one where both sides of a merge are in it', async () => {
    await using repo = repository();
    const id = repo.git('rev-parse', ':a.txt').trim();
    const other = repo.git('rev-parse', ':src/one.ts').trim();
    const stages = (one: string, two: string): string =>
      `0 ${'0'.repeat(40)}\ta.txt\n100644 ${one} 2\ta.txt\n100644 ${two} 3\ta.txt\n`;
    const update = (input: string): string | undefined => {
      execFileSync('git', ['update-index', '--index-info'], { cwd: repo.root, input });
      return repo.meaning();
    };
    const meanings = [repo.meaning(), update(stages(id, other)), update(stages(other, id))];
    expect(new Set(meanings).size).toBe(3);
    expect(meanings).not.toContain(undefined);
  });

  it('is known of an index that git wrote without a hash at its end', async () => {
    await using repo = repository('sha256');
    const bytes = repo.bytes();
    expect(gitIndexMeaning(Buffer.from(bytes).fill(0, bytes.length - 32))).toBe(repo.meaning());
  });

  it('is not known of an index that is split in two', async () => {
    await using repo = repository();
    repo.git('update-index', '--split-index');
    expect(repo.meaning()).toBe(undefined);
  });

  it('is not known of anything that is not a whole index', async () => {
    await using repo = repository();
    const bytes = repo.bytes();
    const noHash = Buffer.from(bytes).fill(0, bytes.length - 20);
    const manyEntries = Buffer.from(noHash);
    manyEntries.writeUInt32BE(0xffff_ffff, 8);
    const otherVersion = Buffer.from(noHash);
    otherVersion.writeUInt32BE(5, 4);
    const flipped = Buffer.from(bytes);
    flipped[100]! ^= 1;
    const damaged: Buffer[] = [Buffer.alloc(0), Buffer.from('DIRC'), manyEntries, otherVersion, flipped];
    for (let length = 0; length < bytes.length; length += 7) damaged.push(bytes.subarray(0, length));
    for (let length = 12; length < bytes.length - 20; length += 7)
      damaged.push(Buffer.concat([bytes.subarray(0, length), Buffer.alloc(20)]));
    expect(damaged.filter((content) => gitIndexMeaning(content) !== undefined)).toEqual([]);
  });

  it('takes no names that grow without end', async () => {
    const header = Buffer.from('DIRC\0\0\0\x04\0\0\x10\0', 'latin1');
    const entry = Buffer.concat([Buffer.alloc(62), Buffer.from('\0abcdefgh\0')]);
    const entries = Array<Buffer>(0x1000).fill(entry);
    expect(gitIndexMeaning(Buffer.concat([header, ...entries, Buffer.alloc(20)]))).toBe(undefined);
  });
});

describe('isGitIndex', () => {
  it('knows every place of one', () => {
    const paths = ['.git/index', 'sub/.git/index', '.git/worktrees/w/index', '.git/modules/a/b/index'];
    expect(paths.filter((path) => !isGitIndex(path))).toEqual([]);
    const others = [
      'index',
      '.git/index.lock',
      '.git/x/index',
      'x.git/index',
      '.git/worktrees/index',
      '.git/indexes',
    ];
    expect(others.filter(isGitIndex)).toEqual([]);
  });
});
