/** `git.diff`: what changed between the work tree, what is staged, and commits. */
import { z } from 'zod';
import type { OperationContext, ScopedRepository } from '../../runtime/operation.ts';
import { defineOperation } from '../../runtime/operation.ts';
import { pathIn } from '../../host/workspace-path.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { type DiffSection, diffSections } from './diff-sections.ts';
import { readGit } from './read-git.ts';
import { readStatus } from './read-status.ts';
import { revision } from './revision.ts';
import { pathsOf } from './status.ts';
import { readSubmodules } from './submodules.ts';

export const changedFile = z.strictObject({
  path: workspacePathSchema,
  from: workspacePathSchema.optional().describe('The old name'),
  change: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'unmerged']),
  additions: z.int(),
  deletions: z.int(),
  isBinary: z.boolean(),
});

/** What a diff shows, and what it does not. */
export const shownDiff = z.strictObject({
  diff: z.string(),
  files: z.array(changedFile),
  leftOut: z.array(workspacePathSchema).describe('Files that may not be read without a question'),
});

const input = z.strictObject({
  path: workspacePathSchema.describe('The repository, or a part of it'),
  isStaged: z.boolean().describe('What is staged instead of what is not'),
  from: z.string().optional().describe('A commit, in place of what is staged or committed'),
  to: z.string().optional().describe('Another commit, in place of the work tree'),
  isFromFork: z.boolean().describe('From the last commit that both have in common'),
  context: z.int().min(0).max(10_000).optional().describe('Lines around each change'),
  maxBytes: z.int().min(1).describe('A larger diff is a failure'),
});

export const gitDiff = defineOperation({
  name: 'git.diff',
  summary: 'Shows what changed in a repository, as a unified diff.',
  input,
  output: shownDiff,
  permissions: ['fs.read'],
  effect: 'read',
  access: ({ path }) => [{ permission: 'fs.read', resource: path, isTree: true }],
  async run(input, { git }: OperationContext) {
    using repository = await git.open(input.path);
    const { isStaged, from = input.to && 'HEAD', to, isFromFork, context, maxBytes } = input;
    const names = [from, to].filter((name) => name !== undefined);
    const isOfWorkTree = !isStaged && to === undefined;
    const output = await readGit(
      repository,
      {
        words: [
          ...DIFF_WORDS,
          ...(isStaged ? ['--cached'] : []),
          // Else git would look into submodules, by their own rules.
          ...(isOfWorkTree ? ['--ignore-submodules=dirty'] : []),
          ...(isFromFork ? ['--merge-base'] : []),
          ...(context === undefined ? [] : [`--unified=${context}`]),
        ],
        revisions: names.map(revision),
        paths: pathsOf(repository.scope).paths ?? [],
      },
      maxBytes,
    );
    const sections = diffSections(output.toString());
    return shown(repository, isOfWorkTree ? await withDirty(repository, sections) : sections);
  },
});

/** Only git's own ways of showing a difference, and names as every reader of patches knows them. */
export const DIFF_OPTIONS = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
const DIFF_WORDS = ['diff', '--patch', ...DIFF_OPTIONS];

/** What may be shown of a diff. */
export function shown(
  repository: ScopedRepository,
  sections: readonly DiffSection[],
): z.infer<typeof shownDiff> {
  const mayShow = ({ path, from = path }: DiffSection): boolean =>
    repository.mayShow(path) && repository.mayShow(from);
  const visible = sections.filter(mayShow);
  const hidden = sections.filter((section) => !mayShow(section) && repository.mayName(section.path));
  const place = (path: string): string => pathIn(repository.path, path);
  return {
    diff: visible.map(({ text }) => text).join(''),
    files: visible.map((section) => toFile(section, place)),
    leftOut: hidden.map(({ path }) => place(path)),
  };
}

function toFile(section: DiffSection, place: (path: string) => string): z.infer<typeof changedFile> {
  const { path, from, change, additions, deletions, isBinary } = section;
  const names = { path: place(path), ...(from === undefined ? {} : { from: place(from) }) };
  return { ...names, change, additions, deletions, isBinary };
}

/** Submodules that were worked in are marked as git marks them. */
async function withDirty(
  repository: ScopedRepository,
  sections: readonly DiffSection[],
): Promise<readonly DiffSection[]> {
  const submodules = await readSubmodules(repository, (inner) => readStatus(inner));
  const isAsked = (path: string): boolean =>
    repository.scope === '.' || path === repository.scope || path.startsWith(`${repository.scope}/`);
  const byPath = new Map(sections.map((section) => [section.path, section]));
  for (const { path, commit, isModified, ignored } of submodules) {
    if (ignored === 'all') byPath.delete(path);
    if (!isModified || !isAsked(path)) continue;
    const known = byPath.get(path);
    byPath.set(
      path,
      known === undefined
        ? dirtySection(path, commit)
        : { ...known, text: known.text.replace(/(\n\+Subproject commit [0-9a-f]+)\n$/, '$1-dirty\n') },
    );
  }
  if (submodules.length === 0) return sections;
  return [...byPath.values()].sort((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  );
}

function dirtySection(path: string, commit: string): DiffSection {
  const lines = [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1 +1 @@',
    `-Subproject commit ${commit}`,
    `+Subproject commit ${commit}-dirty`,
    '',
  ];
  const text = lines.join('\n');
  return { path, change: 'modified', additions: 1, deletions: 1, isBinary: false, text };
}
