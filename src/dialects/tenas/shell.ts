/** The shell tools of `tenas`: one plain command each, without a shell, on paths relative to the project. */
import { z } from 'zod';
import { execLook } from '../../capabilities/exec/look.ts';
import { plainWords } from '../../capabilities/exec/plain-words.ts';
import { fsDelete } from '../../capabilities/fs/delete.ts';
import { fsMakeDirectory } from '../../capabilities/fs/make-directory.ts';
import { Failure } from '../../failure.ts';
import type { WorkspaceView } from '../../runtime/workspace.ts';
import { defineTool } from '../dialect.ts';

const args = z.strictObject({ command: z.string() });
const returns = z.object({ cmd: z.string(), path: z.string() });

export const shellReadonly = defineTool({
  name: 'shell-readonly',
  version: '1.0.0',
  description: 'Run date, pwd, or ls of a path in the project. No flags, no pipes.',
  args,
  returns: z.object({ cmd: z.string(), output: z.string() }),
  operation: execLook,
  toInput({ command }, workspace) {
    const [program, ...operands] = plainWords(command);
    if (program !== 'date' && program !== 'pwd' && program !== 'ls')
      throw refused('Unsupported readonly command.', 'date, pwd and ls are there.');
    if (operands.some((word) => word.startsWith('-'))) throw refused(`${program} flags are not supported.`);
    if (program !== 'ls') {
      if (operands.length > 0) throw refused(`${program} takes no arguments.`);
      return { program, path: '.' };
    }
    if (operands.length > 1) throw refused('ls supports a single path.');
    return { program, path: relative(operands[0] ?? '.', workspace) };
  },
  render: ({ command, output }) => ({ cmd: command, output }),
});

export const shellWrite = defineTool({
  name: 'shell-write',
  version: '1.0.0',
  description: 'Run mkdir of a single path in the project; missing parents are made.',
  args,
  returns,
  operation: fsMakeDirectory,
  toInput: ({ command }, workspace) => ({ path: onlyOperand(command, 'mkdir', 'path', workspace) }),
  render: ({ path }) => ({ cmd: `mkdir ${path}`, path }),
});

export const shellDestructive = defineTool({
  name: 'shell-destructive',
  version: '1.0.0',
  description: 'Run rm of a single file in the project.',
  args,
  returns,
  operation: fsDelete,
  toInput: ({ command }, workspace) => ({
    path: onlyOperand(command, 'rm', 'file path', workspace),
    filesOnly: true,
  }),
  render: ({ path }) => ({ cmd: `rm ${path}`, path }),
});

function onlyOperand(command: string, wanted: string, what: string, workspace: WorkspaceView): string {
  const [program, ...operands] = plainWords(command);
  if (program !== wanted) throw refused(`Only ${wanted} is supported.`);
  if (operands.some((word) => word.startsWith('-'))) throw refused(`${wanted} flags are not supported.`);
  const [operand] = operands;
  if (operand === undefined || operands.length > 1) throw refused(`${wanted} requires a single ${what}.`);
  return relative(operand, workspace);
}

function relative(path: string, workspace: WorkspaceView): string {
  if (path.startsWith('/'))
    throw new Failure('E_OUTSIDE_WORKSPACE', 'Shell tools take paths relative to the project only.');
  return workspace.path(path);
}

function refused(message: string, hint?: string): Failure {
  return new Failure('E_INVALID_ARGS', message, hint === undefined ? {} : { hint });
}
