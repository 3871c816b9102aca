/** Every tool with a path argument, and how a path gets into it: the columns of every table of paths. */
import type { ToolCall } from './surfaces.ts';

export interface FileTool {
  readonly dialect: 'handrail' | 'coder' | 'codelab';
  readonly tool: string;
  /** What it does to the path; a tool with two paths is there twice. */
  readonly does:
    | 'read'
    | 'write'
    | 'list'
    | 'delete'
    | 'move from'
    | 'move to'
    | 'edit'
    | 'patch to make'
    | 'patch'
    | 'patch to delete'
    | 'patch to rename from'
    | 'patch to rename to';
}

/** What an attack writes. */
export const PLANTED = 'planted\n';

export const FILE_TOOLS: readonly FileTool[] = [
  { dialect: 'coder', tool: 'read', does: 'read' },
  { dialect: 'coder', tool: 'write', does: 'write' },
  { dialect: 'coder', tool: 'list', does: 'list' },
  { dialect: 'coder', tool: 'edit', does: 'edit' },
  { dialect: 'coder', tool: 'patch', does: 'patch to make' },
  { dialect: 'coder', tool: 'patch', does: 'patch' },
  { dialect: 'coder', tool: 'patch', does: 'patch to delete' },
  { dialect: 'coder', tool: 'patch', does: 'patch to rename from' },
  { dialect: 'coder', tool: 'patch', does: 'patch to rename to' },
  { dialect: 'handrail', tool: 'read', does: 'read' },
  { dialect: 'handrail', tool: 'write', does: 'write' },
  { dialect: 'handrail', tool: 'list', does: 'list' },
  { dialect: 'handrail', tool: 'delete', does: 'delete' },
  { dialect: 'handrail', tool: 'move', does: 'move from' },
  { dialect: 'handrail', tool: 'move', does: 'move to' },
  { dialect: 'codelab', tool: 'read_file', does: 'read' },
  { dialect: 'codelab', tool: 'write_file', does: 'write' },
  { dialect: 'codelab', tool: 'delete_file', does: 'delete' },
];

/** The call that gives a path to a tool. */
export function callOn({ dialect, tool, does }: FileTool, path: string): ToolCall {
  return { dialect, tool, args: ARGUMENTS[does]?.(path) ?? { path } };
}

const ARGUMENTS: Partial<Record<FileTool['does'], (path: string) => object>> = {
  write: (path) => ({ path, content: PLANTED }),
  'move from': (from) => ({ from, to: 'moved' }),
  'move to': (to) => ({ from: 'alive.txt', to }),
  edit: (path) => ({ path, old_string: 'outside secret', new_string: 'planted' }),
  'patch to make': (path) => ({
    patch: `--- /dev/null\n+++ ${inHeader('b', path)}\n@@ -0,0 +1 @@\n+${PLANTED}`,
  }),
  patch: (path) => ({
    patch: `--- ${inHeader('a', path)}\n+++ ${inHeader('b', path)}\n@@ -1 +1 @@\n-outside secret\n+${PLANTED}`,
  }),
  'patch to delete': (path) => ({
    patch: `--- ${inHeader('a', path)}\n+++ /dev/null\n@@ -1 +0,0 @@\n-outside secret\n`,
  }),
  'patch to rename from': (path) => ({
    patch: `diff --git a/x b/x\nrename from ${inHeader('', path)}\nrename to "moved"\n`,
  }),
  'patch to rename to': (path) => ({
    patch: `diff --git a/x b/x\nrename from "alive.txt"\nrename to ${inHeader('', path)}\n`,
  }),
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

/** The tools that do one of the given things. */
export function toolsThat(...does: readonly FileTool['does'][]): FileTool[] {
  return FILE_TOOLS.filter((tool) => does.includes(tool.does));
}
