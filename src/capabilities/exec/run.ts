/** `exec.run`: a command of the shell, confined to what was decided, until it ends or its time is up. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { defineOperation, type ScopedCommands } from '../../runtime/operation.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';
import { commandAccesses } from './command-accesses.ts';
import { describeCommand } from './describe-command.ts';

export const runInput = z.strictObject({
  command: z.string().describe('As a shell reads it'),
  directory: workspacePathSchema.describe('Where it runs'),
  isLogin: z.boolean().describe('Whether the shell reads its profile first'),
  isMerged: z.boolean().describe('Whether both streams come as one, in the order they were written'),
  timeoutMs: z.int().min(1),
  maxOutputBytes: z.int().min(1).describe('A stream'),
  keep: z.enum(['head-and-tail', 'tail']).describe('What is shown of more than that'),
  hosts: z.array(z.string().min(1)).describe('What it wants to reach'),
  isOutside: z.boolean().describe('Whether it is to run outside the sandbox'),
  stdin: z.string().optional(),
  terminal: z
    .strictObject({ columns: z.int().min(1), rows: z.int().min(1) })
    .optional()
    .describe('For a program that wants one'),
});
export type RunInput = z.infer<typeof runInput>;

/** The input of a plain command in the workspace, but for the command and its limits. */
export const PLAIN_RUN: Pick<
  RunInput,
  'directory' | 'isLogin' | 'isMerged' | 'keep' | 'hosts' | 'isOutside'
> = {
  directory: '.',
  isLogin: false,
  isMerged: false,
  keep: 'head-and-tail',
  hosts: [],
  isOutside: false,
};

/** How long a command may take, as a caller says it in seconds. */
export function timeoutSeconds(usual: number, most: number): z.ZodOptional<z.ZodInt> {
  return z.int().min(1).max(most).optional().describe(`Seconds, ${usual} by default`);
}

const SHELL = '/bin/sh';

/** More are counted. */
export const MAX_CHANGED = 50;

export const changedSchema = z.array(
  z.strictObject({
    path: z.string(),
    change: z.enum(['created', 'updated', 'deleted']),
    reversible: z.boolean(),
  }),
);

/** A command as a shell is given it. */
export function shellArguments({
  command,
  directory,
  isLogin,
  isMerged,
  ...limits
}: Omit<RunInput, 'hosts' | 'isOutside'>): Parameters<ScopedCommands['run']>[0] {
  const flag = isLogin ? '-lc' : '-c';
  return {
    ...limits,
    command,
    program: SHELL,
    args: isMerged ? ['-c', `exec ${SHELL} ${flag} "$1" 2>&1`, SHELL, command] : [flag, command],
    directory,
  };
}

/** What a dialect tells of a command besides its output, where there is something to tell. */
export const notesReturn = z
  .array(z.string())
  .optional()
  .describe('What undo can not take back, and the like');

export const execRun = defineOperation({
  name: 'exec.run',
  summary: 'Runs a command in the workspace, in a sandbox where the machine has one.',
  input: runInput,
  output: z.strictObject({
    command: z.string(),
    directory: workspacePathSchema,
    exitCode: z.int().describe('124 after a time-out'),
    stdout: z.string(),
    stderr: z.string(),
    isTruncated: z.boolean(),
    outputId: z.string().optional().describe('Names the whole output, where it was cut'),
    timedOut: z.boolean(),
    durationMs: z.number(),
    sandbox: z.string().describe('The tier that was in force'),
    hosts: z.array(z.string()).describe('What it reached'),
    changed: changedSchema.describe('The first entries of the workspace that it changed'),
    changedTotal: z.int().describe('How many it changed'),
    undo: z.enum(['exact', 'part', 'none']).describe('How much of that undo takes back'),
    notes: z.array(z.string()).describe('What else there is to know about it'),
  }),
  permissions: ['proc.exec', 'git.write', 'fs.read', 'fs.write', 'net.connect'],
  effect: 'exec',
  isCaptured: () => true,
  access: (input, workspace) => commandAccesses(input, workspace),
  troubleOf: ({ exitCode, timedOut, durationMs }) => {
    if (timedOut) return new Failure('E_TOOL_TIMEOUT', `The command was ended after ${durationMs} ms.`);
    if (exitCode === 0) return undefined;
    return new Failure('E_EXEC', `The command ended with exit code ${exitCode}.`);
  },

  preview: async (input, { commands }) => ({
    kind: 'text',
    text: describeCommand(input, await commands.sandbox()),
  }),
  async run(input, { commands }) {
    const { hosts: _hosts, isOutside: _outside, ...request } = input;
    const ran = await commands.run(shellArguments(request));
    const { command, directory } = input;
    return {
      command,
      directory,
      exitCode: ran.exitCode,
      stdout: Buffer.from(ran.stdout).toString(),
      stderr: Buffer.from(ran.stderr).toString(),
      isTruncated: ran.outputId !== undefined,
      outputId: ran.outputId,
      timedOut: ran.timedOut,
      durationMs: Math.round(ran.durationMs),
      sandbox: ran.tier,
      hosts: [...ran.hostsReached],
      changed: filesFirst(ran.effects.changed).slice(0, MAX_CHANGED),
      changedTotal: ran.effects.changed.length,
      undo: ran.effects.undo,
      notes: [...ran.effects.notes],
    };
  },
});

/** What git keeps for itself tells less than the files do. */
function filesFirst<Entry extends { readonly path: string }>(changed: readonly Entry[]): Entry[] {
  const isOfGit = ({ path }: Entry): boolean => path.startsWith('.git/');
  return [...changed.filter((entry) => !isOfGit(entry)), ...changed.filter(isOfGit)];
}
