/** What is told about a background process, by every operation that tells of one. */
import { z } from 'zod';
import type { BackgroundProcess } from '../../host/ports.ts';
import { workspacePathSchema } from '../fs/workspace-path-schema.ts';

export const processFacts = z.strictObject({
  id: z.string(),
  name: z.string().optional().describe('What its session calls it'),
  command: z.string(),
  directory: workspacePathSchema,
  pid: z.int().optional(),
  sandbox: z.string().optional().describe('The tier that confines it'),
  isRunning: z.boolean(),
  isKept: z.boolean().describe('Whether it goes on after its session'),
  startedAt: z.number(),
  exitCode: z.int().optional().describe('Once it has ended, where somebody saw it'),
  endedBy: z.string().optional(),
  hosts: z.array(z.string()).describe('What it reached; told at its end'),
});
export type ProcessFacts = z.infer<typeof processFacts>;

export function factsOf(process: BackgroundProcess): ProcessFacts {
  const { id, name, command, directory, pid, tier, isKept, startedAt, ended } = process;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    command,
    directory,
    ...(pid === undefined ? {} : { pid }),
    ...(tier === undefined ? {} : { sandbox: tier }),
    isRunning: ended === undefined,
    isKept,
    startedAt,
    ...(ended?.exitCode === undefined ? {} : { exitCode: ended.exitCode }),
    ...(ended === undefined ? {} : { endedBy: ended.by }),
    hosts: [...(ended?.hosts ?? [])],
  };
}

/** The id or the name of one. */
export const processId = z.string().min(1).max(100);
