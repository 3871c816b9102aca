/** Every tool with a path argument, and how a path gets into it: the columns of every table of paths. */
import type { ToolCall } from './surfaces.ts';

export interface FileTool {
  readonly dialect: 'handrail' | 'coder' | 'codelab' | 'tenas' | 'clude';
  readonly tool: string;
  /** What it does to the path; a tool with two paths is there twice. */
  readonly does:
    | 'read'
    | 'read several'
    | 'read document'
    | 'view'
    | 'stat'
    | 'search'
    | 'find'
    | 'look up'
    | 'diagnose'
    | 'point at'
    | 'lint'
    | 'write'
    | 'make'
    | 'list'
    | 'delete'
    | 'delete file'
    | 'move from'
    | 'move to'
    | 'edit'
    | 'patch to make'
    | 'patch'
    | 'patch to delete'
    | 'patch to rename from'
    | 'patch to rename to'
    | 'review';
  /** Its arguments, where they are not the usual ones for what it does. */
  readonly args?: (path: string) => object;
}

/** What an attack writes. */
export const PLANTED = 'planted\n';

/** Patches that do something to a path. */
const PATCHES: readonly (readonly [FileTool['does'], (path: string) => string])[] = [
  ['patch to make', (path) => `--- /dev/null\n+++ ${inHeader('b', path)}\n@@ -0,0 +1 @@\n+${PLANTED}`],
  [
    'patch',
    (path) =>
      `--- ${inHeader('a', path)}\n+++ ${inHeader('b', path)}\n@@ -1 +1 @@\n-outside secret\n+${PLANTED}`,
  ],
  [
    'patch to delete',
    (path) => `--- ${inHeader('a', path)}\n+++ /dev/null\n@@ -1 +0,0 @@\n-outside secret\n`,
  ],
  [
    'patch to rename from',
    (path) => `diff --git a/x b/x\nrename from ${inHeader('', path)}\nrename to "moved"\n`,
  ],
  [
    'patch to rename to',
    (path) => `diff --git a/x b/x\nrename from "alive.txt"\nrename to ${inHeader('', path)}\n`,
  ],
];

export const FILE_TOOLS: readonly FileTool[] = [
  { dialect: 'coder', tool: 'read', does: 'read' },
  { dialect: 'coder', tool: 'write', does: 'write' },
  { dialect: 'coder', tool: 'list', does: 'list' },
  { dialect: 'coder', tool: 'edit', does: 'edit' },
  { dialect: 'coder', tool: 'lsp_diagnostics', does: 'diagnose' },
  { dialect: 'coder', tool: 'lsp_definition', does: 'point at' },
  { dialect: 'coder', tool: 'lsp_hover', does: 'point at' },
  { dialect: 'handrail', tool: 'lsp_diagnostics', does: 'diagnose' },
  { dialect: 'handrail', tool: 'lsp_references', does: 'point at' },
  { dialect: 'handrail', tool: 'lsp_symbols', does: 'diagnose' },
  { dialect: 'handrail', tool: 'lsp_find_symbol', does: 'point at', args: (path) => ({ path, query: 's' }) },
  {
    dialect: 'handrail',
    tool: 'lsp_rename',
    does: 'point at',
    args: (path) => ({ path, line: 0, character: 0, new_name: 'planted' }),
  },
  { dialect: 'clude', tool: 'read_lints', does: 'lint', args: (path) => ({ paths: ['alive.txt', path] }) },
  { dialect: 'handrail', tool: 'read', does: 'read' },
  { dialect: 'handrail', tool: 'write', does: 'write' },
  { dialect: 'handrail', tool: 'list', does: 'list' },
  { dialect: 'handrail', tool: 'delete', does: 'delete' },
  { dialect: 'handrail', tool: 'move', does: 'move from' },
  { dialect: 'handrail', tool: 'move', does: 'move to' },
  { dialect: 'codelab', tool: 'read_file', does: 'read' },
  { dialect: 'codelab', tool: 'write_file', does: 'write' },
  { dialect: 'codelab', tool: 'delete_file', does: 'delete' },
  { dialect: 'coder', tool: 'grep', does: 'search' },
  { dialect: 'handrail', tool: 'grep', does: 'search' },
  {
    dialect: 'handrail',
    tool: 'code_search',
    does: 'search',
    args: (path) => ({ paths: [path], query: 'secret' }),
  },
  { dialect: 'handrail', tool: 'glob', does: 'find', args: (path) => ({ path, pattern: '**' }) },
  { dialect: 'handrail', tool: 'read_files', does: 'read several' },
  { dialect: 'handrail', tool: 'view', does: 'view' },
  { dialect: 'handrail', tool: 'read_document', does: 'read document' },
  { dialect: 'tenas', tool: 'file-read-excel', does: 'read document' },
  { dialect: 'tenas', tool: 'file-read-docx', does: 'read document' },
  { dialect: 'handrail', tool: 'stat', does: 'stat' },
  { dialect: 'handrail', tool: 'mkdir', does: 'make' },
  { dialect: 'handrail', tool: 'git_status', does: 'look up' },
  { dialect: 'handrail', tool: 'git_diff', does: 'look up' },
  { dialect: 'handrail', tool: 'git_log', does: 'look up' },
  { dialect: 'handrail', tool: 'git_blame', does: 'look up' },
  { dialect: 'handrail', tool: 'git_show', does: 'look up', args: (path) => ({ path, ref: 'HEAD' }) },
  { dialect: 'handrail', tool: 'git_branch', does: 'look up', args: (path) => ({ path, action: 'list' }) },
  { dialect: 'handrail', tool: 'git_stash', does: 'look up', args: (path) => ({ path, action: 'list' }) },
  { dialect: 'handrail', tool: 'git_add', does: 'look up', args: (path) => ({ paths: [path] }) },
  {
    dialect: 'handrail',
    tool: 'git_commit',
    does: 'look up',
    args: (path) => ({ paths: [path], message: 'x' }),
  },
  { dialect: 'handrail', tool: 'git_restore', does: 'look up', args: (path) => ({ paths: [path] }) },
  { dialect: 'codelab', tool: 'git.diff', does: 'look up' },
  { dialect: 'codelab', tool: 'git.status', does: 'look up' },
  { dialect: 'codelab', tool: 'git.log', does: 'look up' },
  {
    dialect: 'codelab',
    tool: 'git.commit',
    does: 'look up',
    args: (path) => ({ files: [path], message: 'x' }),
  },
  { dialect: 'codelab', tool: 'list_files', does: 'list', args: (path) => ({ path, include_hidden: true }) },
  {
    dialect: 'codelab',
    tool: 'list_files',
    does: 'list',
    args: (path) => ({ path, include_hidden: true, recursive: true }),
  },
  { dialect: 'codelab', tool: 'search_in_project', does: 'search', args: (path) => ({ path, query: 's' }) },
  { dialect: 'codelab', tool: 'create_directory', does: 'make' },
  { dialect: 'codelab', tool: 'move_file', does: 'move from' },
  { dialect: 'codelab', tool: 'move_file', does: 'move to' },
  { dialect: 'tenas', tool: 'file-read', does: 'read' },
  { dialect: 'tenas', tool: 'file-write', does: 'write' },
  { dialect: 'tenas', tool: 'file-list', does: 'list' },
  { dialect: 'tenas', tool: 'file-search', does: 'find', args: (path) => ({ path, query: 's' }) },
  { dialect: 'tenas', tool: 'file-delete', does: 'delete file' },
  { dialect: 'clude', tool: 'read_file', does: 'read' },
  { dialect: 'clude', tool: 'list_dir', does: 'list' },
  { dialect: 'clude', tool: 'delete_file', does: 'delete file' },
  { dialect: 'clude', tool: 'grep', does: 'search' },
  {
    dialect: 'clude',
    tool: 'codebase_search',
    does: 'search',
    args: (path) => ({ target_directories: [path], query: 'secret' }),
  },
  {
    dialect: 'clude',
    tool: 'glob_file_search',
    does: 'find',
    args: (path) => ({ target_directory: path, glob_pattern: '**' }),
  },
  {
    dialect: 'tenas',
    tool: 'shell-readonly',
    does: 'list',
    args: (path) => ({ command: `ls ${quoted(path)}` }),
  },
  {
    dialect: 'tenas',
    tool: 'shell-write',
    does: 'make',
    args: (path) => ({ command: `mkdir ${quoted(path)}` }),
  },
  {
    dialect: 'tenas',
    tool: 'shell-destructive',
    does: 'delete file',
    args: (path) => ({ command: `rm ${quoted(path)}` }),
  },
  ...patchTools('coder', 'patch', 'patch'),
  ...patchTools('codelab', 'apply_patch', 'diff'),
  ...patchTools('tenas', 'file-patch', 'patch'),
  ...patchTools('clude', 'apply_patch', 'patch_text'),
  ...reviewTools('handrail', 'patch_review', 'patch'),
  ...reviewTools('codelab', 'apply_patch_review', 'diff'),
];

/** Everything a patch can do to a path, in a tool that takes it as this argument. */
function patchTools(dialect: FileTool['dialect'], tool: string, argument: string): FileTool[] {
  return PATCHES.map(([does, patch]) => ({
    dialect,
    tool,
    does,
    args: (path) => ({ [argument]: patch(path) }),
  }));
}

/** Everything a patch can do to a path, in a tool that only has it looked at. */
function reviewTools(dialect: FileTool['dialect'], tool: string, argument: string): FileTool[] {
  return patchTools(dialect, tool, argument).map((review) => ({ ...review, does: 'review' }));
}

/** What looks at a place and changes nothing. */
export const LOOKING: readonly FileTool['does'][] = [
  'read',
  'read several',
  'read document',
  'view',
  'stat',
  'diagnose',
  'look up',
  'lint',
  'list',
  'search',
  'find',
  'point at',
  'review',
];

export interface PatternTool {
  readonly callWith: (pattern: string) => ToolCall;
  /** A listing shows the links of a directory, which a search passes over. */
  readonly listsLinks: boolean;
}

/** Every argument that is a pattern of paths, and how a pattern gets into it. */
export const PATTERN_TOOLS: readonly PatternTool[] = [
  ...[
    (pattern: string) => ({ dialect: 'coder', tool: 'glob', args: { pattern } }),
    (pattern: string) => ({ dialect: 'handrail', tool: 'glob', args: { pattern } }),
    (glob: string) => ({ dialect: 'handrail', tool: 'grep', args: { pattern: '.', glob } }),
    (glob_pattern: string) => ({ dialect: 'clude', tool: 'glob_file_search', args: { glob_pattern } }),
    (glob: string) => ({ dialect: 'clude', tool: 'grep', args: { pattern: '.', glob } }),
    (file_pattern: string) => ({
      dialect: 'codelab',
      tool: 'search_in_project',
      args: { query: 's', file_pattern },
    }),
  ].map((callWith) => ({ callWith, listsLinks: false })),
  {
    callWith: (pattern) => ({ dialect: 'codelab', tool: 'list_files', args: { pattern, recursive: true } }),
    listsLinks: true,
  },
  {
    callWith: (glob) => ({ dialect: 'clude', tool: 'list_dir', args: { path: '.', ignore_globs: [glob] } }),
    listsLinks: true,
  },
];

/** The call that gives a path to a tool. */
export function callOn({ dialect, tool, does, args }: FileTool, path: string): ToolCall {
  return { dialect, tool, args: (args ?? ARGUMENTS[does])?.(path) ?? { path } };
}

const ARGUMENTS: Partial<Record<FileTool['does'], (path: string) => object>> = {
  'read several': (path) => ({ paths: ['alive.txt', path] }),
  search: (path) => ({ path, pattern: '.' }),
  'point at': (path) => ({ path, line: 0, character: 0 }),
  write: (path) => ({ path, content: PLANTED }),
  'move from': (from) => ({ from, to: 'moved' }),
  'move to': (to) => ({ from: 'alive.txt', to }),
  edit: (path) => ({ path, old_string: 'outside secret', new_string: 'planted' }),
};

/** A name as a header of a patch can say any: in quotes, with every byte that is not plain in octal. */
function inHeader(prefix: string, path: string): string {
  const name = prefix === '' ? path : `${prefix}/${path}`;
  // What has no bytes is written as it is.
  if (!name.isWellFormed()) return `"${name}"`;
  const bytes = [...Buffer.from(name)].map((byte) =>
    /[\w./~$-]/.test(String.fromCodePoint(byte))
      ? String.fromCodePoint(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${bytes.join('')}"`;
}

/** A name as a word of a command. */
function quoted(path: string): string {
  return path.includes("'") ? `"${path}"` : `'${path}'`;
}

/** The tools that do one of the given things. */
export function toolsThat(...does: readonly FileTool['does'][]): FileTool[] {
  return FILE_TOOLS.filter((tool) => does.includes(tool.does));
}
