/** The tables of git; each case makes its repository first. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Runtime } from '../../src/index.ts';
import { codelabResult } from './replies.ts';
import { NOT_PRESENTED, type Table } from './table.ts';

const files = { 'a.txt': 'one\n' };
const DATE = '2026-01-02T03:04:05+00:00';

function git(root: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE };
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A repository with one commit, and a line more in its file. */
function makeRepository({ workspace: { root } }: Runtime): void {
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Tester');
  git(root, 'config', 'user.email', 'tester@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  appendFileSync(join(root, 'a.txt'), 'two\n');
}

const after =
  (args: object) =>
  async (runtime: Runtime): Promise<object> => {
    makeRepository(runtime);
    return args;
  };

const head = (root: string): string => git(root, 'rev-parse', 'HEAD').trim();
const plainDiff = (root: string): string => git(root, 'diff');
const changed = [{ path: 'a.txt', change: 'modified', additions: 1, deletions: 0 }];
const commit = (root: string): object => ({
  id: head(root),
  author: 'Tester <tester@example.org>',
  date: DATE,
  subject: 'first',
  refs: ['HEAD', 'main'],
});
const OTHERS = { coder: NOT_PRESENTED, tenas: NOT_PRESENTED, clude: NOT_PRESENTED } as const;

const gitStatus: Table = {
  ...OTHERS,
  handrail: {
    tool: 'git_status',
    files,
    args: after({}),
    reply: (root) => ({
      ok: true,
      branch: 'main',
      commit: head(root),
      entries: [{ path: 'a.txt', unstaged: 'modified' }],
    }),
  },
  codelab: {
    tool: 'git.status',
    files,
    args: after({ path: '.' }),
    reply: () =>
      codelabResult({ branch: 'main', clean: false, files: [{ path: 'a.txt', unstaged: 'modified' }] }),
  },
};

const gitDiff: Table = {
  ...OTHERS,
  handrail: {
    tool: 'git_diff',
    files,
    args: after({ path: 'a.txt' }),
    reply: (root) => ({ ok: true, diff: plainDiff(root), files: changed }),
  },
  codelab: {
    tool: 'git.diff',
    files,
    args: after({ path: '.', staged: false }),
    reply: (root) => codelabResult({ diff: plainDiff(root) }),
  },
};

const gitLog: Table = {
  ...OTHERS,
  handrail: {
    tool: 'git_log',
    files,
    args: after({}),
    reply: (root) => ({ ok: true, commits: [commit(root)], has_more: false }),
  },
  codelab: {
    tool: 'git.log',
    files,
    args: after({ limit: 10, path: 'a.txt' }),
    reply: (root) =>
      codelabResult({
        commits: [
          { hash: head(root), author: 'Tester', email: 'tester@example.org', date: DATE, message: 'first' },
        ],
        has_more: false,
      }),
  },
};

const gitShow: Table = {
  ...OTHERS,
  codelab: NOT_PRESENTED,
  handrail: [
    {
      tool: 'git_show',
      files,
      args: after({ ref: 'main' }),
      reply: (root) => ({
        ok: true,
        commit: commit(root),
        diff: git(root, 'show', '--format='),
        files: [{ path: 'a.txt', change: 'added', additions: 1, deletions: 0 }],
      }),
    },
    {
      tool: 'git_show',
      files,
      args: after({ ref: 'main', path: 'a.txt', content: true }),
      reply: (root) => ({ ok: true, commit: commit(root), content: 'one\n' }),
    },
  ],
};

const gitBlame: Table = {
  ...OTHERS,
  codelab: NOT_PRESENTED,
  handrail: {
    tool: 'git_blame',
    files,
    args: after({ path: 'a.txt', to_line: 1 }),
    reply: (root) => {
      const id = head(root).slice(0, 10);
      return {
        ok: true,
        lines: [{ line: 1, commit: id, text: 'one' }],
        commits: { [id]: { author: 'Tester', date: new Date(DATE).toISOString(), subject: 'first' } },
      };
    },
  },
};

const gitAdd: Table = {
  ...OTHERS,
  codelab: NOT_PRESENTED,
  handrail: {
    tool: 'git_add',
    files,
    args: after({ paths: ['.'] }),
    reply: () => ({ ok: true, staged: ['a.txt'] }),
  },
};

const ID = expect.stringMatching(/^[0-9a-f]{40}$/) as string;

const gitCommit: Table = {
  ...OTHERS,
  handrail: {
    tool: 'git_commit',
    files,
    args: after({ message: 'second', paths: ['a.txt'] }),
    reply: () => ({ ok: true, commit: ID, branch: 'main', files: ['a.txt'] }),
  },
  codelab: {
    tool: 'git.commit',
    files,
    args: after({ message: 'second' }),
    reply: () => codelabResult({ success: true, commit_hash: ID, files_committed: ['a.txt'] }),
  },
};

const gitBranch: Table = {
  ...OTHERS,
  handrail: {
    tool: 'git_branch',
    files,
    args: after({ action: 'list' }),
    reply: (root) => ({
      ok: true,
      current: 'main',
      branches: [{ name: 'main', commit: head(root), subject: 'first' }],
    }),
  },
  codelab: {
    tool: 'git.branch',
    files,
    args: after({ action: 'create', name: 'feature/new-auth' }),
    reply: () => codelabResult({ success: true, current: 'main', branches: ['feature/new-auth', 'main'] }),
  },
};

const gitStash: Table = {
  ...OTHERS,
  codelab: NOT_PRESENTED,
  handrail: {
    tool: 'git_stash',
    files,
    args: after({ action: 'push', message: 'later' }),
    reply: () => ({
      ok: true,
      stashes: [{ index: 0, message: 'On main: later', date: expect.any(String) as string }],
    }),
    after: { 'a.txt': 'one\n' },
  },
};

const gitRestore: Table = {
  ...OTHERS,
  codelab: NOT_PRESENTED,
  handrail: {
    tool: 'git_restore',
    files,
    args: after({ paths: ['a.txt'] }),
    reply: () => ({ ok: true, restored: ['a.txt'] }),
    after: { 'a.txt': 'one\n' },
  },
};

export const gitTables: Readonly<Record<string, Table>> = {
  'git.status': gitStatus,
  'git.diff': gitDiff,
  'git.log': gitLog,
  'git.show': gitShow,
  'git.blame': gitBlame,
  'git.add': gitAdd,
  'git.commit': gitCommit,
  'git.branch': gitBranch,
  'git.stash': gitStash,
  'git.restore': gitRestore,
};
