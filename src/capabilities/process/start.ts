/** `process.start`: a command that goes on in the background, confined as it would be in the foreground. */
import { z } from 'zod';
import type { SandboxReport } from '../../host/ports.ts';
import type { Access } from '../../policy/access.ts';
import { defineOperation } from '../../runtime/operation.ts';
import type { Workspace } from '../../runtime/workspace.ts';
import { commandAccesses } from '../exec/command-accesses.ts';
import { runInput } from '../exec/run.ts';
import { awaited, waitFor, waitOutcome } from './awaited.ts';
import { factsOf, processFacts, processId } from './process-facts.ts';
import { readOutput, outputPart } from './read.ts';

export const startInput = runInput
  .pick({ command: true, directory: true, isLogin: true, hosts: true, isOutside: true, terminal: true })
  .extend({
    name: processId.optional().describe('What the session calls it'),
    isKept: z.boolean().describe('Whether it goes on after the session'),
    wait: awaited.optional().describe('What the call waits for'),
    maxOutputBytes: z.int().min(0),
  });
export type StartInput = z.infer<typeof startInput>;

/** The input of a plain background command, but for the command. */
export const PLAIN_START: Omit<StartInput, 'command'> = {
  directory: '.',
  isLogin: false,
  hosts: [],
  isOutside: false,
  isKept: false,
  maxOutputBytes: 0,
};

const SHELL = '/bin/sh';

export const processStart = defineOperation({
  name: 'process.start',
  summary: 'Starts a command in the background.',
  input: startInput,
  output: z.strictObject({
    process: processFacts,
    waited: waitOutcome.optional(),
    output: outputPart.describe('What it wrote so far'),
  }),
  permissions: ['proc.exec', 'git.write', 'fs.read', 'fs.write', 'net.connect'],
  effect: 'exec',
  access: startAccesses,
  preview: async (input, { commands }) => ({
    kind: 'text',
    text: describeStart(input, await commands.sandbox()),
  }),
  async run({ command, directory, isLogin, terminal, name, isKept, wait, maxOutputBytes }, { processes }) {
    const args = [isLogin ? '-lc' : '-c', command];
    const { id } = await processes.start({
      command,
      program: SHELL,
      args,
      directory,
      terminal,
      name,
      isKept,
    });
    const waited = wait && (await waitFor(processes, id, wait, 0));
    return {
      process: factsOf(await processes.find(id)),
      ...(waited === undefined ? {} : { waited: waited.outcome }),
      output: await readOutput(processes, id, undefined, maxOutputBytes),
    };
  },
});

/** What goes on is never only a look: nobody watches it to its end. */
export function startAccesses(input: StartInput, workspace: Workspace): Access[] {
  return commandAccesses(input, workspace).map((access) =>
    access.command === undefined ? access : { ...access, command: { ...access.command, onlyReads: false } },
  );
}

function describeStart(input: StartInput, sandbox: SandboxReport): string {
  const { command, directory, hosts, isOutside, isKept, terminal } = input;
  return [
    ...command.split('\n').map((line, index) => `${index === 0 ? '$' : '>'} ${line}`),
    ...(directory === '.' ? [] : [`in ${directory}`]),
    ...(terminal === undefined ? [] : ['in a terminal of its own']),
    isOutside ? 'OUTSIDE the sandbox: it can do whatever you can.' : sandbox.says,
    hosts.length === 0 ? 'It reaches no network.' : `It may reach ${hosts.join(', ')}.`,
    `It goes on in the background ${isKept ? 'until somebody stops it' : 'until the session ends'}; what it changes, undo can't take back.`,
  ].join('\n');
}
