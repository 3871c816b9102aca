/** Every tool with a path argument, and how a path gets into it: the columns of every table of paths. */
import type { ToolCall } from './surfaces.ts';

export interface FileTool {
  readonly dialect: 'handrail' | 'coder' | 'codelab';
  readonly tool: string;
  /** What it does to the path; a tool with two paths is there twice. */
  readonly does: 'read' | 'write' | 'list' | 'delete' | 'move from' | 'move to';
}

/** What an attack writes. */
export const PLANTED = 'planted\n';

export const FILE_TOOLS: readonly FileTool[] = [
  { dialect: 'coder', tool: 'read', does: 'read' },
  { dialect: 'coder', tool: 'write', does: 'write' },
  { dialect: 'coder', tool: 'list', does: 'list' },
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
};

/** The tools that do one of the given things. */
export function toolsThat(...does: readonly FileTool['does'][]): FileTool[] {
  return FILE_TOOLS.filter((tool) => does.includes(tool.does));
}
