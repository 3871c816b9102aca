/** `exec.preview`: a command in a view of the workspace, and what it would change. */
import { z } from 'zod';
import { defineOperation } from '../../runtime/operation.ts';
import { changedSchema, execRun, MAX_CHANGED, runInput, shellArguments } from './run.ts';

/** A diff that is longer is cut; what is taken over is all of it. */
const MAX_DIFF = 60_000;

export const execPreview = defineOperation({
  name: 'exec.preview',
  summary: 'Runs a command in a view of the workspace, and shows what it would change.',
  input: runInput.omit({ isOutside: true }),
  output: z.strictObject({
    command: z.string(),
    exitCode: z.int().describe('124 after a time-out'),
    stdout: z.string(),
    stderr: z.string(),
    timedOut: z.boolean(),
    id: z.string().optional().describe('Names the preview, where it changed something; for an hour'),
    diff: z.string().describe('Of everything it changed; unified, or a line for what is no text'),
    isDiffCut: z.boolean(),
    changed: changedSchema.describe('The first entries that it changed'),
    changedTotal: z.int(),
    notes: z.array(z.string()).describe('What else there is to know about it'),
  }),
  permissions: execRun.permissions,
  effect: 'exec',
  isCaptured: () => true,
  access: (input, workspace) => execRun.access({ ...input, isOutside: false }, workspace),
  preview: (input, context) => execRun.preview!({ ...input, isOutside: false }, context),
  async run(input, { commands }) {
    const { hosts: _hosts, ...request } = input;
    const ran = await commands.preview(shellArguments(request));
    const diff = ran.kept?.diff ?? '';
    return {
      command: input.command,
      exitCode: ran.exitCode,
      stdout: Buffer.from(ran.stdout).toString(),
      stderr: Buffer.from(ran.stderr).toString(),
      timedOut: ran.timedOut,
      id: ran.kept?.id,
      diff: diff.slice(0, MAX_DIFF),
      isDiffCut: diff.length > MAX_DIFF,
      changed: ran.effects.changed.slice(0, MAX_CHANGED),
      changedTotal: ran.effects.changed.length,
      notes: [...ran.effects.notes],
    };
  },
});
